#include "engine/program_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/input.h"
#include "support/files.h"

namespace ordo::engine {
namespace {

using testing::HasSubstr;

class ProgramLibraryTest : public testing::Test {
 protected:
  std::unique_ptr<ProgramLibrary> make(std::vector<std::string> values, std::size_t cache = 1 << 20) {
    LibraryOptions options;
    options.values = std::move(values);
    options.cache_bytes = cache;
    Result<std::unique_ptr<ProgramLibrary>> library = ProgramLibrary::create(*engine_, options);
    ORDO_CHECK(library.has_value(), "{}", library.error().message);
    return *std::move(library);
  }

  std::unique_ptr<Engine> engine_ = *Engine::start({.limits = {}, .remember_crashes = false});
};

TEST_F(ProgramLibraryTest, HoldsTheProgramAndWhatItsBaselinesReach) {
  const auto library = make({"ir_instructions/initial", "ir_instructions/clang-Oz", "text_bytes/clang-O0",
                             "ir_instructions/bare-Oz"});
  const auto program = library->load("suite/crc32");
  ASSERT_TRUE(program) << program.error().message;
  // The same from what `ordo tune` compares with.
  const Input input = *prepareInput("suite/crc32", Baseline{}, {});
  EXPECT_EQ((*program)->program, input.compiled.bytes);
  const auto& values = (*program)->values;
  EXPECT_LT(values.at("ir_instructions/clang-Oz"), values.at("ir_instructions/initial"));
  EXPECT_GT(values.at("text_bytes/clang-O0"), 0);
  EXPECT_NE(values.at("ir_instructions/bare-Oz"), values.at("ir_instructions/initial"));
}

TEST_F(ProgramLibraryTest, LoadsOnceWhatFitsIntoTheCache) {
  const auto library = make({}, 1 << 20);
  const auto first = *library->load("suite/crc32");
  EXPECT_EQ(*library->load("suite/crc32"), first);
  const auto tiny = make({}, 1);
  const auto one = *tiny->load("suite/crc32");
  EXPECT_NE(*tiny->load("suite/sha256"), nullptr);
  EXPECT_NE(*tiny->load("suite/crc32"), one) << "it was not kept";
}

TEST_F(ProgramLibraryTest, AFunctionIsAProgramByItself) {
  const auto library = make({"ir_instructions/initial", "ir_instructions/clang-Oz",
                             "ir_instructions/clang-O3", "code_bytes/bare-Oz"});
  const Result<std::vector<std::string>> functions = library->functions("suite/chess");
  ASSERT_TRUE(functions) << functions.error().message;
  EXPECT_THAT(*functions, testing::Contains("suite/chess#play"));
  const auto whole = *library->load("suite/chess");
  std::set<std::uint64_t> hashes;
  for (const std::string& uri : *functions) {
    const auto one = library->load(uri);
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_EQ((*one)->uri, uri);
    hashes.insert((*one)->hash.low);
    for (const char* value : {"ir_instructions/initial", "ir_instructions/clang-Oz", "code_bytes/bare-Oz"}) {
      EXPECT_GT((*one)->values.at(value), 0) << uri << " " << value;
      EXPECT_LT((*one)->values.at(value), whole->values.at(value)) << uri << " " << value;
    }
  }
  EXPECT_EQ(hashes.size(), functions->size()) << "each is another program";
}

TEST_F(ProgramLibraryTest, WhatIsNoFunctionIsSaidToBeNone) {
  const auto complaint = [](ProgramLibrary& library, const char* uri) {
    const auto loaded = library.load(uri);
    return loaded ? "" : loaded.error().message;
  };
  const auto library = make({});
  EXPECT_THAT(complaint(*library, "suite/chess#plaz"),
              testing::AllOf(HasSubstr("suite/chess"), HasSubstr("no function 'plaz'")));
  EXPECT_THAT(complaint(*library, "suite/chess#--help"), HasSubstr("no function '--help'"));
  EXPECT_THAT(complaint(*library, "suite/ches#play"), HasSubstr("suite/chess"));
  EXPECT_THAT(complaint(*make({"runtime/initial"}), "suite/chess#play"), HasSubstr("run"));
}

TEST_F(ProgramLibraryTest, UnknownNamesSuggestTheNearest) {
  const auto complaint = [&](const char* value) {
    LibraryOptions options;
    options.values = {value};
    return ProgramLibrary::create(*engine_, options).error().message;
  };
  EXPECT_THAT(complaint("text_byte/initial"), HasSubstr("'text_bytes'"));
  EXPECT_THAT(complaint("text_bytes/clang-Ozz"), HasSubstr("'clang-Oz'"));
  EXPECT_FALSE(make({})->load("suite/crc23"));
}

TEST_F(ProgramLibraryTest, ProgramsForEvaluationAreRefusedUnlessAskedFor) {
  // A user's copy of one module, made here from a file.
  const TempDir dir = *TempDir::create();
  const Input input = *prepareInput("suite/crc32", Baseline{}, {});
  std::filesystem::create_directories(dir.path() / "cbench-v1");
  ASSERT_TRUE(writeFile(dir.path() / "cbench-v1" / "crc32.bc", input.compiled.bytes));
  ::setenv("ORDO_COMPILERGYM", dir.path().c_str(), 1);
  const auto refused = make({})->load("compilergym/cbench-v1/crc32");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("evaluation"));
  LibraryOptions options;
  options.evaluation = true;
  EXPECT_TRUE((*ProgramLibrary::create(*engine_, options))->load("compilergym/cbench-v1/crc32"));
  ::unsetenv("ORDO_COMPILERGYM");
}

}  // namespace
}  // namespace ordo::engine

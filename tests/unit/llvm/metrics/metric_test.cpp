#include "llvm/metrics/metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <map>
#include <set>
#include <sstream>

#include "llvm/ir/module.h"
#include "support/process.h"

namespace ordo::metrics {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Eq;

constexpr std::string_view kProgram = R"(
#include <stdio.h>
static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
int buffer[256] = {1};
int count(int limit) {
  int found = 0;
  for (int i = 0; i < 8; i++) found += primes[i] < limit;
  return found;
}
int main(int argc, char** argv) {
  switch (argc) {
    case 1: puts("none"); break;
    case 2: puts("one"); break;
    case 3: puts("two"); break;
    case 4: printf("%s\n", argv[1]); break;
  }
  return buffer[argc] + count(argc);
})";

std::string runTool(const std::vector<std::string>& argv, std::string_view input) {
  const auto result = runProcess(argv, {.input = std::string(input), .dir = {}});
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->ok()) << result->err;
  return result->out;
}

// `clang-22 -O2 -g` without passes, as an object or as bitcode. Debug info, because it must not count.
std::string clang(const std::vector<std::string>& more) {
  std::vector<std::string> argv{"clang-22", "-x", "c", "-O2", "-g", "-Xclang", "-disable-llvm-passes"};
  argv.insert(argv.end(), more.begin(), more.end());
  argv.insert(argv.end(), {"-", "-o", "-"});
  return runTool(argv, kProgram);
}

// A program with all that a metric may look at, and how often it asked for an object.
class MetricTest : public testing::Test {
 protected:
  Result<double> measure(std::string_view name) {
    return find(name)->measure({*module_, 0.5, [this] { return emit(); },
                                [this]() -> Result<ir::TextSizes> {
                                  ORDO_TRY_ASSIGN(const Emission emission, emit());
                                  return ir::TextSizes{emission.sizes.text, emission.sizes.code};
                                }});
  }

  Result<Emission> emit() {
    ++emissions_;
    ORDO_TRY_ASSIGN(const ir::OwnedModule copy, ir::parse(bitcode_, "copy"));
    ORDO_TRY_ASSIGN(const auto machine, ir::makeTargetMachine(*copy, {}));
    ORDO_TRY_ASSIGN(const std::string object, ir::emit(*copy, *machine, ir::EmitKind::kObject));
    ORDO_TRY_ASSIGN(const ir::ObjectSizes sizes, ir::objectSizes(object));
    return Emission{sizes, object.size(), 1.5};
  }

  int emissions_ = 0;
  std::string bitcode_ = clang({"-emit-llvm", "-c"});
  ir::OwnedModule module_ = *ir::parse(bitcode_, "program");
};

// Every metric of the catalog, also those of tomorrow.
TEST_F(MetricTest, TheCatalogKeepsItsPromises) {
  std::set<std::string_view> names;
  for (const MetricInfo* metric : catalog()) {
    SCOPED_TRACE(std::string(metric->name));
    EXPECT_TRUE(names.insert(metric->name).second) << "twice";
    EXPECT_THAT(metric->name, testing::Not(testing::IsEmpty()));
    EXPECT_THAT(metric->name,
                Each(testing::AnyOf(testing::AllOf(testing::Ge('a'), testing::Le('z')), Eq('_'))));
    EXPECT_FALSE(metric->unit.empty());
    EXPECT_FALSE(metric->summary.empty());
    EXPECT_EQ(find(metric->name), metric);
    const std::string before = ir::writeBitcode(*module_);
    const Result<double> first = measure(metric->name), second = measure(metric->name);
    ASSERT_TRUE(first) << first.error().message;
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_GT(*first, 0);
    EXPECT_TRUE(std::isfinite(*first));
    if (metric->deterministic) {
      EXPECT_EQ(*first, *second);
    }
    EXPECT_EQ(ir::writeBitcode(*module_), before) << "a metric changed the module";
  }
  EXPECT_TRUE(std::is_sorted(catalog().begin(), catalog().end(),
                             [](const MetricInfo* a, const MetricInfo* b) { return a->name < b->name; }));
}

TEST_F(MetricTest, ThereIsNoMetricOfAnotherName) {
  EXPECT_EQ(find("text_byte"), nullptr);
  EXPECT_EQ(find(""), nullptr);
}

TEST_F(MetricTest, InstructionsAreTheLinesOfPrintedBodies) {
  int lines = 0;
  bool body = false, operands = false;  // of a switch, one line for each case
  std::istringstream text(ir::print(*module_));
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("define "))
      body = true;
    else if (line == "}")
      body = false;
    else if (operands)
      operands = line.find(']') == std::string::npos;
    else if (body && line.starts_with("  ") && !line.starts_with("    #dbg_")) {
      ++lines;
      operands = line.ends_with("[");
    }
  }
  EXPECT_EQ(measure("ir_instructions").value(), lines);
  EXPECT_EQ(emissions_, 0) << "counting needs no object";
}

TEST_F(MetricTest, TextBytesAreWhatLlvmSizePrintsForClangsObject) {
  std::istringstream lines(runTool({"llvm-size-22", "-"}, clang({"-c"})));
  std::string headings;
  std::getline(lines, headings);
  double text = 0;
  lines >> text;
  EXPECT_EQ(measure("text_bytes").value(), text);
}

TEST_F(MetricTest, PartsOfTheTextAreTheSectionsThatLlvmSizeLists) {
  std::istringstream lines(runTool({"llvm-size-22", "-A", "-"}, clang({"-c"})));
  std::map<std::string, double> expected;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string section;
    double size = 0;
    if (!(words >> section >> size) || !section.starts_with('.')) continue;
    if (section.starts_with(".text")) expected["code_bytes"] += size;
    if (section == ".eh_frame") expected["unwind_bytes"] += size;
    if (section.starts_with(".rodata")) expected["rodata_bytes"] += size;
    if (section.starts_with(".data")) expected["data_bytes"] += size;
  }
  double sum = 0;
  for (const char* name : {"code_bytes", "unwind_bytes", "rodata_bytes"}) {
    EXPECT_GT(expected[name], 0) << name;
    EXPECT_EQ(measure(name).value(), expected[name]) << name;
    sum += expected[name];
  }
  EXPECT_EQ(measure("data_bytes").value(), expected["data_bytes"]);
  EXPECT_EQ(measure("text_bytes").value(), sum);
}

TEST_F(MetricTest, ObjectBytesAreTheSizeOfClangsObject) {
  EXPECT_EQ(measure("object_bytes").value(), static_cast<double>(clang({"-c"}).size()));
}

TEST_F(MetricTest, CompileTimeIsThatOfPassesAndCodeGeneration) {
  EXPECT_EQ(measure("compile_ms").value(), 0.5 + 1.5);
}

TEST_F(MetricTest, AFailedEmissionFailsTheMetricsThatNeedIt) {
  for (const char* name : {"text_bytes", "object_bytes", "compile_ms"}) {
    const auto none = [] { return fail(ErrorCode::kUnsupported, "no backend"); };
    const Result<double> value = find(name)->measure({*module_, 0, none, none});
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().message, "no backend");
  }
}

}  // namespace
}  // namespace ordo::metrics

#include "tune/calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/metric.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::tune {
namespace {

class CallsTest : public engine::EngineFixture {};

TEST_F(CallsTest, AreDecidedForWhatTheyBearOn) {
  const env::BackendInfo& info = engine_->info();
  EXPECT_TRUE(decidesCalls(info, env::kTextBytes));
  EXPECT_TRUE(decidesCalls(info, "ir_instructions=0.7+text_bytes=0.3"));
  EXPECT_FALSE(decidesCalls(info, env::kCompileMs));
  EXPECT_FALSE(decidesCalls(info, env::kRuntime));
  env::BackendInfo other = info;
  other.observations.clear();
  EXPECT_FALSE(decidesCalls(other, env::kTextBytes)) << "no such backend knows of calls";
}

// A function of about `size` instructions before any pass.
std::string function(const std::string& head, int size) {
  std::string body = head + "(int a) { int s = a;";
  for (int i = 0; i < size / 4; ++i) body += fmt::format(" s ^= a + {};", i + 1);
  return body + " return s; }\n";
}

TEST_F(CallsTest, AreDecidedWhereThatPromisesSomethingBestFirst) {
  const TempDir dir = *TempDir::create();
  const std::string file = (dir.path() / "calls.c").string();
  ASSERT_TRUE(writeFile(file, function("static int tiny", 4) + function("int anybodys", 8) +
                                  function("static int once", 40) + "int outside(int);\n" +
                                  "int f(int a) { return tiny(a) + anybodys(a) + tiny(a); }\n" +
                                  "int g(int a) { return outside(a) + once(a); }\n"));
  const Result<engine::Input> input = engine::prepareInput(file, {}, {});
  ASSERT_TRUE(input) << input.error().message;
  env::SessionSpec spec{
      input->program.uri, input->compiled.bytes, {{"a", "pipeline", "b"}}, input->settings()};
  const auto places = addCalls(*engine_, *input, spec);
  ASSERT_TRUE(places) << places.error().message;
  std::vector<std::string> decisions;
  for (const search::Decisions& ways : *places)
    for (const env::ActionIndex way : ways) decisions.push_back(spec.actions[way].text);
  // What LLVM inlines anyway is not tried, and nothing can be said of what is not there.
  EXPECT_THAT(decisions, testing::ElementsAre("ordo-call<3;alwaysinline>", "ordo-call<1;noinline>",
                                              "ordo-call<3;noinline>"));
}

}  // namespace
}  // namespace ordo::tune

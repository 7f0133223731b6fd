#include "web/program_view.h"

#include <gmock/gmock.h>

#include "tests/unit/web/fixture.h"

namespace ordo::web {
namespace {

class ProgramViewTest : public BenchFixture {
 protected:
  static const Endpoint& find(const std::vector<Endpoint>& endpoints, std::string_view name) {
    return *std::ranges::find(endpoints, name, &Endpoint::name);
  }
};

TEST_F(ProgramViewTest, AllActionsAreTriedAndHeardOfOneByOne) {
  const std::unique_ptr<View> view = *openProgram(spec());
  const std::vector<Endpoint> endpoints = view->endpoints();
  std::size_t tried = 0, smaller = 0;
  bool done = false;
  const double start = bench_->program.startValue();
  const Status status =
      find(endpoints, "try")
          .stream({{"actions", Json::array()}}, [&](std::string_view event, const Json& data) {
            if (event == "tried") ++tried;
            if (event == "tried" && data.contains("value") && data["value"] < start) ++smaller;
            done = event == "done";
            return true;
          });
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(tried, bench_->program.actions().size());
  EXPECT_GT(smaller, 3u);
  EXPECT_TRUE(done);
}

TEST_F(ProgramViewTest, AfterARestItAnswersAsBefore) {
  const std::unique_ptr<View> view = *openProgram(spec());
  const std::vector<Endpoint> endpoints = view->endpoints();
  const Json body{{"actions", {"sroa"}}};
  const Json before = *find(endpoints, "states").answer(body);
  view->rest();
  EXPECT_EQ(*find(endpoints, "states").answer(body), before);
}

TEST_F(ProgramViewTest, ARecipeSaysWhereToBegin) {
  recipe::Recipe recipe;
  recipe.backend = "llvm";
  recipe.source = "main.c";
  recipe.objective = std::string(env::kRuntime);
  recipe.baseline = "clang-O3";
  recipe.space = "speed";
  recipe.actions = {{"sroa"}, {"gvn"}};
  const Result<ProgramSpec> spec = specOf(recipe, "");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->file, "main.c");
  EXPECT_EQ(spec->objective, "text_bytes");  // run time is not known on the way
  EXPECT_THAT(spec->actions, testing::ElementsAre("sroa", "gvn"));
  EXPECT_EQ(specOf(recipe, "other.c")->file, "other.c");
  recipe.backend = "mlir";
  EXPECT_FALSE(specOf(recipe, ""));
}

}  // namespace
}  // namespace ordo::web

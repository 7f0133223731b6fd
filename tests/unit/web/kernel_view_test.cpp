// With the worker of kernels, where Ordo was built with MLIR.
#include "web/kernel_view.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "support/files.h"
#include "tests/fakes/kernel_texts.h"
#include "web/telling.h"

namespace ordo::web {
namespace {

using testing::HasSubstr;

class KernelViewTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(std::filesystem::path(ORDO_BIN_DIR) / "ordo-mlir-worker"))
      GTEST_SKIP() << "libmlir-22-dev is not installed";
    const std::filesystem::path file = dir_.path() / "matmul.mlir";
    ASSERT_TRUE(writeFile(file, fakes::kMatmulText));
    recipe_.backend = "mlir";
    recipe_.program = "matmul";
    recipe_.source = file.string();
    for (const char* step : {"vectorize<4,16,1>", "stop"})
      recipe_.actions.push_back({step, "schedule", step});
    recipe_.reasons = {{.action = 0, .saves = 7}};
  }

  static Result<Json> ask(View& view, std::string_view name, const Json& body) {
    for (const Endpoint& endpoint : view.endpoints())
      if (endpoint.name == name) return endpoint.answer(body);
    return fail(ErrorCode::kNotFound, "{}", name);
  }

  TempDir dir_ = *TempDir::create();
  recipe::Recipe recipe_;
};

TEST_F(KernelViewTest, StatesAreThoseAfterSoManySteps) {
  const auto view = openKernel(recipe_);
  ASSERT_TRUE(view) << view.error().message;
  const Json about = *ask(**view, "about", nullptr);
  EXPECT_EQ(about["steps"][0]["name"], "vectorize<4,16,1>");
  EXPECT_EQ(about["steps"][0]["saves"], 7);
  EXPECT_TRUE(about["steps"][1]["saves"].is_null());
  const Json begin = *ask(**view, "state", {{"steps", 0}}), end = *ask(**view, "state", {{"steps", 2}});
  EXPECT_THAT(begin["ir"].get<std::string>(), HasSubstr("linalg.matmul"));
  EXPECT_NE(begin["ir"], end["ir"]);
  EXPECT_GT(begin["time_ns"], 0);
  EXPECT_LT(end["cost"], begin["cost"]);
  EXPECT_EQ(end["operations"].size(), 2u) << "what fills, and the product";
  EXPECT_GT(end["operations"][1]["levels"].size(), 1u);
  ASSERT_TRUE(end["caches"].is_array());
  (*view)->rest();
  EXPECT_EQ(*ask(**view, "state", {{"steps", 2}}), end) << "what was seen is kept";
  EXPECT_NE((*ask(**view, "state", {{"steps", 1}}))["ir"], begin["ir"]) << "and what was not is made again";
}

TEST_F(KernelViewTest, NonsenseIsRefused) {
  const auto view = openKernel(recipe_);
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_THAT(ask(**view, "state", {{"steps", 3}}).error().message, HasSubstr("has 2 steps"));
  EXPECT_FALSE(ask(**view, "state", {{"steps", -1}}));
  EXPECT_FALSE(ask(**view, "state", {{"step", 1}}));
  recipe_.source = (dir_.path() / "gone.mlir").string();
  EXPECT_FALSE(openKernel(recipe_));
}

TEST(KernelCandidatesTest, AreThoseOfTheResultAndBesideTheRecipe) {
  const TempDir dir = *TempDir::create();
  const std::filesystem::path file = dir.path() / "k.ordo.json", beside = dir.path() / "k.candidates.json";
  const recipe::Recipe recipe;
  EXPECT_TRUE(readCandidates(file, recipe)->is_null()) << "there is none";
  Json document{{"result", recipe.result_hash.hex()}, {"candidates", Json::array()}};
  for (int i = 0; i < 3000; ++i)
    document["candidates"].push_back({{"number", i},
                                      {"seconds", 0.5},
                                      {"time_ns", i == 0 ? Json(nullptr) : Json(1e6)},
                                      {"problem", i == 0 ? "it does not compile" : ""},
                                      {"steps", {"stop"}}});
  ASSERT_TRUE(writeFile(beside, writeJson(document)));
  const Json read = *readCandidates(file, recipe);
  EXPECT_EQ(read.size(), kMostPoints);
  EXPECT_TRUE(read[0]["time_ns"].is_null());
  EXPECT_EQ(read.back()["number"], 2999);
  document["result"] = "0123";
  ASSERT_TRUE(writeFile(beside, writeJson(document)));
  EXPECT_TRUE(readCandidates(file, recipe)->is_null()) << "it is of another result";
  document["result"] = recipe.result_hash.hex();
  document["candidates"][0]["steps"] = 7;
  ASSERT_TRUE(writeFile(beside, writeJson(document)));
  EXPECT_EQ(readCandidates(file, recipe).error().code, ErrorCode::kCorrupt);
  ASSERT_TRUE(writeFile(beside, "["));
  EXPECT_FALSE(readCandidates(file, recipe));
}

}  // namespace
}  // namespace ordo::web

#include "web/document_view.h"

#include <gtest/gtest.h>

namespace ordo::web {
namespace {

TEST(DocumentViewTest, DocumentsAreToldApartByWhatTheyHave) {
  const Json trial = Json::parse(R"([{"verdict": "faster", "identical": false, "least_effect": 0.005}])");
  EXPECT_EQ(kindOf(trial), "trial");
  EXPECT_EQ(kindOf(Json::parse(R"({"model": "m", "messages": []})")), "talk");
  for (const char* other : {"[]", "{}", "1", "null", R"([1])", R"([{"verdict": "faster"}])",
                            R"({"messages": 1, "model": 1})", R"({"actions": [], "program": {}})"})
    EXPECT_EQ(kindOf(Json::parse(other)), "") << other;
}

TEST(DocumentViewTest, ADocumentIsPassedOnAsItIs) {
  const Json talk = Json::parse(R"({"model": "m", "messages": [{"role": "user"}], "more": [1]})");
  const std::unique_ptr<View> view = openDocument("talk.json", talk);
  EXPECT_EQ(view->kind(), "talk");
  EXPECT_EQ(view->title(), "talk.json");
  const std::vector<Endpoint> endpoints = view->endpoints();
  ASSERT_EQ(endpoints.size(), 1u);
  EXPECT_TRUE(endpoints[0].get);
  EXPECT_EQ(*endpoints[0].answer(nullptr), talk);
}

}  // namespace
}  // namespace ordo::web

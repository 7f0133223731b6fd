#include "web/search_run.h"

#include <gmock/gmock.h>

#include "tests/unit/web/fixture.h"

namespace ordo::web {
namespace {

class SearchRunTest : public BenchFixture {
 protected:
  struct Heard {
    std::vector<std::string> events;
    std::size_t points = 0;
    Json end;
  };
  // Listens to so many events.
  static Status run(SearchRun& search, const Json& body, Heard& heard, std::size_t most = 1000) {
    const std::atomic<bool> stop{false};
    return search.run(bench_->program, *JsonObject::of(body, "the body"), stop,
                      [&](std::string_view event, const Json& data) {
                        heard.events.emplace_back(event);
                        if (event == "answers") heard.points += data["points"].size();
                        if (event == "done") heard.end = data;
                        return heard.events.size() < most;
                      });
  }
};

TEST_F(SearchRunTest, EveryAnswerIsToldAndTheBestIsExplained) {
  SearchRun search;
  Heard heard;
  const Status status =
      run(search, {{"actions", {"sroa"}}, {"searcher", "random"}, {"compiles", 30}, {"seed", 1}}, heard);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(heard.events.front(), "begin");
  EXPECT_EQ(heard.events.back(), "done");
  EXPECT_GE(heard.points, 25u);
  EXPECT_LE(heard.end["value"], bench_->program.baselineValue());
  EXPECT_FALSE(heard.end["stopped"]);
}

TEST_F(SearchRunTest, WhoStopsListeningEndsIt) {
  SearchRun search;
  Heard heard;
  static_cast<void>(
      run(search, {{"actions", Json::array()}, {"searcher", "random"}, {"compiles", 100000}}, heard, 3));
  EXPECT_LT(heard.points, 100000u);
  Heard again;
  EXPECT_TRUE(run(search, {{"actions", Json::array()}, {"searcher", "random"}, {"compiles", 12}}, again));
}

TEST_F(SearchRunTest, OrdersThatAreNotAsTheyShouldBeAreErrors) {
  SearchRun search;
  Heard heard;
  for (const char* body :
       {R"({"actions": [], "searcher": "no-such", "compiles": 30})",
        R"({"actions": [], "searcher": "random", "compiles": 1})",
        R"({"actions": [], "searcher": "random", "compiles": 1000000})",
        R"({"actions": [], "searcher": "random"})", R"({"searcher": "random", "compiles": 30})",
        R"({"actions": [], "searcher": "random", "compiles": 30, "more": 1})"})
    EXPECT_FALSE(run(search, Json::parse(body), heard)) << body;
  EXPECT_TRUE(heard.events.empty());
}

}  // namespace
}  // namespace ordo::web

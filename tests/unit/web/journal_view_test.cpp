#include "web/journal_view.h"

#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::web {
namespace {

TEST(JournalViewTest, TheLastProgramIsToldAsFarAsItIs) {
  const TempDir dir = *TempDir::create();
  const std::filesystem::path file = dir.path() / "tune.jsonl";
  const std::string begin = R"({"event":"begin","program":"p","objective":"o","baseline":"b"})";
  const std::string best =
      R"({"event":"best","compiles":2,"seconds":1.5,"value":7,"baseline":9,"actions":["a"]})";
  ASSERT_TRUE(writeFile(file, ""));
  const auto view = *openJournal(file);
  const Endpoint journal = view->endpoints().front();
  EXPECT_EQ((*journal.answer(nullptr))["programs"], 0);

  ASSERT_TRUE(writeFile(file, begin + "\n" + best + "\n" + begin + "\n" + best + "\n" + best.substr(0, 20)));
  const Json told = *journal.answer(nullptr);
  EXPECT_EQ(told["programs"], 2);
  EXPECT_EQ(told["best"].size(), 1u) << "of the second";
  EXPECT_EQ(told["best"][0]["actions"], Json({"a"}));
  EXPECT_EQ(told["baseline_value"], 9);
  EXPECT_EQ(told["ended"], false);

  ASSERT_TRUE(writeFile(file, "{\"event\":\"best\"}\n"));
  EXPECT_EQ(journal.answer(nullptr).error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace ordo::web

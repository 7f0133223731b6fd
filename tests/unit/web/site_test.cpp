#include "web/site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::web {
namespace {

TEST(SiteTest, OnlyWhatWasThereAtTheStartIsFound) {
  const TempDir dir = *TempDir::create();
  std::filesystem::create_directories(dir.path() / "assets");
  ASSERT_TRUE(writeFile(dir.path() / "index.html", "<p>"));
  ASSERT_TRUE(writeFile(dir.path() / "assets" / "a-1.js", "1"));
  const Result<Site> site = Site::load(dir.path());
  ASSERT_TRUE(site) << site.error().message;
  EXPECT_EQ(site->find("/")->type, "text/html; charset=utf-8");
  EXPECT_FALSE(site->find("/index.html")->immutable);
  EXPECT_EQ(site->find("/assets/a-1.js")->type, "text/javascript; charset=utf-8");
  EXPECT_TRUE(site->find("/assets/a-1.js")->immutable);
  for (const char* path :
       {"", "/assets", "/assets/", "/../index.html", "/assets/../index.html", "/INDEX.HTML"})
    EXPECT_EQ(site->find(path), nullptr) << path;
}

TEST(SiteTest, AFolderWithoutTheApplicationIsAnErrorWithARemedy) {
  const TempDir dir = *TempDir::create();
  const Result<Site> site = Site::load(dir.path());
  ASSERT_FALSE(site);
  EXPECT_EQ(site.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(site.error().message, testing::HasSubstr("npm run build"));
}

}  // namespace
}  // namespace ordo::web

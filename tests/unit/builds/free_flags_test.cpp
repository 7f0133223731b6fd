#include "builds/free_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::builds {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

FreeChoices choices(std::string_view text) { return *parseFreeFlags(text); }

TEST(FreeFlagsTest, TextAndChoicesAreTheSame) {
  EXPECT_THAT(choices(""), IsEmpty());
  EXPECT_EQ(writeFreeFlags(choices("lto=full,inline=-25")), "lto=full,inline=-25");
  EXPECT_EQ(writeFreeFlags(choices("icf=all,inline=7,lto=thin")), "lto=thin,inline=7,icf=all")
      << "in the order in which they are decided";
  for (const FreeFlag& flag : freeFlags()) {
    std::vector<std::string_view> values = flag.values;
    values.insert(values.end(), flag.more_values.begin(), flag.more_values.end());
    for (const std::string_view value : values) {
      const std::string text = std::string(flag.name) + "=" + std::string(value);
      EXPECT_EQ(writeFreeFlags(choices(text)), text);
    }
  }
}

TEST(FreeFlagsTest, OnlyWhatIsKnownIsAllowed) {
  for (const char* wrong :
       {"lto", "lto=", "lto=fat", "inline=a", "inline=1 -o x", "inline=100000", "=", ",", "lto=full,",
        "lto=full,,icf=safe", "lto=full,lto=thin", "fplugin=x.so", "inline=-25,load=x"}) {
    const Result<FreeChoices> parsed = parseFreeFlags(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(parsed.error().message, HasSubstr("inline=-25|0|"));
  }
}

TEST(FreeFlagsTest, WordsAreThoseThatAUserWouldAdd) {
  EXPECT_THAT(freeCompileWords({}), IsEmpty());
  EXPECT_THAT(freeLinkWords({}, true), IsEmpty());
  EXPECT_THAT(freeCompileWords(choices("inline=-25,icf=safe")),
              ElementsAre("-mllvm", "-inline-threshold=-25"));
  EXPECT_THAT(freeLinkWords(choices("inline=-25,icf=safe"), false),
              ElementsAre("-fuse-ld=lld", "-Wl,--icf=safe"))
      << "code is made where files are compiled";
  EXPECT_THAT(freeLinkWords(choices("inline=-25,lto=full"), false),
              ElementsAre("-flto=full", "-fuse-ld=lld", "-Wl,-mllvm,-inline-threshold=-25"));
  EXPECT_THAT(freeLinkWords(choices("inline=-10,lto=full,link-inline=-25"), false),
              ElementsAre("-flto=full", "-fuse-ld=lld", "-Wl,-mllvm,-inline-threshold=-25"))
      << "LLVM refuses an option that is given twice";
  EXPECT_THAT(freeLinkWords(choices("inline=-25"), true), ElementsAre("-mllvm", "-inline-threshold=-25"));
}

}  // namespace
}  // namespace ordo::builds

#include "builds/understood.h"

#include <gtest/gtest.h>

namespace ordo::builds {
namespace {

std::optional<Meaning> of(std::vector<std::string> words) { return meaningOf(frontend::readArgument(words)); }

TEST(UnderstoodTest, OptionsAreAboutTheModuleItsCodeOrTheCommand) {
  EXPECT_EQ(of({"-I", "dir"}), Meaning::kFrontEnd);
  EXPECT_EQ(of({"--include-directory=dir"}), Meaning::kFrontEnd);
  EXPECT_EQ(of({"-Wno-unused"}), Meaning::kFrontEnd);
  EXPECT_EQ(of({"-ffile-prefix-map=/a=b"}), Meaning::kFrontEnd);  // a lock file is for any folder
  EXPECT_EQ(of({"-B", "dir"}), Meaning::kFrontEnd);
  EXPECT_EQ(of({"-mllvm", "-inline-threshold=-25"}), Meaning::kCode);
  EXPECT_EQ(of({"-mllvm=-inline-threshold=-25"}), Meaning::kCode);
  EXPECT_EQ(of({"-fno-builtin"}), Meaning::kCode);
  EXPECT_EQ(of({"-fno-builtin-memcpy"}), Meaning::kCode);
  EXPECT_EQ(of({"-mavx2"}), Meaning::kCode);
  EXPECT_EQ(of({"-Wl,-z,now"}), Meaning::kLink);
  EXPECT_EQ(of({"--output=x"}), Meaning::kOutput);
  EXPECT_EQ(of({"-fsave-optimization-record=yaml"}), Meaning::kRemarks);
}

TEST(UnderstoodTest, NothingElseIsUnderstood) {
  const std::vector<std::vector<std::string>> commands{{"-mllvm", "-x"},
                                                       {"-mllvm", "-time-passes"},
                                                       {"-mllvm"},
                                                       {"-fno-integrated-as"},
                                                       {"-nothing"},
                                                       {"a.c"},
                                                       {"-o"},
                                                       {"-Wa,-a"},
                                                       {"-Xclang", "-x"},
                                                       {"-fsave-optimization-record=bitstream"},
                                                       {"-Wp,-include,x"},
                                                       {"-fsanitize=address"},
                                                       {"-fsanitize=null,memory"}};
  for (const auto& words : commands) EXPECT_FALSE(of(words)) << words[0];
}

// A list of names that clang does not have would be a list of typing errors.
TEST(UnderstoodTest, WhatIsUnderstoodIsClangs) {
  std::size_t count = 0;
  for (const frontend::Option& option : frontend::options()) {
    frontend::Argument argument{&option, {"yaml"}};
    count += meaningOf(argument).has_value();
  }
  EXPECT_GT(count, 600u);
}

}  // namespace
}  // namespace ordo::builds

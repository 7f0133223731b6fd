#include "cli/line_editor.h"

#include <gtest/gtest.h>

namespace ordo::cli {
namespace {

TEST(LineEditorTest, WordsBeginAlike) {
  EXPECT_EQ(commonBeginning({}), "");
  EXPECT_EQ(commonBeginning({"gvn"}), "gvn");
  EXPECT_EQ(commonBeginning({"gvn-hoist", "gvn", "gvn-sink"}), "gvn");
  EXPECT_EQ(commonBeginning({"a", "b"}), "");
}

}  // namespace
}  // namespace ordo::cli

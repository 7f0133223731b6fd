#include "mlir/lowering/symbol.h"

#include <gtest/gtest.h>

#include <string>

namespace ordo::lowering {
namespace {

TEST(SymbolTest, LeavesToCAndToLinkersWhatIsTheirs) {
  for (const char* free : {"matmul", "k", "softmax", "layer_1", "attention", "mlp"})
    EXPECT_EQ(symbolOf(free), free);
  for (const char* taken : {"main", "malloc", "int", "class", "exp", "memcpy", "_x", "1st", "ordo_scratch_0"})
    EXPECT_EQ(symbolOf(taken), std::string("ordo_") + taken);
  EXPECT_EQ(symbolOf("odd name-1.2"), "odd_name_1_2");
  EXPECT_EQ(symbolOf("gr\xC3\xB6\xC3\x9F"), "gr____");
  EXPECT_EQ(symbolOf(""), "ordo_");
}

}  // namespace
}  // namespace ordo::lowering

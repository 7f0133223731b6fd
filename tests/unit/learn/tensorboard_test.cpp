// What is expected was written by tensorboard 2's own RecordWriter and protobuf classes.
#include "learn/tensorboard.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

namespace ordo::learn {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

TEST(TensorBoardTest, TheVersionIsWhatTensorBoardWrites) {
  EXPECT_EQ(hex(versionRecord(1.5)),
            "1800000000000000a37f4b2209000000000000f83f1a0d627261696e2e4576656e743a322a28646c");
}

TEST(TensorBoardTest, CurvesAreWhatTensorBoardWrites) {
  const std::vector<Scalar> scalars{{"clone/loss", 0.5f}, {"practise/kl", -3.0f}};
  EXPECT_EQ(
      hex(scalarsRecord(1700000000.25, 300, scalars)),
      "3500000000000000d6c55de60900001040fc54d94110ac022a270a110a0a636c6f6e652f6c6f7373150000003f0a120a0b70"
      "726163746973652f6b6c15000040c04af05be8");
}

}  // namespace
}  // namespace ordo::learn

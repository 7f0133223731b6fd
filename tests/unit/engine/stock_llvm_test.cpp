#include <gtest/gtest.h>

#include <filesystem>

#include "engine/baseline.h"
#include "engine/input.h"
#include "engine/toolchain.h"
#include "support/files.h"

namespace ordo::engine {
namespace {

TEST(StockLlvmTest, BaselinesAreClangsAndResearchs) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "a.c", "int f(int x) { return x + 1; }\n"));
  const Result<Input> input = prepareInput((dir.path() / "a.c").string(), {frontend::Level::kO2, true}, {});
  ASSERT_TRUE(input) << input.error().message;
  const Toolchain& stock = *input->toolchain;
  EXPECT_EQ(&stock, &stockLlvm());
  EXPECT_EQ(stock.baselineName(*input), "bare-O2");
  EXPECT_EQ(stock.baseline(*input).text, "default<O2>");
  EXPECT_EQ(stock.preparation(*input).size(), bareAttributes().size());
  EXPECT_EQ(stock.reference(*input)->name, "bare-O2");
  EXPECT_EQ(stock.reference(*input)->actions.back().text, "default<O2>");
  const Result<std::string> object = stock.emit(*input, input->compiled.bytes, {});
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_TRUE(
      object->starts_with("\x7f"
                          "ELF"));
  EXPECT_GT(stock.codeBytes(*object)->value_or(0), 0);
  EXPECT_FALSE(stock.link(*input, *object, dir.path() / "a")) << "it has no main";
  const Status linked = stock.link(*input, *object, dir.path() / "a.so", {"-shared"}, 32);
  EXPECT_TRUE(linked) << linked.error().message;
  EXPECT_TRUE(std::filesystem::exists(dir.path() / "a.so"));
  EXPECT_FALSE(stock.commands(*input, {}, "a.o")->empty());
}

}  // namespace
}  // namespace ordo::engine

#include "mlir/lowering/across.h"

#include <gtest/gtest.h>

#include "mlir/lowering/context.h"
#include "mlir/lowering/trial.h"
#include "mlir/model/limits.h"
#include "mlir/model/transform_text.h"
#include "tests/fakes/kernel_texts.h"
#include "tests/fakes/kernels.h"

namespace ordo::lowering {
namespace {

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

std::string reduced(std::string_view function) {
  Workshop workshop;
  auto module = parse(workshop.context(), "sums", function);
  EXPECT_TRUE(module) << module.error().message;
  reduceAcross(**module);
  std::string text;
  llvm::raw_string_ostream out(text);
  module->get().print(out);
  return text;
}

TEST(Across, AddsRegistersAndThenWhatIsInOne) {
  const std::string text = reduced(R"(func.func @f(%v: vector<2x40xf32>, %a: vector<2xf32>) -> vector<2xf32> {
    %r = vector.multi_reduction <add>, %v, %a [1] : vector<2x40xf32> to vector<2xf32>
    return %r : vector<2xf32>
  })");
  EXPECT_EQ(count(text, "multi_reduction"), 0) << text;
  // Of each row all registers are added, and what they come to and what is left are summed up.
  const auto lanes = static_cast<std::size_t>(model::registers().lanes);
  EXPECT_EQ(count(text, "arith.addf"), 2 * (40 / lanes - 1)) << text;
  EXPECT_EQ(count(text, "vector.reduction <add>"), 2U * (40 % lanes == 0 ? 1 : 2)) << text;
}

TEST(Across, LeavesWhatIsNoRow) {
  const std::string text = reduced(R"(func.func @f(%v: vector<40x2xf32>, %a: vector<2xf32>) -> vector<2xf32> {
    %r = vector.multi_reduction <add>, %v, %a [0] : vector<40x2xf32> to vector<2xf32>
    return %r : vector<2xf32>
  })");
  EXPECT_EQ(count(text, "multi_reduction"), 1) << text;
}

TEST(Across, TakesRowsOfAnyLength) {
  Workshop workshop;
  const Payload payload = *workshop.read("rows", fakes::kRowsText);
  const auto trial = Trial::create(workshop, payload);
  ASSERT_TRUE(trial) << trial.error().message;
  const auto kernel = std::make_shared<const model::Kernel>(payload.kernel);
  for (const char* depth : {"2", "16", "32", "64"}) {
    const model::Schedule schedule = fakes::scheduled(
        kernel, fmt::format("stop;vectorize<1,2,{0}>;stop;stop;stop;vectorize<1,2,{0}>;stop;stop", depth));
    ASSERT_TRUE(schedule.progress(1).vectorized) << depth;
    const auto code = compile(workshop, payload, model::transformText(schedule));
    ASSERT_TRUE(code) << code.error().message;
    EXPECT_EQ((*trial)->problemOf(**code), "") << depth;
  }
}

}  // namespace
}  // namespace ordo::lowering

// The oracle is LLVM's own reader of remarks.
#include "builds/remarks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "notation/action.h"
#include "recipe/order.h"
#include "support/process.h"

namespace ordo::builds {
namespace {

using testing::HasSubstr;

// What llvm-remarkutil reads of it and writes again.
std::string readByLlvm(const std::string& yaml) {
  ProcessOptions options;
  options.input = yaml;
  const auto bitstream = runProcess({"llvm-remarkutil-22", "yaml2bitstream", "-", "-o", "-"}, options);
  EXPECT_TRUE(bitstream && bitstream->ok()) << bitstream->err << yaml;
  options.input = bitstream->out;
  const auto again = runProcess({"llvm-remarkutil-22", "bitstream2yaml", "-", "-o", "-"}, options);
  EXPECT_TRUE(again && again->ok()) << again->err;
  return again->out;
}

LogLine tuned(double baseline, double result) {
  LogLine line;
  line.outcome = Outcome::kTuned;
  line.objective = "text_bytes";
  line.baseline = baseline;
  line.tuned = result;
  return line;
}

TEST(RemarksTest, ARecipeIsARemarkOfLlvms) {
  const std::string order = recipe::writeOrder(
      {{{"sroa", notation::kPipeline, "function(sroa)"}, {"dce", notation::kPipeline, "globaldce"}}, {}});
  const std::string remark = readByLlvm(remarkOf("dir/a b.c", tuned(120, 100), order));
  EXPECT_THAT(remark, HasSubstr("--- !Passed"));
  EXPECT_THAT(remark, HasSubstr("Pass:            ordo"));
  EXPECT_THAT(remark, HasSubstr("File: 'dir/a b.c', Line: 1"));
  EXPECT_THAT(remark, HasSubstr("Baseline:        '120'"));
  EXPECT_THAT(remark, HasSubstr("Tuned:           '100'"));
  EXPECT_THAT(remark, HasSubstr(" sroa,dce\n"));
}

TEST(RemarksTest, WhatWasNotDoneIsSaidToo) {
  const std::string none = remarkOf("a.c", tuned(120, 120), "");
  EXPECT_THAT(readByLlvm(none), HasSubstr("--- !Missed"));
  LogLine trouble;
  trouble.outcome = Outcome::kFallback;
  trouble.reason = "no room:\nnone";
  EXPECT_THAT(readByLlvm(remarkOf("a.c", trouble, "")), HasSubstr("no room: none"));
}

}  // namespace
}  // namespace ordo::builds

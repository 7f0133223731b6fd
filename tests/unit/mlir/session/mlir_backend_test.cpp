#include "mlir/session/mlir_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/kernel_texts.h"

namespace ordo::session {
namespace {

using testing::HasSubstr;

TEST(MlirBackend, OpensWhatItWrote) {
  MlirBackend backend;
  EXPECT_TRUE(
      backend.open({"k", fakes::kMatmulText + std::string("\n// ordo: schedule tile<0,8>;stop\n"), {}, ""}));
  const auto refusal = [&](std::string_view line) {
    const auto session =
        backend.open({"k", fmt::format("{}\n// ordo: schedule {}\n", fakes::kMatmulText, line), {}, ""});
    return session ? "" : session.error().message;
  };
  EXPECT_THAT(refusal("tile<0,8>;melt"), HasSubstr("no schedule"));
  EXPECT_THAT(refusal("tile<0,5>"), HasSubstr("not possible: tile<0,5>"));
}

TEST(MlirBackend, RefusesActionsOfOthers) {
  MlirBackend backend;
  EXPECT_EQ(backend.open({"k", fakes::kMatmulText, {{"x", "pipeline", "x"}}, ""}).error().code,
            ErrorCode::kUnsupported);
  EXPECT_EQ(backend.open({"k", fakes::kMatmulText, {{"x", kScheduleKind, ""}}, ""}).error().code,
            ErrorCode::kUnsupported);
}

TEST(MlirBackend, SaysWhatItCanDo) {
  MlirBackend backend;
  const env::BackendInfo info = *backend.describe();
  EXPECT_EQ(info.baselines.front().name, "fair");
  for (const env::Action& action : info.actions) EXPECT_EQ(action.name, action.text);
  backend.warmUp();
}

}  // namespace
}  // namespace ordo::session

#include "mlir/session/mlir_session.h"

#include <gtest/gtest.h>

#include <array>

#include "mlir/session/mlir_backend.h"
#include "tests/fakes/kernel_texts.h"
#include "tests/fakes/session_conformance.h"

namespace ordo::session {
namespace {

env::SessionSpec matmulSpec(std::initializer_list<const char*> steps) {
  env::SessionSpec spec{"matmul", fakes::kMatmulText, {}, ""};
  for (const char* step : steps) spec.actions.push_back({step, kScheduleKind, step});
  return spec;
}

TEST(MlirSession, KeepsThePromisesOfASession) {
  MlirBackend backend;
  fakes::expectConformance(backend, matmulSpec({"fuse<0,8>", "tile<2,12>", "interchange<2>",
                                                "vectorize<8,16,1>", "unroll<2>", "stop"}));
}

TEST(MlirSession, SaysWhatMayBeChosenAndWhatFits) {
  MlirBackend backend;
  const auto session =
      *backend.open(matmulSpec({"tile<0,8>", "tile<0,5>", "unroll<2>", "vectorize<4,32,1>", "decompose"}));
  EXPECT_EQ(*session->legalActions(), (std::vector<std::uint8_t>{1, 0, 0, 1, 0}));
  const env::Observation fits = *session->observe("applicable");
  EXPECT_EQ(std::vector(fits.int64s().begin(), fits.int64s().end()),
            (std::vector<std::int64_t>{1, 0, 1, 1, 0}));
  // What may not be chosen does nothing.
  const Result<env::StepOutcome> outcome = session->apply(std::array<env::ActionIndex, 2>{1, 2});
  EXPECT_TRUE(outcome->ok() && !outcome->changed);
}

}  // namespace
}  // namespace ordo::session

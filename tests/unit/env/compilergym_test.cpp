#include "env/compilergym.h"

#include <gtest/gtest.h>

namespace ordo::env {
namespace {

TEST(CompilerGymTest, ItsNamesPointToOurs) {
  EXPECT_EQ(
      hintForReward("IrInstructionCountOz"),
      "; CompilerGym's IrInstructionCountOz is ir_instructions/gap:bare-Oz here (docs/from-compilergym.md)");
  EXPECT_NE(hintForObservation("Autophase").find("is autophase here"), std::string::npos);
  EXPECT_EQ(hintForReward("Autophase"), "");
  EXPECT_EQ(hintForObservation("autophase"), "");
}

}  // namespace
}  // namespace ordo::env

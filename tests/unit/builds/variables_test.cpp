#include "builds/variables.h"

#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::builds {
namespace {

TEST(VariablesTest, CompilersAreOursAndFoundBeforeAllOthers) {
  const std::string bin = (installPrefix() / "bin").string();
  const Variables variables = compilerVariables("/usr/bin:/bin");
  EXPECT_EQ(variables.at("PATH"), bin + ":/usr/bin:/bin");
  EXPECT_EQ(variables.at("CC"), bin + "/ordo-cc");
  EXPECT_EQ(variables.at("CXX"), bin + "/ordo-c++");
  // An empty entry would be the current folder.
  EXPECT_EQ(compilerVariables("").at("PATH"), bin);
}

TEST(VariablesTest, ModulesInPlaceOfObjectsNeedArchiversThatReadThem) {
  const Variables variables = linkedVariables();
  EXPECT_EQ(variables.at("ORDO_LINKED"), "1");
  for (const char* name : {"AR", "RANLIB", "NM"})
    EXPECT_TRUE(variables.at(name).starts_with("llvm-")) << name;
}

}  // namespace
}  // namespace ordo::builds

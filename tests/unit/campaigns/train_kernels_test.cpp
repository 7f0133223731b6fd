#include "campaigns/train_kernels.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "datasets/dataset.h"
#include "support/files.h"

namespace ordo::campaigns {
namespace {

TEST(DrawKernels, NamesOnlyThoseOfItsPartAndWithinTheWork) {
  const TempDir dir = *TempDir::create();
  ::setenv("ORDO_CACHE", dir.path().c_str(), 1);
  for (const bool held_out : {false, true}) {
    const std::vector<std::string> kernels = *drawKernels(held_out, 12, 1e6, 1);
    EXPECT_EQ(kernels.size(), 12u);
    EXPECT_EQ(std::set<std::string>(kernels.begin(), kernels.end()).size(), kernels.size());
    for (const std::string& kernel : kernels) {
      EXPECT_EQ(datasets::loadProgram(kernel)->split,
                held_out ? datasets::Split::kValidation : datasets::Split::kTrain)
          << kernel;
      for (const char* unseen : {"attention", "depthwise", "layer_norm", "residual"})
        EXPECT_EQ(kernel.find(unseen), std::string::npos) << kernel << " is for testing as a whole";
    }
    EXPECT_EQ(kernels, *drawKernels(held_out, 12, 1e6, 1));
    EXPECT_NE(kernels, *drawKernels(held_out, 12, 1e6, 2));
  }
}

}  // namespace
}  // namespace ordo::campaigns

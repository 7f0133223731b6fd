#include "llvm/session/machine_pool.h"

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <set>
#include <thread>

#include "llvm/ir/module.h"

namespace ordo::session {
namespace {

ir::OwnedModule moduleFor(std::string_view triple) {
  return *ir::parse(fmt::format("target triple = \"{}\"\n", triple), "sample");
}

class MachinePoolTest : public testing::Test {
 protected:
  MachinePool::Lease acquire(const ir::TargetOptions& options = {}) {
    auto lease = pool_->acquire(*module_, options);
    EXPECT_TRUE(lease) << lease.error().message;
    return *std::move(lease);
  }

  std::shared_ptr<MachinePool> pool_ = std::make_shared<MachinePool>();
  ir::OwnedModule module_ = moduleFor("x86_64-pc-linux-gnu");
};

TEST_F(MachinePoolTest, AMachineGivenBackIsUsedAgain) {
  const llvm::TargetMachine* first = &*acquire();
  EXPECT_EQ(&*acquire(), first);
}

TEST_F(MachinePoolTest, AMachineHasOneHolder) {
  const MachinePool::Lease first = acquire(), second = acquire();
  EXPECT_NE(&*first, &*second);
}

TEST_F(MachinePoolTest, OtherOptionsAndTargetsGetOtherMachines) {
  std::set<const llvm::TargetMachine*> machines;
  const std::vector<ir::TargetOptions> all{{.level = 2, .code_model = {}},
                                           {.level = 0, .code_model = {}},
                                           {.level = 2, .relocation = "static", .code_model = {}},
                                           {.level = 2, .code_model = "large"},
                                           {.level = 2, .code_model = {}, .function_sections = true},
                                           {.level = 2, .code_model = {}, .data_sections = true}};
  for (const ir::TargetOptions& options : all) machines.insert(&*acquire(options));
  EXPECT_EQ(machines.size(), all.size());
  auto other = pool_->acquire(*moduleFor("i386-pc-linux-gnu"), {});
  ASSERT_TRUE(other);
  EXPECT_FALSE(machines.contains(&**other));
}

TEST_F(MachinePoolTest, AMachineThatCannotBeMadeIsAnErrorEachTime) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(pool_->acquire(*moduleFor("kalimba-unknown-unknown"), {}).error().code,
              ErrorCode::kUnsupported);
  }
}

TEST_F(MachinePoolTest, AMachineIsNotGivenToAModuleOfAnotherLayout) {
  acquire();
  const ir::OwnedModule other =
      *ir::parse("target datalayout = \"E\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n", "sample");
  EXPECT_EQ(pool_->acquire(*other, {}).error().code, ErrorCode::kUnsupported);
}

TEST_F(MachinePoolTest, ALeaseOutlivesWhoeverElseHeldThePool) {
  const MachinePool::Lease lease = acquire();
  pool_.reset();
  EXPECT_EQ((*lease).getTargetTriple().str(), "x86_64-pc-linux-gnu");
}

TEST_F(MachinePoolTest, AMovedLeaseGivesBackOnce) {
  {
    MachinePool::Lease first = acquire();
    const MachinePool::Lease second = std::move(first);
  }
  const MachinePool::Lease a = acquire(), b = acquire();
  EXPECT_NE(&*a, &*b);
}

TEST_F(MachinePoolTest, ThreadsNeverShareAMachine) {
  std::mutex mutex;
  std::set<const llvm::TargetMachine*> held;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        const MachinePool::Lease lease = acquire();
        {
          const std::lock_guard lock(mutex);
          EXPECT_TRUE(held.insert(&*lease).second);
        }
        const std::lock_guard lock(mutex);
        held.erase(&*lease);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ordo::session

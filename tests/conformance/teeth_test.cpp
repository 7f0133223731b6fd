// Whether the correctness gate bites: optimised programs of the suite are broken on purpose, as a
// miscompiling pass would break them, and each must be found out; and no program that clang optimised may be
// called wrong.
#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <functional>

#include "check/check.h"
#include "engine/stock.h"
#include "llvm/ir/module.h"
#include "support/files.h"
#include "support/rng.h"

namespace ordo {
namespace {

using llvm::Instruction;

struct Mutation {
  std::string name;
  // Whether it can be done to an instruction, and doing it.
  std::function<bool(Instruction&)> fits;
  std::function<void(Instruction&)> apply;
};

bool hasSmallConstant(const Instruction& instruction) {
  const auto* constant =
      llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(instruction.getNumOperands() - 1));
  return constant != nullptr && constant->getBitWidth() >= 8 && constant->getBitWidth() <= 64;
}

// |a - b| is |b - a|: to swap them is no miscompile, which nobody can find.
bool onlyMagnitudeMatters(const Instruction& instruction) {
  return std::ranges::all_of(instruction.users(), [](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::abs;
  });
}

void increment(Instruction& instruction) {
  const unsigned last = instruction.getNumOperands() - 1;
  const auto* constant = llvm::cast<llvm::ConstantInt>(instruction.getOperand(last));
  instruction.setOperand(last, llvm::ConstantInt::get(constant->getContext(), constant->getValue() + 1));
}

const std::vector<Mutation>& mutations() {
  static const std::vector<Mutation> all{
      {"a store dropped", [](Instruction& i) { return llvm::isa<llvm::StoreInst>(i); },
       [](Instruction& i) { i.eraseFromParent(); }},
      {"a predicate flipped", [](Instruction& i) { return llvm::isa<llvm::ICmpInst>(i); },
       [](Instruction& i) {
         auto& compare = llvm::cast<llvm::ICmpInst>(i);
         compare.setPredicate(compare.getInversePredicate());
       }},
      {"operands of a subtraction swapped",
       [](Instruction& i) {
         return i.getOpcode() == Instruction::Sub && i.getOperand(0) != i.getOperand(1) &&
                !onlyMagnitudeMatters(i);
       },
       [](Instruction& i) {
         llvm::Value* first = i.getOperand(0);
         i.setOperand(0, i.getOperand(1));
         i.setOperand(1, first);
       }},
      {"a constant changed",
       [](Instruction& i) { return i.isBinaryOp() && !i.isShift() && hasSmallConstant(i); }, increment},
      {"a call removed",
       [](Instruction& i) {
         return llvm::isa<llvm::CallInst>(i) && !llvm::isa<llvm::IntrinsicInst>(i) && i.use_empty() &&
                !llvm::cast<llvm::CallInst>(i).doesNotReturn();
       },
       [](Instruction& i) { i.eraseFromParent(); }},
      {"an index off by one",
       [](Instruction& i) {
         const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&i);
         return element != nullptr && element->getNumIndices() == 1 && hasSmallConstant(i);
       },
       increment},
      {"an addition made a subtraction", [](Instruction& i) { return i.getOpcode() == Instruction::Add; },
       [](Instruction& i) {
         auto* other = llvm::BinaryOperator::CreateSub(i.getOperand(0), i.getOperand(1), "", i.getIterator());
         i.replaceAllUsesWith(other);
         i.eraseFromParent();
       }},
      {"arms of a select swapped", [](Instruction& i) { return llvm::isa<llvm::SelectInst>(i); },
       [](Instruction& i) { llvm::cast<llvm::SelectInst>(i).swapValues(); }},
  };
  return all;
}

std::vector<Instruction*> placesFor(const Mutation& mutation, llvm::Module& module) {
  std::vector<Instruction*> places;
  for (llvm::Function& function : module) {
    for (Instruction& instruction : llvm::instructions(function)) {
      if (mutation.fits(instruction)) places.push_back(&instruction);
    }
  }
  return places;
}

// `bitcode` with `change` made to the place of that number.
std::string changed(const std::string& bitcode, const Mutation& mutation, std::size_t place,
                    const std::function<void(Instruction&)>& change) {
  ir::OwnedModule module = *ir::parse(bitcode, "test");
  change(*placesFor(mutation, *module)[place]);
  EXPECT_EQ(ir::verify(*module), "") << mutation.name;
  return ir::writeBitcode(*module);
}

void trap(Instruction& place) {
  llvm::IRBuilder<>(&place).CreateIntrinsic(llvm::Intrinsic::trap, llvm::ArrayRef<llvm::Type*>(),
                                            llvm::ArrayRef<llvm::Value*>());
}

// A program of the suite as clang -Oz makes it.
struct Optimized {
  engine::Input input;
  std::string bitcode;
};

Optimized optimized(const std::string& program) {
  Optimized result{*engine::prepareInput(fmt::format("{}/suite/{}", ORDO_SOURCE_DIR, program), {}, {}), ""};
  result.bitcode = *engine::runStock(
      result.input.compiled.bytes, {engine::baselineAction({}, result.input.pipeline)}, result.input.codegen);
  return result;
}

class TeethTest : public testing::Test {
 protected:
  void SetUp() override { setInstallPrefix(std::filesystem::path(ORDO_BIN_DIR).parent_path()); }
};

// Places are drawn, and those drawn anew where even a trap goes unnoticed: no test of the program and no
// generated input comes by.
TEST_F(TeethTest, FindsMiscompiles) {
  int tried = 0, unreached = 0, by_running = 0, by_functions = 0, caught = 0;
  std::string missed;
  for (const std::string program : {"base64", "crc32", "sha256", "lzh", "editdist"}) {
    const Optimized subject = optimized(program);
    const check::Behaviour behaviour =
        *check::observeBehaviour(subject.input.program, subject.input.source, subject.input.baseline.level);
    const auto runs_wrong = [&](const std::string& broken) {
      return check::checkOutput(behaviour, broken, {}, 0)->verdict == check::Verdict::kFailed;
    };
    const auto computes_wrong = [&](const std::string& broken) {
      std::optional<differ::Report> report;
      return check::checkFunctions(subject.input.compiled.bytes, broken, {.seconds = 0.5}, report).verdict ==
             check::Verdict::kFailed;
    };
    const ir::OwnedModule module = *ir::parse(subject.bitcode, program);
    Rng rng = Rng(20).stream(hashBytes(program).low);
    for (int found = 0; found < 4;) {
      const Mutation& mutation = mutations()[rng.below(mutations().size())];
      const std::vector<Instruction*> places = placesFor(mutation, *module);
      if (places.empty()) continue;
      const std::size_t place = rng.below(places.size());
      const std::string broken = changed(subject.bitcode, mutation, place, mutation.apply);
      const bool run = runs_wrong(broken), compared = computes_wrong(broken);
      if (!run && !compared) {
        const std::string trapped = changed(subject.bitcode, mutation, place, trap);
        if (!runs_wrong(trapped) && !computes_wrong(trapped)) {
          ++unreached;
          continue;
        }
        missed += fmt::format("\n  {}: {} in {}", program, mutation.name,
                              places[place]->getFunction()->getName().str());
      }
      ++found;
      ++tried;
      by_running += run ? 1 : 0;
      by_functions += compared ? 1 : 0;
      caught += run || compared ? 1 : 0;
    }
  }
  fmt::print("{} of {} caught: {} by running, {} by comparing functions; {} places not reached{}\n", caught,
             tried, by_running, by_functions, unreached, missed);
  RecordProperty("caught", caught);  // bench/runtime.py reads these
  RecordProperty("tried", tried);
  EXPECT_EQ(caught, 20);
  EXPECT_EQ(tried, 20);
}

TEST_F(TeethTest, CallsNoProgramOfTheSuiteWrong) {
  std::size_t functions = 0, programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ORDO_SOURCE_DIR "/suite")) {
    if (!entry.is_directory()) continue;
    const Optimized subject = optimized(entry.path().filename().string());
    std::optional<differ::Report> report;
    const check::Check check =
        check::checkFunctions(subject.input.compiled.bytes, subject.bitcode, {.seconds = 0.3}, report);
    EXPECT_NE(check.verdict, check::Verdict::kFailed) << entry.path() << ": " << check.detail;
    ASSERT_TRUE(report) << entry.path() << ": " << check.detail;
    functions += report->count(differ::FunctionReport::Verdict::kEqual);
    ++programs;
  }
  fmt::print("{} functions of {} programs compared\n", functions, programs);
  EXPECT_GE(programs, 27u);
  EXPECT_GE(functions, 100u);
}

}  // namespace
}  // namespace ordo

// program_graph: a module as a graph of instructions, variables and constants that are joined by the
// flow of control, data and calls, after ProGraML (Cummins et al., ICML 2021,
// https://arxiv.org/abs/2003.10536). The arrays and every rule: docs/formats/program-graph.md.
//
// Different from ProGraML's own builder, on purpose: everything is in the order of the IR and not of
// hash maps; invokes are calls too; blocks that nothing reaches have control edges; the number of the
// successor is the position of a control edge; there are no nodes for types, because opaque pointers
// leave nothing to tell; nodes carry a number from a fixed table in place of text.
#include "llvm/features/builtin/program_graph.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "llvm/features/builtin/inst_count.h"
#include "llvm/features/feature.h"

namespace ordo::features {
namespace graph {
namespace {

constexpr std::string_view kKindNames[] = {
    "external",
    "declaration",
#define ORDO_NAME(opcode) #opcode,
    ORDO_FROZEN_OPCODES(ORDO_NAME)
#undef ORDO_NAME
        "VariableInteger",
    "VariableFloat",
    "VariablePointer",
    "VariableVector",
    "VariableAggregate",
    "VariableOther",
    "ConstantZero",
    "ConstantOne",
    "ConstantInteger",
    "ConstantFloat",
    "ConstantNull",
    "ConstantUndefined",
    "ConstantGlobal",
    "ConstantAggregate",
    "ConstantExpression",
    "ConstantOther",
};

enum Kind : std::int64_t {
  kExternal,
  kDeclaration,
  kFirstOpcode,
  kVariableInteger = kFirstOpcode + static_cast<std::int64_t>(kFrozenOpcodes),
  kVariableFloat,
  kVariablePointer,
  kVariableVector,
  kVariableAggregate,
  kVariableOther,
  kConstantZero,
  kConstantOne,
  kConstantInteger,
  kConstantFloat,
  kConstantNull,
  kConstantUndefined,
  kConstantGlobal,
  kConstantAggregate,
  kConstantExpression,
  kConstantOther,
  kKinds,
};
static_assert(std::size(kKindNames) == kKinds);

std::int64_t kindOfVariable(const llvm::Type& type) {
  if (type.isIntegerTy()) return kVariableInteger;
  if (type.isFloatingPointTy()) return kVariableFloat;
  if (type.isPointerTy()) return kVariablePointer;
  if (type.isVectorTy()) return kVariableVector;
  if (type.isAggregateType()) return kVariableAggregate;
  return kVariableOther;
}

std::int64_t kindOfConstant(const llvm::Constant& constant) {
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (integer->getType()->isVectorTy()) return kConstantAggregate;
    return integer->isZero() ? kConstantZero : integer->isOne() ? kConstantOne : kConstantInteger;
  }
  if (llvm::isa<llvm::ConstantFP>(constant)) {
    return constant.getType()->isVectorTy() ? kConstantAggregate : kConstantFloat;
  }
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) return kConstantNull;
  if (llvm::isa<llvm::UndefValue>(constant)) return kConstantUndefined;
  if (llvm::isa<llvm::GlobalValue>(constant)) return kConstantGlobal;
  if (llvm::isa<llvm::ConstantAggregate, llvm::ConstantDataSequential, llvm::ConstantAggregateZero>(
          constant)) {
    return kConstantAggregate;
  }
  return llvm::isa<llvm::ConstantExpr>(constant) ? kConstantExpression : kConstantOther;
}

// Whether a constant is data: what a function is for is said by call edges, and blocks by control.
const llvm::Constant* dataConstant(const llvm::Value* operand) {
  return llvm::isa<llvm::Function>(operand) ? nullptr : llvm::dyn_cast<llvm::Constant>(operand);
}

// Two walks over the module: the first numbers every node that is no constant, so that the second can
// write edges to what comes later.
class Builder {
 public:
  explicit Builder(const llvm::Module& module) : module_(module) {
    nodes_.push_back({NodeType::kInstruction, kExternal, -1, -1});
    for (const llvm::Function& function : module) number(function);
    first_constant_ = static_cast<std::int64_t>(nodes_.size());
    for (const llvm::Function& function : module) connect(function);
    for (const llvm::Constant* constant : constants_) {
      nodes_.push_back({NodeType::kConstant, kindOfConstant(*constant), -1, -1});
    }
  }

  void write(std::string& out) const {
    const Header header{sizeof(Header) / sizeof(std::int64_t),
                        static_cast<std::int64_t>(nodes_.size()),
                        static_cast<std::int64_t>(edges_.size()),
                        sizeof(Node) / sizeof(std::int64_t),
                        sizeof(Edge) / sizeof(std::int64_t),
                        static_cast<std::int64_t>(module_.size()),
                        blocks_,
                        kKinds};
    out.reserve(out.size() + sizeof(header) + nodes_.size() * sizeof(Node) + edges_.size() * sizeof(Edge));
    out.append(reinterpret_cast<const char*>(&header), sizeof(header));
    out.append(reinterpret_cast<const char*>(nodes_.data()), nodes_.size() * sizeof(Node));
    out.append(reinterpret_cast<const char*>(edges_.data()), edges_.size() * sizeof(Edge));
  }

 private:
  struct Ends {
    std::int64_t entry = 0;
    std::vector<std::int64_t> exits;  // of blocks without successors
  };

  std::int64_t add(const Node& node) {
    nodes_.push_back(node);
    return static_cast<std::int64_t>(nodes_.size()) - 1;
  }

  // Nodes of a function: its used arguments, then each instruction with, right behind it, one variable for
  // each operand that another instruction computes.
  void number(const llvm::Function& function) {
    const std::int64_t place = functions_++;
    Ends& ends = ends_[&function];
    if (function.isDeclaration()) {
      ends.entry = add({NodeType::kInstruction, kDeclaration, place, -1});
      ends.exits = {ends.entry};
      return;
    }
    for (const llvm::Argument& argument : function.args()) {
      if (argument.use_empty()) continue;
      ids_[&argument] = add({NodeType::kVariable, kindOfVariable(*argument.getType()), place, -1});
    }
    for (const llvm::BasicBlock& block : function) {
      std::int64_t last = -1;
      for (const llvm::Instruction& instruction : block.instructionsWithoutDebug()) {
        const auto kind = static_cast<std::int64_t>(frozenOpcode(instruction.getOpcode()));
        last = ids_[&instruction] = add({NodeType::kInstruction, kFirstOpcode + kind, place, blocks_});
        if (&block == &function.getEntryBlock() && ends.entry == 0) ends.entry = last;
        for (const llvm::Use& operand : instruction.operands()) {
          if (!llvm::isa<llvm::Instruction>(operand)) continue;
          add({NodeType::kVariable, kindOfVariable(*operand->getType()), place, blocks_});
        }
      }
      if (llvm::succ_empty(&block)) ends.exits.push_back(last);
      ++blocks_;
    }
  }

  void connect(const llvm::Function& function) {
    connectCall(0, ends_.find(&function)->second);  // anybody may call: the linker decides, not the module
    for (const llvm::BasicBlock& block : function) {
      std::int64_t last = -1;
      for (const llvm::Instruction& instruction : block.instructionsWithoutDebug()) {
        const std::int64_t node = ids_.find(&instruction)->second;
        if (last >= 0) edges_.push_back({last, node, Flow::kControl, 0});
        last = node;
        connectOperands(instruction, node);
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
          if (const llvm::Function* callee = call->getCalledFunction()) {
            connectCall(node, ends_.find(callee)->second);
          }
        }
      }
      std::int64_t position = 0;
      for (const llvm::BasicBlock* successor : llvm::successors(&block)) {
        const llvm::Instruction& first = *successor->instructionsWithoutDebug().begin();
        edges_.push_back({last, ids_.find(&first)->second, Flow::kControl, position++});
      }
    }
  }

  void connectCall(std::int64_t site, const Ends& callee) {
    edges_.push_back({site, callee.entry, Flow::kCall, 0});
    for (const std::int64_t exit : callee.exits) edges_.push_back({exit, site, Flow::kCall, 0});
  }

  void connectOperands(const llvm::Instruction& instruction, std::int64_t node) {
    std::int64_t variable = node;
    std::int64_t position = 0;
    for (const llvm::Use& operand : instruction.operands()) {
      if (llvm::isa<llvm::Instruction>(operand)) {
        ++variable;
        edges_.push_back({ids_.find(operand)->second, variable, Flow::kData, 0});
        edges_.push_back({variable, node, Flow::kData, position});
      } else if (llvm::isa<llvm::Argument>(operand)) {
        edges_.push_back({ids_.find(operand)->second, node, Flow::kData, position});
      } else if (const llvm::Constant* constant = dataConstant(operand)) {
        const auto next = first_constant_ + static_cast<std::int64_t>(constants_.size());
        const auto [found, is_new] = ids_.try_emplace(constant, next);
        if (is_new) constants_.push_back(constant);
        edges_.push_back({found->second, node, Flow::kData, position});
      }
      ++position;
    }
  }

  const llvm::Module& module_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::int64_t functions_ = 0;
  std::int64_t blocks_ = 0;
  std::int64_t first_constant_ = 0;
  std::vector<const llvm::Constant*> constants_;          // in the order of their first use
  llvm::DenseMap<const llvm::Value*, std::int64_t> ids_;  // looked up, never walked
  llvm::DenseMap<const llvm::Function*, Ends> ends_;
};

void extract(const llvm::Module& module, std::string& out) { Builder(module).write(out); }

}  // namespace

std::span<const std::string_view> kindNames() { return kKindNames; }

}  // namespace graph

extern constinit const FeatureInfo program_graph{
    .name = "program_graph",
    .version = 1,
    .dtype = DType::kInt64,
    .width = 0,
    .summary = "ProGraML-style graph: control, data and call edges (docs/formats/program-graph.md)",
    .element_names = {},
    .extract = graph::extract,
};

}  // namespace ordo::features

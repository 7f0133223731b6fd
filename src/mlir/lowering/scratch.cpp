// Control flow is structured, so two buffers that are ever alive together are so in the order of the text:
// from where one is asked for to where it is given back, a loop between them is passed as a whole.
#include "mlir/lowering/scratch.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinOps.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace ordo::lowering {
namespace {

namespace memref = mlir::memref;

constexpr const char* kPrefix = "ordo_scratch_";
constexpr std::int64_t kAlignment = 64;

struct Place {
  std::int64_t bytes = 0;
  bool taken = false;
};

// The one place where it is given back, if that is in the same block.
memref::DeallocOp endOf(memref::AllocOp buffer) {
  memref::DeallocOp end;
  for (mlir::Operation* user : buffer->getUsers()) {
    auto dealloc = llvm::dyn_cast<memref::DeallocOp>(user);
    if (!dealloc) continue;
    if (end || dealloc->getBlock() != buffer->getBlock()) return {};
    end = dealloc;
  }
  return end;
}

std::int64_t bytesOf(mlir::MemRefType type) {
  const std::int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

class Placement {
 public:
  explicit Placement(std::int64_t most) : most_(most) {}

  void walk(mlir::Block& block) {
    for (mlir::Operation& operation : block) {
      if (auto buffer = llvm::dyn_cast<memref::AllocOp>(operation)) take(buffer);
      if (auto dealloc = llvm::dyn_cast<memref::DeallocOp>(operation)) giveBack(dealloc);
      for (mlir::Region& region : operation.getRegions()) {
        for (mlir::Block& inner : region) walk(inner);
      }
    }
  }

  void rewrite(mlir::ModuleOp module) {
    mlir::OpBuilder builder(module.getBodyRegion());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto type = mlir::MemRefType::get({places_[i].bytes}, builder.getI8Type());
      memref::GlobalOp::create(builder, module.getLoc(), nameOf(i), builder.getStringAttr("private"), type,
                               builder.getUnitAttr(), /*constant=*/false,
                               builder.getI64IntegerAttr(kAlignment));
    }
    for (auto& [operation, place] : of_) {
      auto buffer = llvm::cast<memref::AllocOp>(operation);
      builder.setInsertionPoint(buffer);
      const auto type = mlir::MemRefType::get({places_[place].bytes}, builder.getI8Type());
      const mlir::Location at = buffer.getLoc();
      const mlir::Value whole = memref::GetGlobalOp::create(builder, at, type, nameOf(place));
      const mlir::Value zero = mlir::arith::ConstantIndexOp::create(builder, at, 0);
      const mlir::Value view =
          memref::ViewOp::create(builder, at, buffer.getType(), whole, zero, mlir::ValueRange());
      endOf(buffer).erase();
      buffer.replaceAllUsesWith(view);
      buffer.erase();
    }
  }

  std::int64_t bytes() const { return bytes_; }

 private:
  static std::string nameOf(std::size_t place) { return fmt::format("{}{}", kPrefix, place); }

  // The free place that has to grow least, and of these the smallest.
  void take(memref::AllocOp buffer) {
    const mlir::MemRefType type = buffer.getType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() || !endOf(buffer)) return;
    const std::int64_t bytes = bytesOf(type);
    std::optional<std::size_t> best;
    const auto more = [&](std::size_t place) {
      return std::max<std::int64_t>(0, bytes - places_[place].bytes);
    };
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].taken) continue;
      if (!best || std::pair(more(i), places_[i].bytes) < std::pair(more(*best), places_[*best].bytes))
        best = i;
    }
    if (bytes_ + (best ? more(*best) : bytes) > most_) return;
    if (!best) {
      best = places_.size();
      places_.emplace_back();
    }
    bytes_ += more(*best);
    places_[*best] = {std::max(bytes, places_[*best].bytes), true};
    of_[buffer] = *best;
  }

  void giveBack(memref::DeallocOp dealloc) {
    const auto found = of_.find(dealloc.getMemref().getDefiningOp());
    if (found != of_.end()) places_[found->second].taken = false;
  }

  std::int64_t most_, bytes_ = 0;
  std::vector<Place> places_;
  std::map<mlir::Operation*, std::size_t> of_;
};

}  // namespace

std::int64_t useScratch(mlir::ModuleOp module, std::int64_t most) {
  Placement placement(most);
  // One function that is called by another would take its places.
  const auto functions = module.getOps<mlir::func::FuncOp>();
  const auto defined = [](mlir::func::FuncOp each) { return !each.isExternal(); };
  if (std::count_if(functions.begin(), functions.end(), defined) != 1) return 0;
  for (mlir::func::FuncOp function : functions) {
    for (mlir::Block& block : function.getBody()) placement.walk(block);
  }
  placement.rewrite(module);
  return placement.bytes();
}

void makeThreadLocal(llvm::Module& module) {
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.getName().starts_with(kPrefix)) global.setThreadLocal(true);
  }
}

std::vector<ScratchPlace> exposeScratch(llvm::Module& module) {
  std::vector<ScratchPlace> places;
  for (llvm::GlobalVariable& global : module.globals()) {
    if (!global.getName().starts_with(kPrefix)) continue;
    global.setLinkage(llvm::GlobalValue::ExternalLinkage);
    // What is to be written from outside has to begin as something.
    global.setInitializer(llvm::Constant::getNullValue(global.getValueType()));
    const llvm::TypeSize bytes = module.getDataLayout().getTypeAllocSize(global.getValueType());
    places.push_back({global.getName().str(), bytes.getFixedValue()});
  }
  return places;
}

}  // namespace ordo::lowering

// Control flow is structured, so two buffers that are ever alive together are so in the order of the text:
// from where one is asked for to where it is given back, a loop between them is passed as a whole. In a loop
// that is dealt out to threads a place has a piece of its own for each turn.
//
// Places are of the thread that called the kernel. Its helpers have to be told where they are: the name of a
// global of each thread would be another place in each. So for threads what is called hands their addresses
// to the kernel, as arguments. (A function that returns them would not do: of what MLIR knows of a global it
// returns the pointer that nobody uses, 0xdeadbeef.)
#include "mlir/lowering/scratch.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinOps.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "mlir/lowering/element.h"
#include "support/error.h"

namespace ordo::lowering {
namespace {

namespace memref = mlir::memref;

constexpr const char* kPrefix = "ordo_scratch_";
constexpr std::int64_t kAlignment = 64;

struct Place {
  std::int64_t bytes = 0;  // of one piece
  std::int64_t pieces = 1;
  bool taken = false;

  std::int64_t all() const { return bytes * pieces; }
};

// The loop around an operation that is dealt out to threads.
mlir::scf::ForallOp dealtAround(mlir::Operation* operation) {
  return operation->getParentOfType<mlir::scf::ForallOp>();
}

// How often it turns; nothing if that is not known, or there is another such loop around it.
std::optional<std::int64_t> turnsOf(mlir::scf::ForallOp loop) {
  if (!loop) return 1;
  if (loop.getRank() != 1 || dealtAround(loop)) return std::nullopt;
  const auto number = [](mlir::OpFoldResult value) { return mlir::getConstantIntValue(value); };
  const auto low = number(loop.getMixedLowerBound().front()),
             high = number(loop.getMixedUpperBound().front()), step = number(loop.getMixedStep().front());
  if (!low || !high || !step || *step < 1 || *high <= *low) return std::nullopt;
  return (*high - *low + *step - 1) / *step;
}

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

// In whole lines; nothing if nobody knows, or there are too many to count.
std::optional<std::int64_t> bytesOf(mlir::MemRefType type) {
  const std::optional<std::int64_t> element = elementBytes(type.getElementType());
  std::int64_t bytes = element.value_or(0);
  for (const std::int64_t size : type.getShape()) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  }
  if (!element || __builtin_add_overflow(bytes, kAlignment - 1, &bytes)) return std::nullopt;
  return bytes / kAlignment * kAlignment;
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

  void rewrite(mlir::ModuleOp module, mlir::func::FuncOp kernel, bool threads) {
    mlir::OpBuilder builder(module.getBodyRegion());
    std::vector<mlir::Value> told;
    builder.setInsertionPointToStart(module.getBody());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      memref::GlobalOp::create(builder, module.getLoc(), nameOf(i), builder.getStringAttr("private"),
                               typeOf(i, builder), builder.getUnitAttr(), /*constant=*/false,
                               builder.getI64IntegerAttr(kAlignment));
    }
    if (threads) told = handOver(kernel);
    for (auto& [operation, place] : of_) {
      auto buffer = llvm::cast<memref::AllocOp>(operation);
      builder.setInsertionPoint(buffer);
      const mlir::Location at = buffer.getLoc();
      const mlir::Value whole =
          threads ? told[place]
                  : memref::GetGlobalOp::create(builder, at, typeOf(place, builder), nameOf(place));
      const mlir::Value first = firstByte(builder, buffer, places_[place].bytes);
      const mlir::Value view =
          memref::ViewOp::create(builder, at, buffer.getType(), whole, first, mlir::ValueRange());
      endOf(buffer).erase();
      buffer.replaceAllUsesWith(view);
      buffer.erase();
    }
  }

  std::int64_t bytes() const { return bytes_; }

 private:
  static std::string nameOf(std::size_t place) { return fmt::format("{}{}", kPrefix, place); }
  mlir::MemRefType typeOf(std::size_t place, mlir::OpBuilder& builder) const {
    return mlir::MemRefType::get({places_[place].all()}, builder.getI8Type());
  }

  // The kernel gets further arguments, its places, and another name; who has its name calls it with those of
  // the calling thread.
  std::vector<mlir::Value> handOver(mlir::func::FuncOp kernel) const {
    mlir::OpBuilder builder(kernel);
    const mlir::Location at = kernel.getLoc();
    auto called = mlir::func::FuncOp::create(builder, at, kernel.getName(), kernel.getFunctionType());
    called.setAllArgAttrs(kernel.getAllArgAttrs());
    mlir::SymbolTable::setSymbolVisibility(kernel, mlir::SymbolTable::Visibility::Private);
    kernel.setName((kernel.getName() + "_on_threads").str());
    builder.setInsertionPointToStart(called.addEntryBlock());
    std::vector<mlir::Value> arguments(called.getArguments().begin(), called.getArguments().end()), told;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const mlir::MemRefType type = typeOf(i, builder);
      arguments.push_back(memref::GetGlobalOp::create(builder, at, type, nameOf(i)));
      const unsigned index = kernel.getNumArguments();
      const bool added = mlir::succeeded(kernel.insertArgument(index, type, {}, at));
      ORDO_CHECK(added, "a function of our own making");
      kernel.setArgAttr(index, "llvm.noalias", builder.getUnitAttr());
      told.push_back(kernel.getArgument(index));
    }
    mlir::func::CallOp::create(builder, at, kernel, arguments);
    mlir::func::ReturnOp::create(builder, at);
    return told;
  }

  // Of this turn's piece.
  static mlir::Value firstByte(mlir::OpBuilder& builder, memref::AllocOp buffer, std::int64_t piece) {
    const mlir::Location at = buffer.getLoc();
    const auto number = [&](std::int64_t value) -> mlir::Value {
      return mlir::arith::ConstantIndexOp::create(builder, at, value);
    };
    mlir::scf::ForallOp loop = dealtAround(buffer);
    if (!loop) return number(0);
    const std::int64_t low = *mlir::getConstantIntValue(loop.getMixedLowerBound().front());
    const std::int64_t step = *mlir::getConstantIntValue(loop.getMixedStep().front());
    const mlir::Value done =
        mlir::arith::SubIOp::create(builder, at, loop.getInductionVars().front(), number(low));
    const mlir::Value turn = mlir::arith::DivUIOp::create(builder, at, done, number(step));
    return mlir::arith::MulIOp::create(builder, at, turn, number(piece));
  }

  // The free place that has to grow least, and of these the smallest.
  void take(memref::AllocOp buffer) {
    const mlir::MemRefType type = buffer.getType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() || !endOf(buffer)) return;
    const std::optional<std::int64_t> turns = turnsOf(dealtAround(buffer));
    if (!turns) return;
    const std::optional<std::int64_t> bytes = bytesOf(type);
    if (!bytes || *bytes > most_ / *turns) return;
    std::optional<std::size_t> best;
    const auto grown = [&](const Place& place) {
      return Place{std::max(*bytes, place.bytes), std::max(*turns, place.pieces), true};
    };
    const auto more = [&](std::size_t place) { return grown(places_[place]).all() - places_[place].all(); };
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].taken) continue;
      if (!best || std::pair(more(i), places_[i].bytes) < std::pair(more(*best), places_[*best].bytes))
        best = i;
    }
    if (bytes_ + (best ? more(*best) : *bytes * *turns) > most_) return;
    if (!best) {
      best = places_.size();
      places_.emplace_back();
    }
    bytes_ += more(*best);
    places_[*best] = grown(places_[*best]);
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

std::int64_t useScratch(mlir::ModuleOp module, std::int64_t most, bool threads) {
  Placement placement(most);
  // One function that is called by another would take its places.
  llvm::SmallVector<mlir::func::FuncOp> defined;
  for (mlir::func::FuncOp function : module.getOps<mlir::func::FuncOp>()) {
    if (!function.isExternal()) defined.push_back(function);
  }
  if (defined.size() != 1) return 0;
  for (mlir::Block& block : defined.front().getBody()) placement.walk(block);
  placement.rewrite(module, defined.front(), threads);
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
    global.setInitializer(nullptr);
    const llvm::TypeSize bytes = module.getDataLayout().getTypeAllocSize(global.getValueType());
    places.push_back({global.getName().str(), bytes.getFixedValue()});
  }
  return places;
}

}  // namespace ordo::lowering

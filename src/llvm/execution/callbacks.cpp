#include "llvm/execution/callbacks.h"

#include "llvm/execution/run.h"

namespace ordo::execution {
namespace {

constexpr std::size_t kDeepest = 400;  // calls of watched functions; each takes some of the real stack

void enterBlock(std::uint64_t number) {
  Machine& machine = Machine::current();
  machine.burn(1);
  if (number < machine.blocks().size()) machine.blocks()[number] = true;
}

std::uint64_t enter() {
  Machine& machine = Machine::current();
  if (++machine.depth > kDeepest) machine.giveUp("calls too deep");
  return machine.memory().locals();
}

void leave(std::uint64_t locals) {
  --Machine::current().depth;
  Machine::current().memory().popLocals(locals);
}

void* local(std::uint64_t size, std::uint64_t align) {
  std::byte* place = Machine::current().memory().pushLocal(size, align);
  if (place == nullptr) Machine::current().giveUp("needs too much memory");
  return place;
}

void aligned(std::uintptr_t address, std::uint64_t align) {
  if (address % align != 0) Machine::current().giveUp("uses an address that is not aligned");
}

void load(std::uintptr_t address, std::uint64_t size, std::uint64_t align, std::uint64_t kind,
          std::int64_t low, std::int64_t high) {
  Machine& machine = Machine::current();
  machine.burn(1);
  aligned(address, align);
  // The real stack has arguments that were passed in memory.
  if (machine.onStack(address)) return;
  machine.require(machine.memory().read(address, size, static_cast<Kind>(kind), low, high));
}

void store(std::uintptr_t address, std::uint64_t size, std::uint64_t align, std::uint64_t known) {
  Machine& machine = Machine::current();
  machine.burn(1 + size / 8);
  aligned(address, align);
  if (size > 0 && !machine.onStack(address))
    machine.require(machine.memory().write(address, size, known != 0));
}

void copy(std::uintptr_t to, std::uintptr_t from, std::uint64_t size, std::uint64_t may_overlap) {
  Machine& machine = Machine::current();
  machine.burn(1 + size / 8);
  if (may_overlap == 0 && to != from && from < to + size && to < from + size)
    machine.giveUp("copies onto itself");
  if (machine.onStack(from)) {
    if (!machine.onStack(to)) machine.require(machine.memory().write(to, size));
    return;
  }
  if (!machine.onStack(to)) machine.require(machine.memory().copy(to, from, size));
}

void scope(std::uintptr_t address, std::uint64_t begins) {
  Machine::current().memory().scope(address, begins != 0);
}

// `address` was computed from `base`, and both must be in one object.
void element(std::uintptr_t base, std::uintptr_t address, std::uint64_t only_up) {
  Machine& machine = Machine::current();
  if (base == address || machine.onStack(base)) return;
  const Object* object = machine.memory().find(base);
  if (object == nullptr || address < object->begin || address > object->begin + object->size ||
      (only_up != 0 && address < base))
    machine.giveUp("computes an address outside of objects");
}

void wholeObject(std::uintptr_t address, std::uint64_t size) {
  Machine& machine = Machine::current();
  if (address == 0 || machine.onStack(address)) return;
  const Object* object = machine.memory().find(address);
  if (object == nullptr || address + size > object->begin + object->size)
    machine.giveUp("breaks a promise about a pointer");
}

void callee(std::uintptr_t address) {
  if (!Machine::current().isFunction(address))
    Machine::current().giveUp("calls what is no function of the module");
}

void giveUp(const char* why) { Machine::current().giveUp(why); }
void giveUpIf(std::uint32_t condition, const char* why) {
  if (condition != 0) Machine::current().giveUp(why);
}

void foreign(const Foreign* function, Slot* slots) { Machine::current().foreign(*function, slots); }

template <typename Function>
void* codeOf(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

std::vector<std::pair<std::string, void*>> callbacks() {
  return {{"ordo_block", codeOf(enterBlock)},   {"ordo_enter", codeOf(enter)},
          {"ordo_leave", codeOf(leave)},        {"ordo_local", codeOf(local)},
          {"ordo_aligned", codeOf(aligned)},    {"ordo_load", codeOf(load)},
          {"ordo_store", codeOf(store)},        {"ordo_copy", codeOf(copy)},
          {"ordo_scope", codeOf(scope)},        {"ordo_element", codeOf(element)},
          {"ordo_object", codeOf(wholeObject)}, {"ordo_callee", codeOf(callee)},
          {"ordo_give_up", codeOf(giveUp)},     {"ordo_give_up_if", codeOf(giveUpIf)},
          {"ordo_foreign", codeOf(foreign)}};
}

}  // namespace ordo::execution

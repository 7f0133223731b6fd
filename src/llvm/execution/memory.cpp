// Inputs, heap and locals are three ranges of addresses, reserved once and each beside a range of states, a
// Byte for each byte. Heap and locals are given out upwards, so their lists are sorted and searched by
// halves; a freed block is not given out again in the same run, which is how late accesses are noticed.
// freshen() makes the values of fresh bytes when read() meets them, and notes them in initial_, or in
// patches_ for variables of the module, which every image has elsewhere; beginRun() puts them back.
#include "llvm/execution/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "support/error.h"

namespace ordo::execution {
namespace {

constexpr std::size_t kBuffers = 512;
constexpr std::size_t kInputBytes = kBuffers * 2 * Memory::kBufferBytes;
constexpr std::size_t kHeapBytes = std::size_t{16} << 20;
constexpr std::size_t kLocalBytes = std::size_t{8} << 20;

std::byte* reserve(std::size_t bytes) {
  void* place =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ORDO_CHECK(place != MAP_FAILED, "no address space for {} bytes", bytes);
  return static_cast<std::byte*>(place);
}
Byte* reserveStates(std::size_t bytes) { return reinterpret_cast<Byte*>(reserve(bytes)); }

std::uintptr_t addressOf(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
std::byte* pointerTo(std::uintptr_t address) { return reinterpret_cast<std::byte*>(address); }

// The last object that begins at or before `address`; `objects` are sorted.
const Object* lastBefore(const std::vector<Object>& objects, std::uintptr_t address) {
  const auto after =
      std::upper_bound(objects.begin(), objects.end(), address,
                       [](std::uintptr_t at, const Object& object) { return at < object.begin; });
  return after == objects.begin() ? nullptr : &*std::prev(after);
}

const Object* containing(const std::vector<Object>& objects, std::uintptr_t address) {
  const Object* object = lastBefore(objects, address);
  return object != nullptr && address - object->begin <= object->size ? object : nullptr;
}

std::size_t rounded(std::size_t size, std::size_t align) { return (size + align - 1) / align * align; }

}  // namespace

Memory::Memory()
    : inputs_(reserve(kInputBytes)),
      initial_(reserve(kInputBytes)),
      input_state_(reserveStates(kBuffers * kBufferBytes)),
      heap_bytes_(reserve(kHeapBytes)),
      heap_state_(reserveStates(kHeapBytes)),
      local_bytes_(reserve(kLocalBytes)),
      local_state_(reserveStates(kLocalBytes)) {}

Memory::~Memory() {
  ::munmap(inputs_, kInputBytes);
  ::munmap(initial_, kInputBytes);
  ::munmap(input_state_, kBuffers * kBufferBytes);
  ::munmap(heap_bytes_, kHeapBytes);
  ::munmap(heap_state_, kHeapBytes);
  ::munmap(local_bytes_, kLocalBytes);
  ::munmap(local_state_, kLocalBytes);
}

void Memory::clear() {
  std::memset(inputs_, 0, std::max(used_, made_) * 2 * kBufferBytes);
  heap_end_ = local_end_ = 0;
  heap_.clear();
  locals_.clear();
}

void Memory::beginInput(Rng rng, std::size_t reserved, std::span<const Variable> variables,
                        bool fresh_variables, std::span<const std::uint64_t> numbers) {
  clear();
  std::memset(initial_, 0, std::max(used_, made_) * 2 * kBufferBytes);
  rng_ = rng;
  numbers_.assign(numbers.begin(), numbers.end());
  reserved_ = used_ = made_ = std::min(reserved, kBuffers);
  std::fill_n(input_state_, reserved_ * kBufferBytes, Byte::kFresh);
  patches_.clear();
  outputs_.clear();
  fresh_variables_ = fresh_variables;
  globals_ = constants_;
  variable_state_.assign(variables.size(), {});
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& variable = variables[i];
    const bool fresh = fresh_variables && variable.visible && variable.writable;
    if (fresh) {
      variable_state_[i].assign(variable.size, Byte::kFresh);
      std::memset(pointerTo(variable.address), 0, variable.size);
    }
    globals_.push_back(
        {variable.address, variable.size, fresh ? variable_state_[i].data() : nullptr, variable.writable});
  }
  const auto place = [](const Object& object) { return object.begin; };
  std::ranges::sort(globals_, {}, place);
  variable_of_global_.assign(globals_.size(), variables.size());
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto found = std::ranges::lower_bound(globals_, variables[i].address, {}, place);
    variable_of_global_[static_cast<std::size_t>(found - globals_.begin())] = i;
  }
}

void Memory::beginRun(std::span<const Variable> variables) {
  made_ = std::max(made_, used_);
  clear();
  used_ = made_;
  std::memcpy(inputs_, initial_, used_ * 2 * kBufferBytes);
  std::fill_n(input_state_, used_ * kBufferBytes, Byte::kKnown);
  for (const std::size_t output : outputs_)
    std::fill_n(input_state_ + output * kBufferBytes, kBufferBytes, Byte::kUnknown);
  if (!fresh_variables_) return;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (!variables[i].visible || !variables[i].writable) continue;
    std::memset(pointerTo(variables[i].address), 0, variables[i].size);
    std::ranges::fill(variable_state_[i], Byte::kKnown);
  }
  for (const Patch& patch : patches_)
    *pointerTo(variables[patch.variable].address + patch.offset) = patch.value;
}

std::byte* Memory::newBuffer(bool output) {
  if (used_ == kBuffers) return nullptr;
  std::fill_n(input_state_ + used_ * kBufferBytes, kBufferBytes, output ? Byte::kUnknown : Byte::kFresh);
  if (output) outputs_.push_back(used_);
  return buffer(used_++);
}

std::uint64_t Memory::makeInteger(std::size_t bits) {
  const double kind = rng_.uniform();
  if (kind < 0.45) return rng_.below(9);
  if (kind < 0.60) return rng_.below(128);
  if (kind < 0.75 && !numbers_.empty()) return rng_.pick(std::span(numbers_)) + rng_.below(3) - 1;
  if (kind < 0.83) return std::uint64_t{0} - 1 - rng_.below(4);
  // The ends of its type, and their neighbours.
  if (kind < 0.92) return (std::uint64_t{1} << (bits - 1)) + rng_.below(3) - 2;
  if (kind < 0.96) return std::uint64_t{1} << rng_.below(64);
  return rng_.next();
}

void Memory::makeValue(std::span<std::byte> out, Kind kind, std::int64_t low, std::int64_t high) {
  std::ranges::fill(out, std::byte{0});
  if (kind == Kind::kPointer) {
    for (std::size_t at = 0; at + sizeof(void*) <= out.size(); at += sizeof(void*)) {
      // Null now and then, so that lists end.
      std::byte* target = rng_.chance(0.2) ? nullptr : newBuffer();
      std::memcpy(out.data() + at, &target, sizeof target);
    }
    return;
  }
  if (kind == Kind::kFloat) {
    static constexpr std::array<double, 8> kFloats{0.0, 1.0, -1.0, 0.5, 2.0, 1e10, -0.0, 1e-5};
    const auto number = [&] {
      if (rng_.chance(0.4)) return kFloats[rng_.below(kFloats.size())];
      return (rng_.uniform() - 0.5) * (rng_.chance(0.5) ? 4.0 : 1000.0);
    };
    if (out.size() == sizeof(long double) || out.size() == 10) {
      const long double value = number();
      std::memcpy(out.data(), &value, 10);
    } else if (out.size() % sizeof(double) == 0) {
      for (std::size_t at = 0; at < out.size(); at += sizeof(double)) {
        const double value = number();
        std::memcpy(out.data() + at, &value, sizeof value);
      }
    } else {
      for (std::size_t at = 0; at + sizeof(float) <= out.size(); at += sizeof(float)) {
        const auto value = static_cast<float>(number());
        std::memcpy(out.data() + at, &value, sizeof value);
      }
    }
    return;
  }
  for (std::size_t at = 0; at < out.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t value = makeInteger(std::min<std::size_t>(out.size() - at, sizeof value) * 8);
    // Single bytes are text more often than not.
    if (out.size() == 1 && high <= low && rng_.chance(0.6))
      value = static_cast<unsigned char>(" 0123456789abcxyzABCXYZ+-.,:()[]{}\"\n"[rng_.below(37)]);
    // 0 for all that there are: any value will do.
    const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    if (high > low && width != 0) value = static_cast<std::uint64_t>(low) + value % width;
    std::memcpy(out.data() + at, &value, std::min(out.size() - at, sizeof value));
  }
}

std::byte* Memory::allocate(std::size_t size, std::size_t align) {
  const std::size_t begin = rounded(heap_end_ + 16, std::max<std::size_t>(align, 16));
  if (size > kHeapBytes / 4 || begin + size + 16 > kHeapBytes) return nullptr;
  heap_end_ = begin + size;
  std::memset(heap_bytes_ + begin, 0xAA, size);
  std::fill_n(heap_state_ + begin, size, Byte::kUnknown);
  heap_.push_back({addressOf(heap_bytes_ + begin), size, heap_state_ + begin});
  return heap_bytes_ + begin;
}

std::size_t Memory::heapSize(std::uintptr_t address) const {
  const Object* object = findHeap(address);
  return object != nullptr && object->begin == address ? object->size : 0;
}

Problem Memory::release(std::uintptr_t address) {
  if (address == 0) return nullptr;
  const Object* object = findHeap(address);
  if (object == nullptr || object->begin != address) return "free() of what malloc() did not give";
  if (object->size > 0 && object->state[0] == Byte::kGone) return "free() of what is freed";
  std::fill_n(object->state, object->size, Byte::kGone);
  return nullptr;
}

std::byte* Memory::pushLocal(std::size_t size, std::size_t align) {
  const std::size_t begin = rounded(local_end_ + 16, std::max<std::size_t>(align, 16));
  if (size > kLocalBytes || begin + size > kLocalBytes) return nullptr;
  local_end_ = begin + size;
  std::fill_n(local_state_ + begin, size, Byte::kUnknown);
  locals_.push_back({addressOf(local_bytes_ + begin), size, local_state_ + begin});
  return local_bytes_ + begin;
}

void Memory::popLocals(std::size_t count) {
  if (count >= locals_.size()) return;
  local_end_ = locals_[count].begin - addressOf(local_bytes_);
  locals_.resize(count);
}

const Object* Memory::findHeap(std::uintptr_t address) const { return containing(heap_, address); }

bool Memory::isInput(std::uintptr_t address) const {
  return address >= addressOf(inputs_) && address < addressOf(inputs_) + kInputBytes;
}

bool Memory::isLocal(std::uintptr_t address) const {
  return address >= addressOf(local_bytes_) && address < addressOf(local_bytes_) + kLocalBytes;
}

const Object* Memory::find(std::uintptr_t address) const {
  if (isInput(address)) {
    const std::size_t index = (address - addressOf(inputs_)) / (2 * kBufferBytes);
    if (index >= used_ || address - addressOf(buffer(index)) > kBufferBytes) return nullptr;
    found_ = {addressOf(buffer(index)), kBufferBytes, input_state_ + index * kBufferBytes};
    return &found_;
  }
  if (isLocal(address)) return containing(locals_, address);
  if (const Object* object = containing(heap_, address)) return object;
  return containing(globals_, address);
}

void Memory::addConstant(const void* begin, std::size_t size) {
  constants_.push_back({addressOf(begin), size, nullptr, false});
}

void Memory::freshen(const Object& object, std::uintptr_t address, std::size_t size, Kind kind,
                     std::int64_t low, std::int64_t high) {
  std::array<std::byte, 64> value;
  for (std::size_t done = 0; done < size; done += value.size()) {
    const std::size_t part = std::min(size - done, value.size());
    makeValue(std::span(value).first(part), kind, low, high);
    for (std::size_t i = 0; i < part; ++i) {
      const std::size_t offset = address + done + i - object.begin;
      if (object.state[offset] != Byte::kFresh) continue;
      object.state[offset] = Byte::kKnown;
      *pointerTo(object.begin + offset) = value[i];
      if (isInput(object.begin)) {
        initial_[object.begin - addressOf(inputs_) + offset] = value[i];
      } else {
        const auto global =
            std::ranges::lower_bound(globals_, object.begin, {}, [](const Object& o) { return o.begin; });
        patches_.push_back(
            {variable_of_global_[static_cast<std::size_t>(global - globals_.begin())], offset, value[i]});
      }
    }
  }
}

Problem Memory::read(std::uintptr_t address, std::size_t size, Kind kind, std::int64_t low,
                     std::int64_t high) {
  const Object* object = find(address);
  if (object == nullptr || address + size > object->begin + object->size) return "reads outside of objects";
  if (object->state == nullptr) return nullptr;
  const Byte* state = object->state + (address - object->begin);
  bool fresh = false;
  for (std::size_t i = 0; i < size; ++i) {
    if (state[i] == Byte::kKnown) continue;
    if (state[i] == Byte::kFresh) {
      fresh = true;
    } else {
      return state[i] == Byte::kGone ? "reads what is gone" : "reads what was never written";
    }
  }
  if (fresh) freshen(Object(*object), address, size, kind, low, high);
  return nullptr;
}

Problem Memory::write(std::uintptr_t address, std::size_t size, bool known) {
  const Object* object = find(address);
  if (object == nullptr || address + size > object->begin + object->size) return "writes outside of objects";
  if (!object->writable) return "writes to a constant";
  if (object->state == nullptr) return nullptr;
  Byte* state = object->state + (address - object->begin);
  for (std::size_t i = 0; i < size; ++i) {
    if (state[i] == Byte::kGone) return "writes to what is gone";
    state[i] = known ? Byte::kKnown : Byte::kUnknown;
  }
  return nullptr;
}

Problem Memory::copy(std::uintptr_t to, std::uintptr_t from, std::size_t size) {
  if (size == 0) return nullptr;
  const Object* source = find(from);
  if (source == nullptr || from + size > source->begin + source->size)
    return "copies from outside of objects";
  const Object of = *source;
  std::vector<Byte> states(size, Byte::kKnown);
  if (of.state != nullptr) {
    const Byte* state = of.state + (from - of.begin);
    // Nobody knows what it will be read as: mostly nothing, which is a null pointer too.
    for (std::size_t i = 0; i < size; ++i) {
      if (state[i] == Byte::kFresh)
        freshen(of, from + i, std::min<std::size_t>(8, size - i), Kind::kInteger, 0, 1);
      if (state[i] == Byte::kGone) return "reads what is gone";
      states[i] = state[i];
    }
  }
  if (const Problem problem = write(to, size)) return problem;
  const Object* target = find(to);
  if (target->state != nullptr) std::ranges::copy(states, target->state + (to - target->begin));
  return nullptr;
}

Problem Memory::scope(std::uintptr_t address, bool begins) {
  const Object* object = isLocal(address) ? find(address) : nullptr;
  if (object != nullptr) std::fill_n(object->state, object->size, begins ? Byte::kUnknown : Byte::kGone);
  return nullptr;
}

}  // namespace ordo::execution

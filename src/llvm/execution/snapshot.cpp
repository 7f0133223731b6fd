// difference() compares how the runs ended, what they returned, their events and their memory, in this order.
// Nobody knows what a word of memory is, so words are equal if their bytes are, if they point at the same
// place, or if they are NaNs (Comparison::sameWord()). Addresses in the heap differ between runs: the first
// pointers into two blocks make them a pair, which every later pointer has to respect, and pairs are compared
// after the regions. So blocks that nothing points at do not count.
#include "llvm/execution/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace ordo::execution {
namespace {

const std::byte* bytesAt(std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); }

template <typename T>
T readAs(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::string hex(const std::byte* bytes, std::size_t size) {
  std::string text;
  for (std::size_t i = size; i > 0; --i) text += fmt::format("{:02x}", static_cast<unsigned>(bytes[i - 1]));
  return text;
}

template <typename Float>
bool bothNan(const std::byte* a, const std::byte* b) {
  return std::isnan(readAs<Float>(a)) && std::isnan(readAs<Float>(b));
}

class Comparison {
 public:
  Comparison(const Machine& machine, const Snapshot& watched, const Snapshot& other)
      : machine_(machine), watched_(watched), other_(other) {}

  bool samePart(const Part& part, const Slot& a, const Slot& b);
  std::string regions();

 private:
  Place locate(const Snapshot& snapshot, std::uintptr_t address) const;
  bool samePointer(std::uintptr_t a, std::uintptr_t b);
  // Eight bytes or fewer, all of which are known.
  bool sameWord(const std::byte* a, const std::byte* b, std::size_t size);
  std::string region(const Snapshot::Region& a, const Snapshot::Region& b);

  const Machine& machine_;
  const Snapshot &watched_, &other_;
  std::map<std::uintptr_t, std::uintptr_t> blocks_;  // of the watched run, to those of the other
  std::vector<std::pair<const Snapshot::Region*, const Snapshot::Region*>> pending_;
};

Place Comparison::locate(const Snapshot& snapshot, std::uintptr_t address) const {
  if (machine_.memory().isInput(address)) return {Place::In::kInput, address};
  if (snapshot.block(address) != nullptr) return {Place::In::kHeap, 0};
  if (machine_.memory().isLocal(address) || machine_.onStack(address)) return {Place::In::kLocal, 0};
  return snapshot.symbols->locate(address);
}

bool Comparison::samePointer(std::uintptr_t a, std::uintptr_t b) {
  const Snapshot::Region *in_a = watched_.block(a), *in_b = other_.block(b);
  if (in_a == nullptr || in_b == nullptr) {
    if (a == b) return true;
    const Place place = locate(watched_, a);
    return place.in != Place::In::kNowhere && place == locate(other_, b);
  }
  if (a - in_a->begin != b - in_b->begin) return false;
  const auto [known, is_new] = blocks_.try_emplace(in_a->begin, in_b->begin);
  if (is_new) pending_.emplace_back(in_a, in_b);
  return known->second == in_b->begin;
}

bool Comparison::sameWord(const std::byte* a, const std::byte* b, std::size_t size) {
  // Blocks of the heap are compared also where their addresses happen to be the same.
  const bool equal = std::memcmp(a, b, size) == 0;
  if (size == 8) {
    const auto pointer_a = readAs<std::uintptr_t>(a), pointer_b = readAs<std::uintptr_t>(b);
    if (equal && watched_.block(pointer_a) == nullptr) return true;
    if (samePointer(pointer_a, pointer_b) || bothNan<double>(a, b)) return true;
    return (std::memcmp(a, b, 4) == 0 || bothNan<float>(a, b)) &&
           (std::memcmp(a + 4, b + 4, 4) == 0 || bothNan<float>(a + 4, b + 4));
  }
  return equal || (size == 4 && bothNan<float>(a, b));
}

bool Comparison::samePart(const Part& part, const Slot& a, const Slot& b) {
  const std::byte *in_a = a.bytes.data() + part.offset, *in_b = b.bytes.data() + part.offset;
  const std::uint32_t bits = part.shape.bits;
  switch (part.shape.type) {
    case Type::kPointer:
      return samePointer(readAs<std::uintptr_t>(in_a), readAs<std::uintptr_t>(in_b));
    case Type::kFloat:
      if (bits == 32) return sameWord(in_a, in_b, 4);
      if (bits == 64) return std::memcmp(in_a, in_b, 8) == 0 || bothNan<double>(in_a, in_b);
      return std::memcmp(in_a, in_b, bits / 8) == 0;
    case Type::kInteger: {
      const std::size_t whole = bits / 8;
      // A pointer can be returned as a number.
      if (bits == 64) return sameWord(in_a, in_b, 8);
      if (std::memcmp(in_a, in_b, whole) != 0) return false;
      return bits % 8 == 0 || ((in_a[whole] ^ in_b[whole]) & std::byte((1u << bits % 8) - 1)) == std::byte{0};
    }
    case Type::kNone:
    case Type::kOther:
      return true;
  }
  return true;
}

std::string Comparison::region(const Snapshot::Region& a, const Snapshot::Region& b) {
  if (a.bytes.size() > b.bytes.size()) return fmt::format("{} is smaller", a.name);
  for (std::size_t at = 0; at < a.bytes.size(); at += 8) {
    const std::size_t size = std::min<std::size_t>(8, a.bytes.size() - at);
    const auto known = [&](std::size_t i) { return a.states.empty() || a.states[at + i] == Byte::kKnown; };
    bool all = true;
    for (std::size_t i = 0; i < size; ++i) all = all && known(i);
    if (all && sameWord(a.bytes.data() + at, b.bytes.data() + at, size)) continue;
    for (std::size_t i = 0; i < size; ++i) {
      if (!known(i) || a.bytes[at + i] == b.bytes[at + i]) continue;
      return fmt::format("byte {} of {} is {}, not {}", at + i, a.name, hex(&b.bytes[at + i], 1),
                         hex(&a.bytes[at + i], 1));
    }
  }
  return "";
}

std::string Comparison::regions() {
  for (std::size_t i = 0; i < watched_.regions.size(); ++i) {
    if (std::string differs = region(watched_.regions[i], other_.regions[i]); !differs.empty())
      return differs;
  }
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const auto [a, b] = pending_[i];
    if (std::string differs = region(*a, *b); !differs.empty()) return differs;
  }
  return "";
}

std::string ended(const Outcome& outcome) {
  switch (outcome.ending) {
    case Ending::kReturned:
      return "returns";
    case Ending::kLeft:
      return "leaves through a function that does not return";
    case Ending::kVoid:
      return outcome.why;
    case Ending::kCrashed:
      return fmt::format("crashes ({})", outcome.why);
    case Ending::kHung:
      return "does not end";
  }
  return "";
}

// What of two records of calls is the first to differ, for people.
std::string eventDifference(const std::string& expected, const std::string& got) {
  const auto at = static_cast<std::size_t>(
      std::mismatch(expected.begin(), expected.end(), got.begin(), got.end()).first - expected.begin());
  const auto word = [at](const std::string& events) -> std::string {
    if (at >= events.size()) return "nothing more";
    const std::size_t line = at == 0 ? 0 : events.rfind('\n', at - 1);
    const std::size_t begin = line == std::string::npos ? 0 : line + 1;
    std::string name = events.substr(begin, events.find_first_of(" \n", begin) - begin);
    for (char& character : name) character = character < ' ' || character > '~' ? '?' : character;
    return name.substr(0, 60);
  };
  return fmt::format("what it tells others differs from byte {} on: expected {}, got {}", at, word(expected),
                     word(got));
}

}  // namespace

const Snapshot::Region* Snapshot::block(std::uintptr_t address) const {
  const auto after = std::ranges::upper_bound(heap, address, {}, &Region::begin);
  if (after == heap.begin()) return nullptr;
  const Region& region = *std::prev(after);
  return address - region.begin <= region.bytes.size() ? &region : nullptr;
}

Snapshot capture(const Memory& memory, Outcome outcome, std::span<const Variable> variables,
                 const std::vector<std::string>& names, const Symbols& symbols) {
  Snapshot snapshot;
  snapshot.outcome = std::move(outcome);
  snapshot.symbols = &symbols;
  const auto keep = [](std::string name, std::uintptr_t begin, std::size_t size, const Byte* states) {
    Snapshot::Region region{std::move(name), begin, {bytesAt(begin), bytesAt(begin) + size}, {}};
    if (states != nullptr) region.states.assign(states, states + size);
    return region;
  };
  for (std::size_t i = 0; i < memory.buffers(); ++i) {
    snapshot.regions.push_back(keep(fmt::format("input buffer {}", i),
                                    reinterpret_cast<std::uintptr_t>(memory.buffer(i)), Memory::kBufferBytes,
                                    memory.bufferState(i)));
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (!variables[i].visible || !variables[i].writable) continue;
    const Object* object = memory.find(variables[i].address);
    snapshot.regions.push_back(
        keep(names[i], variables[i].address, variables[i].size,
             object != nullptr && object->begin == variables[i].address ? object->state : nullptr));
  }
  for (const Object& object : memory.heap())
    snapshot.heap.push_back(keep("a block of the heap", object.begin, object.size, object.state));
  return snapshot;
}

std::string difference(const Machine& machine, const Snapshot& watched, const Snapshot& other,
                       const std::vector<Part>& result) {
  const Outcome &expected = watched.outcome, &got = other.outcome;
  if (expected.ending != got.ending)
    return fmt::format("{} where the original {}", ended(got), ended(expected));
  Comparison comparison(machine, watched, other);
  if (expected.ending == Ending::kReturned) {
    for (const Part& part : result) {
      if (comparison.samePart(part, expected.value, got.value)) continue;
      const std::size_t size = (part.shape.bits + 7) / 8;
      return fmt::format("returns 0x{}, not 0x{}", hex(got.value.bytes.data() + part.offset, size),
                         hex(expected.value.bytes.data() + part.offset, size));
    }
  }
  if (expected.events != got.events) return eventDifference(expected.events, got.events);
  return comparison.regions();
}

}  // namespace ordo::execution

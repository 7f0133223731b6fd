// Machine::run() calls the entry behind a sigsetjmp(): a signal, giveUp() and leave() end the run by a jump
// back to it. Machine::foreign() answers for other functions: the n-th call of a run gets the n-th answer of
// its input, which is made when a run first comes so far, and a pure function one answer for each set of
// arguments. What others are told becomes one string of bytes, with pointers as places instead of addresses
// (describe()), so that two versions are compared by comparing strings.
#include "llvm/execution/run.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstring>

#include "support/error.h"
#include "support/hash.h"

namespace ordo::execution {
namespace {

// State of the run under way that a signal handler needs.
Machine* running = nullptr;
sigjmp_buf way_out;
Ending jumped_as = Ending::kVoid;
Problem jumped_why = nullptr;

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGVTALRM};

void onSignal(int signal) {
  jumped_as = signal == SIGVTALRM ? Ending::kHung : Ending::kCrashed;
  jumped_why = ::sigdescr_np(signal);
  siglongjmp(way_out, 1);
}

std::uint64_t numberIn(const Slot& slot, std::uint32_t bits) {
  std::uint64_t value = 0;
  std::memcpy(&value, slot.bytes.data(), sizeof value);
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// NaNs are alike: which one an operation makes is nobody's promise.
void appendFloat(std::string& bytes, const Slot& slot, std::uint32_t bits) {
  const auto is_nan = [&]<typename Float>(Float value) {
    std::memcpy(&value, slot.bytes.data(), sizeof value);
    return std::isnan(value);
  };
  const bool nan = (bits == 32 && is_nan(0.0F)) || (bits == 64 && is_nan(0.0));
  if (nan) {
    bytes += "nan";
  } else {
    bytes.append(reinterpret_cast<const char*>(slot.bytes.data()), bits / 8);
  }
}

constexpr std::size_t kMostEvents = std::size_t{1} << 20;  // bytes

// Lines of words, numbers and punctuation, as most programs that read text expect.
std::string makeText(Rng& rng) {
  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCXYZ_0123456789";
  static constexpr std::string_view kMarks = " ,.;:+-*/()[]{}\"'=<>!?#@$%&|^~\\\t";
  std::string text;
  for (std::size_t line = rng.below(6); line > 0; --line) {
    for (std::size_t word = rng.below(6); word > 0; --word) {
      const double kind = rng.uniform();
      if (kind < 0.4) {
        for (std::size_t i = 1 + rng.below(7); i > 0; --i) text += kLetters[rng.below(kLetters.size())];
      } else if (kind < 0.7) {
        text += fmt::format("{}", rng.below(rng.chance(0.7) ? 10 : 100000));
      } else {
        text += kMarks[rng.below(kMarks.size())];
      }
      if (rng.chance(0.6)) text += ' ';
    }
    text += '\n';
  }
  return text;
}

}  // namespace

void Symbols::add(std::uintptr_t address, std::size_t size, std::string_view name, bool visible,
                  bool function) {
  if (address == 0) return;
  entries_.push_back({address, size, hashBytes(name).low, visible, function});
}

void Symbols::sort() { std::ranges::sort(entries_, {}, &Entry::address); }

Place Symbols::locate(std::uintptr_t address) const {
  const auto after = std::ranges::upper_bound(entries_, address, {}, &Entry::address);
  if (after == entries_.begin()) return {Place::In::kNowhere, address};
  const Entry& entry = *std::prev(after);
  if (address - entry.address > entry.size) return {Place::In::kNowhere, address};
  if (!entry.visible) return {Place::In::kModule, 0};
  return {Place::In::kNamed, entry.name + (address - entry.address)};
}

bool Symbols::isFunction(std::uintptr_t address) const {
  const auto found = std::ranges::lower_bound(entries_, address, {}, &Entry::address);
  return found != entries_.end() && found->address == address && found->function;
}

Machine::Machine() {
  ORDO_CHECK(running == nullptr, "a second machine in one process");
  running = this;
  // What isalpha() and its like are made of: tables from -128 to 255, and where the C library keeps them.
  memory_.addConstant(__ctype_b_loc(), sizeof(void*));
  memory_.addConstant(*__ctype_b_loc() - 128, 384 * sizeof(unsigned short));
  for (const std::int32_t** table : {__ctype_tolower_loc(), __ctype_toupper_loc()}) {
    memory_.addConstant(table, sizeof(void*));
    memory_.addConstant(*table - 128, 384 * sizeof(std::int32_t));
  }
  static std::array<std::byte, 65536> stack;
  stack_t alternate{};
  alternate.ss_sp = stack.data();
  alternate.ss_size = stack.size();
  ::sigaltstack(&alternate, nullptr);
  rlimit limit{};
  ::getrlimit(RLIMIT_STACK, &limit);
  stack_high_ = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  stack_low_ = stack_high_ - std::min<std::uintptr_t>(limit.rlim_cur, std::uintptr_t{64} << 20);
}

Machine::~Machine() { running = nullptr; }

Machine& Machine::current() { return *running; }

void Machine::beginInput(Rng rng) {
  rng_ = rng;
  text_ = makeText(rng_);
  answers_.clear();
  pure_answers_.clear();
}

Outcome Machine::run(Entry entry, Slot* slots, const Symbols& symbols, const Limits& limits) {
  symbols_ = &symbols;
  fuel_ = limits.fuel;
  depth = 0;
  seed_ = 1;
  events_.clear();
  last_wrote_ = false;
  asked_ = 0;
  read_.clear();

  struct sigaction action{};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  std::array<struct sigaction, kSignals.size()> before{};
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &before[i]);
  const auto alarm = [](double seconds) {
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec =
        static_cast<suseconds_t>((seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
    ::setitimer(ITIMER_VIRTUAL, &timer, nullptr);
  };

  Outcome outcome;
  alarm(limits.cpu_s);
  // Compiled code has no destructors to run, and callbacks hold nothing when they leave this way.
  if (sigsetjmp(way_out, 1) == 0) {
    entry(slots);
    jumped_as = Ending::kReturned;
    jumped_why = nullptr;
  }
  alarm(0);
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before[i], nullptr);
  outcome.ending = jumped_as;
  outcome.why = jumped_why == nullptr ? "" : jumped_why;
  outcome.events = events_;
  return outcome;
}

void Machine::giveUp(Problem problem) {
  jumped_as = Ending::kVoid;
  jumped_why = problem;
  siglongjmp(way_out, 1);
}

void Machine::leave() {
  jumped_as = Ending::kLeft;
  jumped_why = nullptr;
  siglongjmp(way_out, 1);
}

void Machine::burn(std::uint64_t fuel) {
  if (fuel_ < fuel) giveUp("runs for too long");
  fuel_ -= fuel;
}

bool Machine::onStack(std::uintptr_t address) const { return address >= stack_low_ && address < stack_high_; }

Place Machine::locate(std::uintptr_t address) const {
  if (address == 0) return {};
  if (memory_.isInput(address)) return {Place::In::kInput, address};
  if (memory_.findHeap(address) != nullptr) return {Place::In::kHeap, 0};
  if (memory_.isLocal(address) || onStack(address)) return {Place::In::kLocal, 0};
  return symbols_->locate(address);
}

void Machine::wrote(std::uintptr_t file, std::string_view bytes) {
  if (bytes.empty()) return;
  if (!last_wrote_ || last_file_ != file) {
    events_ += "\nwrite ";
    append(events_, file);
  }
  last_wrote_ = true;
  last_file_ = file;
  events_ += bytes;
  if (events_.size() > kMostEvents) giveUp("writes too much");
}

std::string Machine::describe(const Foreign& function, const Slot* slots) const {
  std::string text = fmt::format("\n{} ", function.name);
  for (std::uint32_t i = 0; i < function.arguments; ++i) {
    const Shape& shape = function.shapes[i];
    switch (shape.type) {
      case Type::kInteger:
        append(text, numberIn(slots[i], shape.bits));
        if (shape.bits > 64)
          text.append(reinterpret_cast<const char*>(slots[i].bytes.data()) + 8, (shape.bits - 57) / 8);
        break;
      case Type::kFloat:
        appendFloat(text, slots[i], shape.bits);
        break;
      case Type::kPointer: {
        const Place place = locate(numberIn(slots[i], 64));
        append(text, static_cast<std::uint64_t>(place.in));
        append(text, place.where);
        break;
      }
      case Type::kNone:
      case Type::kOther:
        break;
    }
  }
  return text;
}

Machine::Answer Machine::makeAnswer(const Foreign& function, const Slot* slots) {
  Answer answer{function.name, {}, {}};
  const Shape& result = function.shapes[function.arguments];
  const std::size_t size = std::min<std::size_t>((result.bits + 7) / 8, sizeof(Slot));
  const auto value = std::span(answer.value.bytes).first(size);
  if (result.type == Type::kPointer) {
    std::byte* buffer = function.nonnull == 0 && rng_.chance(0.15) ? nullptr : memory_.newBuffer();
    if (buffer == nullptr && function.nonnull != 0) giveUp("asks for too many buffers");
    std::memcpy(value.data(), &buffer, sizeof buffer);
  } else if (result.type != Type::kNone) {
    memory_.makeValue(value, result.type == Type::kFloat ? Kind::kFloat : Kind::kInteger);
    // Code that reads one bit takes the others for zero.
    if (result.type == Type::kInteger && result.bits % 8 != 0)
      value.back() &= std::byte((1u << result.bits % 8) - 1);
  }
  // What it could have filled in: a local that was never written is an output more often than not.
  for (std::uint32_t i = 0; i < function.arguments; ++i) {
    if (function.writes[i] == 0 || function.shapes[i].type != Type::kPointer) continue;
    const std::uintptr_t address = numberIn(slots[i], 64);
    const Object* object = memory_.find(address);
    if (object == nullptr || object->state == nullptr || !object->writable) continue;
    std::size_t unknown = 0;
    while (address + unknown < object->begin + object->size && unknown < 4096 &&
           object->state[address - object->begin + unknown] == Byte::kUnknown)
      ++unknown;
    std::string bytes(unknown, '\0');
    for (std::size_t at = 0; at < unknown; at += 4)
      memory_.makeValue(
          std::as_writable_bytes(std::span(bytes)).subspan(at, std::min<std::size_t>(4, unknown - at)),
          Kind::kInteger);
    if (unknown > 0) answer.written.emplace_back(i, std::move(bytes));
  }
  return answer;
}

void Machine::foreign(const Foreign& function, Slot* slots) {
  const std::string event = describe(function, slots);
  Slot& result = slots[function.arguments];
  if (function.pure != 0) {
    const auto [known, is_new] = pure_answers_.try_emplace(event);
    if (is_new)
      known->second = makeAnswer({function.name, function.arguments, function.shapes, function.writes, 1, 0,
                                  function.nonnull},
                                 slots)
                          .value;
    result = known->second;
    return;
  }
  last_wrote_ = false;
  events_ += event;
  if (events_.size() > kMostEvents) giveUp("calls others too often");
  if (function.leaves != 0) leave();
  if (asked_ == answers_.size()) answers_.push_back(makeAnswer(function, slots));
  const Answer& answer = answers_[asked_++];
  result = answer.value;
  // Another order of calls: the events differ, and what follows does not matter.
  if (answer.name != function.name) return;
  for (const auto& [argument, bytes] : answer.written) {
    const std::uintptr_t address = numberIn(slots[argument], 64);
    if (address == 0) continue;
    memory_.write(address, bytes.size());
    std::memcpy(reinterpret_cast<void*>(address), bytes.data(), bytes.size());
  }
}

}  // namespace ordo::execution

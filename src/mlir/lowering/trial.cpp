#include "mlir/lowering/trial.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

namespace ordo::lowering {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kSeed = 7;
// Of another order of sums, a few hundred times the precision of a float; of a double, the same.
constexpr double kSingle = 1e-4, kDouble = 1e-11;
constexpr double kMostMultiplied = 50;  // of what payload.cpp has multiplied
constexpr double kLong = 1;             // of runs together, in seconds
// Whole numbers up to here are floats, and so are sums of two.
constexpr double kMostExact = 1 << 23;
constexpr std::uint64_t kRare = 61;  // one number in so many is special

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Buffers may begin anywhere in texts.
double numberAt(const char* at, std::int64_t bytes) {
  double wide = 0;
  float narrow = 0;
  if (bytes == sizeof wide) {
    std::memcpy(&wide, at, sizeof wide);
    return wide;
  }
  std::memcpy(&narrow, at, sizeof narrow);
  return static_cast<double>(narrow);
}

void putNumber(char* at, std::int64_t bytes, double value) {
  if (bytes == sizeof value) {
    std::memcpy(at, &value, sizeof value);
    return;
  }
  const auto narrow = static_cast<float>(value);
  std::memcpy(at, &narrow, sizeof narrow);
}

// The sum of an element's indices.
double indexSum(const Tensor& tensor, std::size_t element) {
  double sum = 0;
  for (std::size_t dim = tensor.shape.size(); dim-- > 0;) {
    const auto size = static_cast<std::size_t>(tensor.shape[dim]);
    sum += static_cast<double>(element % size);
    element /= size;
  }
  return sum;
}

}  // namespace

Trial::Trial(Payload payload, KernelProcess stock)
    : payload_(std::move(payload)),
      stock_(std::move(stock)),
      // What is multiplied stays small, so that functions of it tell one from the other.
      step_(payload_.exact ? 1
                           : (payload_.largest_input > kMostMultiplied ? 4 : 0.5) / payload_.largest_input) {
  kinds_ = {Inputs::kRandom, Inputs::kPositive};
  if (payload_.selects) kinds_ = {Inputs::kRandom, Inputs::kRising, Inputs::kFalling};
}

std::size_t Trial::kindsOfInputs() { return 1 + static_cast<std::size_t>(Inputs::kSpecial); }

Status Trial::reserve() {
  for (const auto& [tensors, buffers] :
       {std::pair(&payload_.inputs, &inputs_), std::pair(&payload_.outputs, &outputs_)}) {
    for (const Tensor& tensor : *tensors) {
      ORDO_TRY_ASSIGN(Guarded buffer, Guarded::create(tensor.size()));
      buffers->push_back(std::move(buffer));
    }
  }
  return {};
}

double Trial::valueOf(Inputs kind, const Tensor& tensor, std::size_t element, Rng& rng) const {
  const double largest = payload_.largest_input;
  const auto some = [&](double from, double to) {
    return (from + static_cast<double>(rng.below(static_cast<std::uint64_t>(to - from) + 1))) * step_;
  };
  switch (kind) {
    case Inputs::kRandom:
      break;
    case Inputs::kPositive:
      return some(1, largest);
    case Inputs::kNegative:
      return -some(1, largest);
    case Inputs::kRising:
    case Inputs::kFalling: {
      double sum = indexSum(tensor, element);
      if (!payload_.selects) {
        // No larger than others, in whole steps.
        double most = 0;
        for (const std::int64_t size : tensor.shape) most += static_cast<double>(size - 1);
        sum = most > 0 ? std::round(largest * (2 * sum / most - 1)) : 0;
      }
      return (kind == Inputs::kRising ? sum : -sum) * step_;
    }
    case Inputs::kZero:
      return 0;
    case Inputs::kBoolean:
      return some(0, 1) > 0 ? 1 : 0;
    case Inputs::kSpecial: {
      constexpr std::array kSpecial = {std::numeric_limits<double>::infinity(),
                                       -std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::quiet_NaN(), -0.0, 1e-30};
      if (rng.below(kRare) == 0) return kSpecial[rng.below(kSpecial.size())];
      break;
    }
  }
  return some(-largest, largest);
}

std::string Trial::inputsOf(Inputs kind) const {
  Rng rng(kSeed + static_cast<std::uint64_t>(kind));
  std::size_t all = 0;
  for (const Tensor& tensor : payload_.inputs) all += tensor.size();
  std::string text(all, '\0');
  char* at = text.data();
  for (const Tensor& tensor : payload_.inputs) {
    for (std::size_t i = 0; i < tensor.elements(); ++i, at += tensor.bytes)
      putNumber(at, tensor.bytes, valueOf(kind, tensor, i, rng));
  }
  return text;
}

// What is right, of one kind of inputs.
Result<Trial::Case> Trial::work(Inputs kind) {
  Case made{inputsOf(kind), ""};
  ORDO_TRY_ASSIGN(KernelProcess::Ran ran, stock_.run(made.inputs, 1));
  if (!ran.problem.empty()) {
    return fail(ErrorCode::kUnsupported,
                "{}: as stock tools lower it, {}, so nothing can be compared with that", payload_.name,
                ran.problem);
  }
  plain_s_ = std::min(plain_s_, ran.seconds);
  made.wanted = std::move(ran.outputs);
  return made;
}

// An element that is no number whatever the inputs says nothing, as one that nobody has written.
Status Trial::refuseWhatIsNoNumber() const {
  std::size_t at = 0;
  for (std::size_t number = 0; number < payload_.outputs.size(); ++number) {
    const Tensor& tensor = payload_.outputs[number];
    for (std::size_t i = 0; i < tensor.elements(); ++i, at += static_cast<std::size_t>(tensor.bytes)) {
      if (std::ranges::any_of(cases_, [&](const auto& one) {
            return !std::isnan(numberAt(one.second.wanted.data() + at, tensor.bytes));
          }))
        continue;
      return fail(ErrorCode::kUnsupported,
                  "{}: element {} of result {} is no number on small inputs, so nothing can be compared",
                  payload_.name, i, number);
    }
  }
  return {};
}

Result<std::shared_ptr<Trial>> Trial::create(Workshop& workshop, const Payload& payload) {
  ORDO_TRY_ASSIGN(KernelProcess stock, lowerByStock(workshop, payload));
  std::shared_ptr<Trial> trial(new Trial(payload, std::move(stock)));
  for (const Inputs kind : trial->kinds_) {
    ORDO_TRY_ASSIGN(trial->cases_[kind], trial->work(kind));
  }
  ORDO_TRY(trial->refuseWhatIsNoNumber());
  trial->exact_ = true;
  std::size_t at = 0;
  const std::string& wanted = trial->cases_.at(Inputs::kRandom).wanted;
  for (const Tensor& tensor : payload.outputs) {
    for (std::size_t i = 0; i < tensor.elements(); ++i, at += static_cast<std::size_t>(tensor.bytes))
      trial->exact_ =
          trial->exact_ && trial->isExact(Inputs::kRandom, numberAt(wanted.data() + at, tensor.bytes));
  }
  ORDO_TRY(trial->reserve());
  return trial;
}

std::vector<void*> Trial::places(bool tight) const {
  std::vector<void*> all;
  for (const auto* some : {&inputs_, &outputs_}) {
    for (const Guarded& buffer : *some) all.push_back(tight ? buffer.data() : buffer.aligned());
  }
  return all;
}

void Trial::load(const std::string& inputs, bool tight) {
  const char* from = inputs.data();
  for (Guarded& buffer : inputs_) {
    buffer.paint();
    std::memcpy(tight ? buffer.data() : buffer.aligned(), from, buffer.size());
    from += buffer.size();
  }
  for (Guarded& buffer : outputs_) {
    buffer.paint();
    // All bits set is no number.
    std::memset(buffer.data(), 0xff, buffer.size());
  }
  ready_ = !tight;
}

// Where tiny numbers are summed up with others the order matters.
bool Trial::isExact(Inputs kind, double should) const {
  return payload_.exact && kind != Inputs::kSpecial && std::abs(should) <= kMostExact;
}

std::string Trial::compare(std::string_view got, std::string_view wanted, Inputs kind) const {
  constexpr std::array kNames = {"by chance", "above zero", "below zero",        "that rise",
                                 "that fall", "all zero",   "of zeros and ones", "with special values"};
  std::size_t at = 0;
  for (std::size_t number = 0; number < payload_.outputs.size(); ++number) {
    const Tensor& tensor = payload_.outputs[number];
    const auto bytes = static_cast<std::size_t>(tensor.bytes);
    // Most are the same bytes.
    if (std::memcmp(got.data() + at, wanted.data() + at, tensor.size()) == 0) {
      at += tensor.size();
      continue;
    }
    for (std::size_t i = 0; i < tensor.elements(); ++i, at += bytes) {
      const double is = numberAt(got.data() + at, tensor.bytes),
                   should = numberAt(wanted.data() + at, tensor.bytes);
      if (is == should || (std::isnan(is) && std::isnan(should))) continue;
      const double reach = (isExact(kind, should) ? 0
                            : tensor.bytes == 8   ? kDouble
                                                  : kSingle) *
                           std::max(1.0, std::abs(should));
      // No number compares as near, and nothing is near what is infinite.
      if (std::isfinite(should) && std::abs(is - should) <= reach) continue;
      return fmt::format("element {} of result {} is {} and should be {}, on inputs {}", i, number, is,
                         should, kNames[static_cast<std::size_t>(kind)]);
    }
  }
  return "";
}

std::string Trial::problemOf(const Code& code) {
  const std::lock_guard lock(mutex_);
  for (const Inputs kind : kinds_) {
    const Case& one = cases_.at(kind);
    load(one.inputs, true);
    code.forget();
    code.run(places(true));
    const auto whole = [](const Guarded& buffer) { return buffer.intact(); };
    if (!std::ranges::all_of(inputs_, whole) || !std::ranges::all_of(outputs_, whole) || !code.intact())
      return "it writes in front of a buffer";
    std::string got;
    for (const Guarded& output : outputs_)
      got.append(reinterpret_cast<const char*>(output.data()), output.size());
    if (std::string problem = compare(got, one.wanted, kind); !problem.empty()) return problem;
  }
  return "";
}

Result<std::string> Trial::problemOf(std::string_view object, unsigned threads) {
  const std::lock_guard lock(mutex_);
  ORDO_TRY_ASSIGN(const KernelProcess process,
                  KernelProcess::link(payload_, object, KernelProcess::Form::kObject, threads));
  for (std::size_t i = 0; i < kindsOfInputs(); ++i) {
    const auto kind = static_cast<Inputs>(i);
    const auto known = cases_.find(kind);
    std::optional<Case> made;
    if (known == cases_.end()) {
      ORDO_TRY_ASSIGN(made, work(kind));
    }
    const Case& one = made ? *made : known->second;
    ORDO_TRY_ASSIGN(const KernelProcess::Ran ran, process.run(one.inputs, 2));
    if (!ran.problem.empty()) return ran.problem;
    if (std::string problem = compare(ran.outputs, one.wanted, kind); !problem.empty()) return problem;
  }
  return "";
}

std::string Trial::data() const {
  const Case& one = cases_.at(Inputs::kRandom);
  return one.inputs + one.wanted;
}

double Trial::tolerance(std::int64_t bytes) const { return exact() ? 0 : bytes == 8 ? kDouble : kSingle; }

double Trial::seconds(const Code& code, double for_s) {
  const std::lock_guard lock(mutex_);
  if (!ready_) load(cases_.at(Inputs::kRandom).inputs, false);
  const std::vector<void*> where = places(false);
  double least = std::numeric_limits<double>::infinity();
  const Clock::time_point begin = Clock::now();
  // What takes long is not that noisy.
  for (int runs = 0; runs < 1 || (runs < 3 && secondsSince(begin) < kLong) || secondsSince(begin) < for_s;
       ++runs) {
    const Clock::time_point start = Clock::now();
    code.run(where);
    least = std::min(least, secondsSince(start));
  }
  return least;
}

}  // namespace ordo::lowering

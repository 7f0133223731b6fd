#include "mlir/lowering/trial.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

#include "support/rng.h"

namespace ordo::lowering {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBufferAlignment = 64;
constexpr std::uint64_t kSeed = 7;
// Of another order of sums, a few hundred times the precision of a float; of a double, the same.
constexpr double kSingle = 1e-4, kDouble = 1e-11;
constexpr double kSmall = 2;            // where nothing is selected
constexpr double kMostMultiplied = 50;  // of what payload.cpp has multiplied
constexpr double kLong = 1;             // of runs together, in seconds
// Whole numbers up to here are floats, and so are sums of two.
constexpr double kMostExact = 1 << 23;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Trial::Buffer::Buffer(const Tensor& of) : tensor(of), memory(of.elements() * of.bytes + kBufferAlignment) {
  void* start = memory.data();
  std::size_t room = memory.size();
  data = static_cast<std::byte*>(std::align(kBufferAlignment, of.elements() * of.bytes, start, room));
}

double Trial::Buffer::at(std::size_t element) const {
  if (tensor.bytes == 8) return reinterpret_cast<const double*>(data)[element];
  return static_cast<double>(reinterpret_cast<const float*>(data)[element]);
}

void Trial::Buffer::put(std::size_t element, double value) {
  if (tensor.bytes == 8)
    reinterpret_cast<double*>(data)[element] = value;
  else
    reinterpret_cast<float*>(data)[element] = static_cast<float>(value);
}

Trial::Trial(const Payload& payload) : largest_input_(payload.largest_input), exact_(payload.exact) {
  // What is multiplied stays small, so that functions of it tell one from the other.
  step_ = exact_ ? 1 : (largest_input_ > kMostMultiplied ? 4 : 0.5) / largest_input_;
  kinds_ = {Inputs::kRandom, Inputs::kRandom};
  if (largest_input_ > kSmall) kinds_ = {Inputs::kRandom, Inputs::kRising, Inputs::kFalling};
  // Buffers must not move once their places are known.
  inputs_.reserve(payload.inputs.size());
  outputs_.reserve(payload.outputs.size());
  for (const Tensor& tensor : payload.inputs) places_.push_back(inputs_.emplace_back(tensor).data);
  for (const Tensor& tensor : payload.outputs) {
    Buffer& buffer = outputs_.emplace_back(tensor);
    buffer.wanted.resize(1 + static_cast<std::size_t>(kinds_.back()));
    places_.push_back(buffer.data);
  }
  fill(Inputs::kRandom);
}

void Trial::fill(Inputs kind) {
  Rng rng(kSeed);
  const auto numbers = 2 * static_cast<std::size_t>(largest_input_) + 1;
  for (Buffer& buffer : inputs_) {
    const std::vector<std::int64_t>& shape = buffer.tensor.shape;
    for (std::size_t i = 0; i < buffer.tensor.elements(); ++i) {
      if (kind == Inputs::kRandom) {
        buffer.put(i, (static_cast<double>(rng.below(numbers)) - largest_input_) * step_);
        continue;
      }
      // The sum of its indices.
      double sum = 0;
      std::size_t rest = i;
      for (std::size_t dim = shape.size(); dim-- > 0; rest /= static_cast<std::size_t>(shape[dim]))
        sum += static_cast<double>(rest % static_cast<std::size_t>(shape[dim]));
      buffer.put(i, (kind == Inputs::kRising ? sum : -sum) * step_);
    }
  }
}

double Trial::run(const Code& code) {
  // All bits set is no number.
  for (Buffer& output : outputs_)
    std::memset(output.data, 0xff, output.tensor.elements() * output.tensor.bytes);
  code.forget();
  const Clock::time_point start = Clock::now();
  code.run(places_);
  return secondsSince(start);
}

Result<std::shared_ptr<Trial>> Trial::create(Workshop& workshop, const Payload& payload) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<Code> plain, compile(workshop, payload, "", {.library = true}));
  std::shared_ptr<Trial> trial(new Trial(payload));
  for (const Inputs kind : {Inputs::kRising, Inputs::kFalling, Inputs::kRandom}) {
    if (std::ranges::find(trial->kinds_, kind) == trial->kinds_.end()) continue;
    trial->fill(kind);
    trial->plain_s_ = std::min(trial->plain_s_, trial->run(*plain));
    for (Buffer& output : trial->outputs_) {
      std::vector<double>& wanted = output.wanted[static_cast<std::size_t>(kind)];
      for (std::size_t i = 0; i < output.tensor.elements(); ++i) {
        const double value = wanted.emplace_back(output.at(i));
        if (std::isnan(value)) {
          return fail(ErrorCode::kUnsupported,
                      "{}: element {} of a result is no number on small inputs, so nothing can be compared",
                      payload.name, i);
        }
        trial->exact_ = trial->exact_ && std::abs(value) <= kMostExact;
      }
    }
  }
  return trial;
}

std::string Trial::compare(const Buffer& buffer, std::size_t number, Inputs kind) const {
  const std::vector<double>& all = buffer.wanted[static_cast<std::size_t>(kind)];
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double wanted = all[i], got = buffer.at(i);
    const double reach = tolerance(buffer.tensor.bytes) * std::max(1.0, std::abs(wanted));
    // No number compares as near.
    if (got == wanted || std::abs(got - wanted) <= reach) continue;
    return fmt::format("element {} of result {} is {} and should be {}", i, number, got, wanted);
  }
  return "";
}

std::string Trial::problemOf(const Code& code) {
  const std::lock_guard lock(mutex_);
  const bool many = kinds_.front() != kinds_.back();
  std::string problem;
  for (const Inputs kind : kinds_) {
    if (many) fill(kind);
    run(code);
    for (std::size_t i = 0; i < outputs_.size() && problem.empty(); ++i)
      problem = compare(outputs_[i], i, kind);
    if (!problem.empty()) break;
  }
  if (many) fill(Inputs::kRandom);
  return problem;
}

std::string Trial::data() const {
  std::string bytes;
  const auto add = [&](const Tensor& tensor, const void* data) {
    bytes.append(static_cast<const char*>(data), tensor.elements() * tensor.bytes);
  };
  for (const Buffer& input : inputs_) add(input.tensor, input.data);
  for (const Buffer& output : outputs_) {
    Buffer right(output.tensor);
    const std::vector<double>& wanted = output.wanted[static_cast<std::size_t>(Inputs::kRandom)];
    for (std::size_t i = 0; i < wanted.size(); ++i) right.put(i, wanted[i]);
    add(right.tensor, right.data);
  }
  return bytes;
}

double Trial::tolerance(unsigned bytes) const { return exact_ ? 0 : bytes == 8 ? kDouble : kSingle; }

double Trial::seconds(const Code& code, double for_s) {
  const std::lock_guard lock(mutex_);
  double least = std::numeric_limits<double>::infinity();
  const Clock::time_point begin = Clock::now();
  // What takes long is not that noisy.
  for (int runs = 0; runs < 1 || (runs < 3 && secondsSince(begin) < kLong) || secondsSince(begin) < for_s;
       ++runs) {
    const Clock::time_point start = Clock::now();
    code.run(places_);
    least = std::min(least, secondsSince(start));
  }
  return least;
}

}  // namespace ordo::lowering

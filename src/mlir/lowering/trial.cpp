#include "mlir/lowering/trial.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

#include "support/rng.h"

namespace ordo::lowering {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::uint64_t kSeed = 7;
// Of another order of sums, a few hundred times the precision of a float; of a double, the same.
constexpr double kSingle = 1e-4, kDouble = 1e-11;
constexpr double kLong = 1;  // of runs together, in seconds
// Whole numbers up to here are floats, and so are sums of two.
constexpr double kMostExact = 1 << 23;

}  // namespace

Trial::Buffer::Buffer(const Tensor& of) : tensor(of), memory(of.elements() * of.bytes + kAlignment) {
  void* start = memory.data();
  std::size_t room = memory.size();
  data = static_cast<std::byte*>(std::align(kAlignment, of.elements() * of.bytes, start, room));
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

Trial::Trial(const Payload& payload) : exact_(payload.exact) {
  Rng rng(kSeed);
  // Buffers must not move once their places are known.
  inputs_.reserve(payload.inputs.size());
  outputs_.reserve(payload.outputs.size());
  for (const Tensor& tensor : payload.inputs) {
    Buffer& buffer = inputs_.emplace_back(tensor);
    for (std::size_t i = 0; i < tensor.elements(); ++i)
      buffer.put(i, (static_cast<double>(rng.below(5)) - 2) * (exact_ ? 1 : 0.25));
    places_.push_back(buffer.data);
  }
  for (const Tensor& tensor : payload.outputs) places_.push_back(outputs_.emplace_back(tensor).data);
}

void Trial::run(const Code& code) {
  // All bits set is no number.
  for (Buffer& output : outputs_)
    std::memset(output.data, 0xff, output.tensor.elements() * output.tensor.bytes);
  code.run(places_);
}

Result<std::shared_ptr<Trial>> Trial::create(Workshop& workshop, const Payload& payload) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<Code> plain, compile(workshop, payload, "", {.library = true}));
  std::shared_ptr<Trial> trial(new Trial(payload));
  trial->run(*plain);
  for (Buffer& output : trial->outputs_) {
    for (std::size_t i = 0; i < output.tensor.elements(); ++i) {
      const double value = output.wanted.emplace_back(output.at(i));
      if (std::isnan(value)) {
        return fail(
            ErrorCode::kUnsupported,
            "{}: element {} of a result is no number on inputs of -2 to 2, so nothing can be compared",
            payload.name, i);
      }
      trial->exact_ = trial->exact_ && std::abs(value) <= kMostExact;
    }
  }
  return trial;
}

std::string Trial::compare(const Buffer& buffer, std::size_t number) const {
  for (std::size_t i = 0; i < buffer.wanted.size(); ++i) {
    const double wanted = buffer.wanted[i], got = buffer.at(i);
    const double reach = tolerance(buffer.tensor.bytes) * std::max(1.0, std::abs(wanted));
    // No number compares as near.
    if (got == wanted || std::abs(got - wanted) <= reach) continue;
    return fmt::format("element {} of result {} is {} and should be {}", i, number, got, wanted);
  }
  return "";
}

std::string Trial::problemOf(const Code& code) {
  const std::lock_guard lock(mutex_);
  for (int time = 0; time < 2; ++time) {
    run(code);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      std::string problem = compare(outputs_[i], i);
      if (!problem.empty()) return problem;
    }
  }
  return "";
}

std::string Trial::data() const {
  std::string bytes;
  const auto add = [&](const Tensor& tensor, const void* data) {
    bytes.append(static_cast<const char*>(data), tensor.elements() * tensor.bytes);
  };
  for (const Buffer& input : inputs_) add(input.tensor, input.data);
  for (const Buffer& output : outputs_) {
    Buffer right(output.tensor);
    for (std::size_t i = 0; i < output.wanted.size(); ++i) right.put(i, output.wanted[i]);
    add(right.tensor, right.data);
  }
  return bytes;
}

double Trial::tolerance(unsigned bytes) const { return exact_ ? 0 : bytes == 8 ? kDouble : kSingle; }

double Trial::seconds(const Code& code, double for_s) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const std::lock_guard lock(mutex_);
  double least = std::numeric_limits<double>::infinity();
  const Clock::time_point begin = Clock::now();
  // What takes long is not that noisy.
  for (int runs = 0; runs < 1 || (runs < 3 && since(begin) < kLong) || since(begin) < for_s; ++runs) {
    const Clock::time_point start = Clock::now();
    code.run(places_);
    least = std::min(least, since(start));
  }
  return least;
}

}  // namespace ordo::lowering

// Whether compiled code computes what its kernel says, and how long it takes.
//
// Inputs are small integers, of which every order of sums and products gives the same bits; the reference is
// what the kernel gives as it was written, lowered to plain loops. Every element is compared. Kernels that
// divide or call functions of mathematics get fractions and a tolerance; those that keep the greatest of many
// get many numbers, and some in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mlir/lowering/compile.h"
#include "mlir/lowering/payload.h"
#include "support/error.h"

namespace ordo::lowering {

// Inputs of one payload and what its outputs have to be. Thread-safe: one after the other, since outputs are
// written here and whoever is timed should be alone.
class Trial {
 public:
  // Compiles and runs the kernel as it was written. Errors as of compile(); kUnsupported if a result is no
  // number.
  static Result<std::shared_ptr<Trial>> create(Workshop& workshop, const Payload& payload);

  // Whether results are compared bit by bit.
  bool exact() const { return exact_; }

  // Runs it twice at least, on outputs and other memory full of what is no number. "", or the first element
  // that is wrong.
  std::string problemOf(const Code& code);

  // The inputs, and behind them what the outputs have to be, each dense and in row order.
  std::string data() const;

  // Seconds that the reference took, the kernel as it was written: the least of its runs.
  double plainSeconds() const { return plain_s_; }

  // How far an element of a result of so many bytes may be from what it has to be, as a part of it where that
  // is more than 1.
  double tolerance(unsigned bytes) const;

  // Seconds that one run takes: the least of several, for `for_s` seconds and of 3 at least unless they
  // take long.
  double seconds(const Code& code, double for_s);

 private:
  struct Buffer {
    Tensor tensor;
    std::vector<std::byte> memory;  // with room to be aligned in
    std::byte* data = nullptr;      // to 64 bytes
    // Of outputs, for each kind of inputs.
    std::vector<std::vector<double>> wanted;

    explicit Buffer(const Tensor& of);
    double at(std::size_t element) const;
    void put(std::size_t element, double value);
  };

  // By chance; rising and falling along all dimensions, so that the greatest and the least are at the ends.
  enum class Inputs : std::uint8_t { kRandom, kRising, kFalling };

  explicit Trial(const Payload& payload);
  void fill(Inputs kind);
  double run(const Code& code);
  std::string compare(const Buffer& buffer, std::size_t number, Inputs kind) const;

  std::vector<Buffer> inputs_, outputs_;
  std::vector<void*> places_;
  std::vector<Inputs> kinds_;  // those that it is tried with
  double largest_input_, step_;
  double plain_s_ = std::numeric_limits<double>::infinity();
  bool exact_;
  std::mutex mutex_;
};

}  // namespace ordo::lowering

// Whether compiled code computes what its kernel says, and how long it takes.
//
// Inputs are small integers, of which every order of sums and products gives the same bits; the reference is
// what the kernel gives as it was written, lowered to plain loops. Every element is compared. Kernels that
// divide or call functions of mathematics get multiples of 1/4 and a tolerance.
#pragma once

#include <cstddef>
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

  // Runs it twice, on outputs full of what is no number. "", or the first element that is wrong.
  std::string problemOf(const Code& code);

  // The inputs, and behind them what the outputs have to be, each dense and in row order.
  std::string data() const;

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
    std::vector<double> wanted;     // of outputs

    explicit Buffer(const Tensor& of);
    double at(std::size_t element) const;
    void put(std::size_t element, double value);
  };

  explicit Trial(const Payload& payload);
  void run(const Code& code);
  std::string compare(const Buffer& buffer, std::size_t number) const;

  std::vector<Buffer> inputs_, outputs_;
  std::vector<void*> places_;
  bool exact_;
  std::mutex mutex_;
};

}  // namespace ordo::lowering

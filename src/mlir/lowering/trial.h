// Whether compiled code computes what its kernel says, and how long it takes.
//
// What is right comes from stock tools in a process of their own (kernel_process.h), which share nothing with
// what is tried. Every element is compared. Inputs are small integers, of which every order of sums and
// products gives the same bits; kernels that divide or call functions of mathematics get fractions and a
// tolerance; those that keep the greatest of many get many numbers, and some in order.
//
// While a search goes on code is tried in this process, on a few kinds of inputs. An object that somebody
// gets is tried as it is, in a process of its own, on all kinds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "mlir/lowering/compile.h"
#include "mlir/lowering/guarded.h"
#include "mlir/lowering/kernel_process.h"
#include "mlir/lowering/payload.h"
#include "support/error.h"
#include "support/rng.h"

namespace ordo::lowering {

// Inputs of one payload and what its outputs have to be. Thread-safe: one after the other, since outputs are
// written here and whoever is timed should be alone.
class Trial {
 public:
  // Lowers and runs the kernel by stock tools. Errors as of lowerByStock(); kUnsupported if a result is no
  // number whatever the inputs, or cannot be had.
  static Result<std::shared_ptr<Trial>> create(Workshop& workshop, const Payload& payload);

  // Whether results on inputs by chance are compared bit by bit.
  bool exact() const { return exact_; }

  // Runs it on outputs and other memory full of what is no number, all between pages that may not be touched.
  // "", or the first element that is wrong.
  std::string problemOf(const Code& code);

  // The same of an object of emitObject(), for so many threads, on inputs of all kinds, twice each. Errors of
  // running it, not what it does.
  Result<std::string> problemOf(std::string_view object, unsigned threads);

  // How many kinds of inputs those are.
  static std::size_t kindsOfInputs();

  // The inputs, and behind them what the outputs have to be, each dense and in row order.
  std::string data() const;

  // Seconds that stock tools' loops took, the kernel as it was written: the least of its runs.
  double plainSeconds() const { return plain_s_; }

  // How far an element of a result of so many bytes may be from what it has to be, as a part of it where that
  // is more than 1.
  double tolerance(std::int64_t bytes) const;

  // Seconds that one run takes: the least of several, for `for_s` seconds and of 3 at least unless they
  // take long.
  double seconds(const Code& code, double for_s);

 private:
  // By chance, of both signs or one; rising and falling along all dimensions, so that the greatest and the
  // least are at the ends; nothing but zeros; zeros and ones; and among other numbers some that are none,
  // infinite, tiny, or zeros with a sign.
  enum class Inputs : std::uint8_t {
    kRandom,
    kPositive,
    kNegative,
    kRising,
    kFalling,
    kZero,
    kBoolean,
    kSpecial
  };
  struct Case {
    std::string inputs, wanted;  // one buffer behind the other
  };

  Trial(Payload payload, KernelProcess stock);
  Status reserve();
  std::string inputsOf(Inputs kind) const;
  double valueOf(Inputs kind, const Tensor& tensor, std::size_t element, Rng& rng) const;
  Result<Case> work(Inputs kind);
  Status refuseWhatIsNoNumber() const;
  bool isExact(Inputs kind, double should) const;
  void load(const std::string& inputs, bool tight);
  std::vector<void*> places(bool tight) const;
  std::string compare(std::string_view got, std::string_view wanted, Inputs kind) const;

  const Payload payload_;
  const KernelProcess stock_;
  double step_;
  bool exact_ = false;
  std::vector<Inputs> kinds_;     // that code is tried with in this process
  std::map<Inputs, Case> cases_;  // of these
  std::vector<Guarded> inputs_, outputs_;
  bool ready_ = false;  // the inputs are where who is timed finds them
  double plain_s_ = std::numeric_limits<double>::infinity();
  std::mutex mutex_;
};

}  // namespace ordo::lowering

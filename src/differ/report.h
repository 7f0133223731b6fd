// What a comparison of two versions of a module says, function by function, and how `ordo`, which has no
// LLVM, gets it: from the program ordo-differ, as JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "support/json.h"

namespace ordo::differ {

struct FunctionReport {
  enum class Verdict { kEqual, kWrong, kSkipped };

  std::string name;
  Verdict verdict = Verdict::kSkipped;
  // kWrong: what differs; kSkipped: why nothing could be compared.
  std::string detail;
  std::string input;               // of kWrong: the arguments, for people
  std::uint64_t input_number = 0;  // of kWrong: makes the same input again, see Request
  std::int64_t compared = 0;       // inputs
  std::int64_t void_inputs = 0;    // inputs that say nothing: undefined behaviour, or a limit
  std::int64_t blocks = 0;         // of the original
  std::int64_t reached = 0;        // of them, by inputs that were compared
};

struct Report {
  std::vector<FunctionReport> functions;  // that other modules can call, in the order of the original
  std::int64_t blocks = 0;                // of all functions of the original, also of local ones
  std::int64_t reached = 0;
  double seconds = 0;

  std::size_t count(FunctionReport::Verdict verdict) const;
  // The first that is wrong, or null.
  const FunctionReport* wrong() const;
  // "12 of 14 functions compared, 2,310 inputs, 81 % of blocks"; "1 of 14 functions wrong: crc32: ...".
  std::string summary() const;
};

Json toJson(const Report& report);
// kCorrupt names the field at fault.
Result<Report> parseReport(const Json& json);

struct Request {
  std::string original, optimized;  // bitcode or textual IR
  double seconds = 1;               // about how long functions may run
  double limit_s = 300;             // how long all of it may take
  std::uint64_t seed = 1;
  std::string function;              // this one alone; "" is all
  std::vector<std::string> without;  // functions to leave out
  std::int64_t inputs = 200;         // for each function, at most
};

// Runs ordo-differ in a process of its own, so that nothing a compared function does reaches the caller.
// Equal requests give equal reports, but for what time cut short. kCorrupt or kUnsupported for modules that
// cannot be read or compiled here; kUnavailable if it dies, kDeadlineExceeded past `limit_s`.
Result<Report> compare(const Request& request);

}  // namespace ordo::differ

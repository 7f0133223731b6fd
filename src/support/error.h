// Errors of ours, as values. A program or a pass that fails is data (see env/session.h) and a
// broken invariant aborts (ORDO_CHECK); what remains, a missing file or a bad option, is an Error.
//
// Result<T> is tl::expected with [[nodiscard]], so it can become std::expected in C++23.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace ordo {

// The closed set of codes. The command line maps each to one exit code (support/exit_code.h).
enum class ErrorCode {
  kInvalidArgument,   // the caller asked for something that makes no sense
  kNotFound,          // a file, a name or a program that does not exist
  kCorrupt,           // data that is not in the format it claims
  kUnavailable,       // the system refused: permissions, disk full, no such tool
  kDeadlineExceeded,  // a limit in time was hit
  kUnsupported,       // well-formed, but not for this build (another LLVM, another target)
  kInternal,          // our own failure
};

// "invalid argument", "not found", ...
std::string_view name(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // one sentence: what happened to which thing, and the remedy if there is one

  // The same error with `where: ` in front of its message.
  Error context(std::string_view where) && {
    message = fmt::format("{}: {}", where, message);
    return std::move(*this);
  }
};

template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

using Status = Result<void>;

// The failing side of a Result: `return fail(ErrorCode::kNotFound, "no file {}", path);`
template <typename... Args>
tl::unexpected<Error> fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(Error{code, fmt::format(format, std::forward<Args>(args)...)});
}

inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

// Prints `what` with its place and aborts.
[[noreturn]] void checkFailed(const char* file, int line, const char* condition, std::string_view what);

}  // namespace ordo

#define ORDO_CONCAT_INNER(a, b) a##b
#define ORDO_CONCAT(a, b) ORDO_CONCAT_INNER(a, b)

// Returns the error of `expression` from the enclosing function, if it has one.
#define ORDO_TRY(expression)                                                                                \
  do {                                                                                                      \
    if (auto ordo_status = (expression); !ordo_status) return ::ordo::fail(std::move(ordo_status).error()); \
  } while (false)

// Assigns the value of `expression` to `target` (which may be a declaration) or returns its error.
#define ORDO_TRY_ASSIGN(target, expression) \
  ORDO_TRY_ASSIGN_INNER(target, expression, ORDO_CONCAT(ordo_result_, __LINE__))
#define ORDO_TRY_ASSIGN_INNER(target, expression, result)      \
  auto result = (expression);                                  \
  if (!result) return ::ordo::fail(std::move(result).error()); \
  target = *std::move(result)

// Aborts, in every build type, when an invariant of ours does not hold. Never for user input.
#define ORDO_CHECK(condition, ...)                                                                     \
  do {                                                                                                 \
    if (!(condition)) ::ordo::checkFailed(__FILE__, __LINE__, #condition, ::fmt::format(__VA_ARGS__)); \
  } while (false)

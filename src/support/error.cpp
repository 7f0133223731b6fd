#include "support/error.h"

#include <cstdio>
#include <cstdlib>

namespace ordo {

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid argument";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kDeadlineExceeded:
      return "deadline exceeded";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kInternal:
      return "internal error";
  }
  return "unknown";
}

void checkFailed(const char* file, int line, const char* condition, std::string_view what) {
  fmt::print(stderr, "ordo: broken invariant at {}:{}: {}: {}\n", file, line, condition, what);
  std::abort();
}

}  // namespace ordo

// Exit codes of `ordo`, as in sysexits.h where it has one. docs/exit-codes.md lists them.
#pragma once

#include "support/error.h"

namespace ordo {

inline constexpr int kOk = 0;
inline constexpr int kWrong = 1;          // a result failed its check: tests, stock opt
inline constexpr int kInterrupted = 130;  // Ctrl-C; the best so far was kept

constexpr int exitCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return 64;
    case ErrorCode::kCorrupt:
      return 65;
    case ErrorCode::kNotFound:
      return 66;
    case ErrorCode::kUnavailable:
      return 69;
    case ErrorCode::kInternal:
      return 70;
    case ErrorCode::kDeadlineExceeded:
      return 75;
    case ErrorCode::kUnsupported:
      return 78;
  }
  return 70;
}

}  // namespace ordo

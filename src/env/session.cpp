#include "env/session.h"

namespace ordo::env {

std::string_view name(StepStatus status) {
  switch (status) {
    case StepStatus::kOk:
      return "ok";
    case StepStatus::kVerifierFailed:
      return "verifier failed";
    case StepStatus::kExportsChanged:
      return "exports changed";
    case StepStatus::kRejected:
      return "rejected";
    case StepStatus::kCrashed:
      return "crashed";
    case StepStatus::kTimedOut:
      return "timed out";
    case StepStatus::kOutOfMemory:
      return "out of memory";
  }
  return "unknown";
}

}  // namespace ordo::env

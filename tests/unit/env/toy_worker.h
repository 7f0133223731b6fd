// The toy backend in worker processes, failing for real.
#pragma once

#include <memory>

#include "env/isolated_session.h"
#include "env/session_service.h"
#include "support/files.h"
#include "tests/fakes/toy_session.h"
#include "tests/unit/sandbox/processes.h"

namespace ordo::env {

using sandbox::childrenOf;
using sandbox::ends;
using sandbox::kSanitized;

// This very program is the worker program too: see main() in isolated_session_test.cpp.
inline std::shared_ptr<sandbox::Zygote> startToyZygote() {
  auto zygote = sandbox::Zygote::start({executablePath().string()});
  ORDO_CHECK(zygote.has_value(), "{}", zygote.error().message);
  return *std::move(zygote);
}

// A hang ends after half a second: a toy action takes microseconds, also on a busy machine.
inline sandbox::Limits toyLimits() {
  sandbox::Limits limits;
  limits.wall_s = 0.5;
  // A sanitizer's own memory is not for the worker to answer for.
  limits.memory_bytes = std::size_t{64} << (kSanitized ? 30 : 20);
  return limits;
}

// The value of a Result that must have one.
template <typename T>
T value(Result<T> result) {
  ORDO_CHECK(result.has_value(), "{}", result.error().message);
  return *std::move(result);
}

inline void check(const Status& status) { ORDO_CHECK(status.has_value(), "{}", status.error().message); }

}  // namespace ordo::env

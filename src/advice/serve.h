// Answers stock LLVM in the place of a peer of MLGO's interactive channel:
// opt-22 -enable-ml-inliner=release -inliner-interactive-channel-base=BASE, or
// llc-22 -regalloc-enable-advisor=release -regalloc-evict-interactive-channel-base=BASE.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "env/advisor.h"
#include "support/error.h"

namespace ordo::advice {

struct Served {
  std::size_t compiles = 0, answers = 0;
};

// Makes the pipes BASE.in and BASE.out and has `advisor` answer one compiler after the other on them, until
// `stop` or until `until` says so, which is asked between two compilers and whenever nothing comes for a
// moment. The pipes are removed at the end. A compiler that breaks off, or that never asks, hurts nobody but
// itself. What comes that is no stream of the decision is an error, and its compiler is left without answers:
// it hangs until it is ended.
Result<Served> serveChannel(const std::filesystem::path& base, env::Advisor& advisor,
                            const std::atomic<bool>& stop, const std::function<bool()>& until);

}  // namespace ordo::advice

// Evaluation: studies of searchers on programs compiled by clang and optimised by LLVM.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/program.h"
#include "engine/engine.h"
#include "engine/knowledge.h"
#include "frontend/level.h"
#include "spaces/space.h"
#include "study/runner.h"

namespace ordo::campaigns {

// The level whose baselines, clang-Oz and bare-Oz, results are compared with.
inline constexpr frontend::Level kEvalLevel = frontend::Level::kOz;

// The metrics every result is measured in.
std::vector<std::string> evalMetrics();
// Those of them that a backend has, or else all of its own that are the same each time.
std::vector<std::string> evalMetrics(const env::BackendInfo& info);

// What a program is averaged with: a package of Debian ("debian/zlib"), a suite of CompilerGym, else its
// dataset.
std::string suiteOf(std::string_view uri);

// The programs under `folder`; each of its sub-folders is a suite, and what lies beside them one more.
// Errors as datasets::listPrograms().
Result<std::vector<study::Plan::Entry>> folderEntries(const std::string& folder);

// At most `limit` of `entries`, the suites taking turns; which ones of a suite is a matter of chance, the
// same for the same `seed`. In the order of `entries`.
std::vector<study::Plan::Entry> spread(std::vector<study::Plan::Entry> entries, std::size_t limit,
                                       std::uint64_t seed);

// The settings of a study on this machine with this space and the fingerprint() of what methods have learned;
// `compiles` and `max_length` are the plan's.
study::Settings evalSettings(const env::BackendInfo& info, const spaces::Space& space,
                             std::string fingerprint, const study::Plan& plan, std::string_view ordo_version);

// What runs are for decides which programs they may be of.
enum class RunPurpose {
  kStudy,            // none that is reserved for the final evaluation
  kFinalEvaluation,  // any
  kTraining,         // those for training; what cannot be measured under a baseline is not there
};

// kInvalidArgument if runs for `purpose` may not be of `program`.
Status checkPurpose(const datasets::Program& program, RunPurpose purpose);

// Runs in a zygote each. Thread-safe.
class EvalHost final : public study::Host {
 public:
  // `worker`: of a backend that is that program and nothing else (engine/worker_only.h); programs are files
  // then. "": LLVM.
  EvalHost(spaces::Space space, engine::Learned learned, RunPurpose purpose,
           std::filesystem::path worker = {})
      : space_(std::move(space)),
        learned_(std::move(learned)),
        purpose_(purpose),
        worker_(std::move(worker)) {}

  Result<std::unique_ptr<study::Site>> openSite() override;
  Result<study::Subject> prepare(const std::string& uri) override;

 private:
  const spaces::Space space_;
  const engine::Learned learned_;
  const RunPurpose purpose_;
  const std::filesystem::path worker_;
};

}  // namespace ordo::campaigns

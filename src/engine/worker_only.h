// Backends that are a worker program and nothing else: it says itself what can be done and what results are
// compared with (env::BackendInfo::actions and baselines), a file is a program as it stands, a result is
// proved by making it anew in another worker, and it is handed over in the backend's own form.
#pragma once

#include <string>
#include <string_view>

#include "engine/engine.h"
#include "engine/input.h"
#include "engine/toolchain.h"
#include "spaces/space.h"
#include "support/error.h"

namespace ordo::engine {

// The toolchain of such a backend, workerOnly(). Who has some tools, but not all, says the rest like this.
class WorkerOnly : public Toolchain {
 public:
  std::string settings(const Input& input) const override;
  std::string baselineName(const Input& input) const override;
  std::vector<env::Action> preparation(const Input& input) const override;
  env::Action baseline(const Input& input) const override;
  std::optional<Reference> reference(const Input& input) const override;
  Result<std::string> prove(Engine& engine, const Input& input, std::string_view program,
                            const std::vector<env::Action>& actions, const Hash128& hash) const override;
  Result<std::string> emit(const Input& input, std::string_view program,
                           const std::vector<env::Action>& actions) const override;
  Status link(const Input& input, std::string_view object, const std::filesystem::path& executable,
              const std::vector<std::string>& ldflags, std::size_t shift) const override;
  Result<std::vector<std::string>> commands(const Input& input, const std::vector<env::Action>& actions,
                                            std::string_view object) const override;
  Result<std::optional<double>> codeBytes(std::string_view object) const override;
  bool runsHere(const Input& input) const override;
};

// The program in `file`, which may be a program of a dataset. `baseline` is the name of one of the backend's,
// "" its first. kNotFound or kUnavailable for the file; kInvalidArgument that suggests the nearest baseline;
// kUnsupported if the backend has none.
Result<Input> readProgram(const env::BackendInfo& info, std::string_view file, std::string_view baseline);

// The baseline of that name, "" the first. Errors as of readProgram().
Result<env::Action> ownBaseline(const env::BackendInfo& info, std::string_view name);

// All that the backend can do. kUnsupported if it says nothing.
Result<spaces::Space> wholeSpace(const env::BackendInfo& info);

}  // namespace ordo::engine

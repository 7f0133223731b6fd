// What the parts of ordo._core share: errors as exceptions, waiting that Ctrl-C can end, and the engine
// and environment that vectors and episodes keep alive.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/program_library.h"
#include "env/vector_env.h"
#include "running/backend.h"
#include "spaces/space.h"
#include "support/error.h"

namespace ordo::python {

namespace nb = nanobind;

// ValueError for what the caller got wrong, ordo.Error for the rest. REQUIRES: the GIL.
[[noreturn]] void raise(const Error& error);

template <typename T>
T value(Result<T> result) {
  if (!result) raise(result.error());
  return *std::move(result);
}
inline void check(const Status& status) {
  if (!status) raise(status.error());
}

// False if a signal handler raised, for example KeyboardInterrupt. Takes the GIL.
bool goOn();

// Somebody's turn with what serves one thread at a time. The GIL does not see to that: it is free while a
// step is under way.
class Turn {
 public:
  // ordo.Error if it is in use. REQUIRES: the GIL.
  explicit Turn(std::atomic_flag& taken) : taken_(taken) {
    if (taken_.test_and_set())
      raise({ErrorCode::kUnavailable,
             "the environment is in the middle of another call; give each thread an environment of its own"});
  }
  ~Turn() { taken_.clear(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic_flag& taken_;
};

struct Engine {
  std::unique_ptr<engine::Engine> engine;
};

// The actions, sensors and programs of one kind of environment.
struct Environment {
  std::shared_ptr<Engine> engine;
  spaces::Space space;
  std::unique_ptr<running::RunningBackend> backend;  // none for an engine that is a worker only
  std::shared_ptr<env::EpisodeSpec> episodes;
  std::unique_ptr<engine::ProgramLibrary> programs;
  std::mutex loading;  // of programs: episodes that were forked share them. Never taken with the GIL
};

void bindEngine(nb::module_& module);
void bindEnvironment(nb::module_& module);
void bindEpisode(nb::module_& module);
void bindPolicy(nb::module_& module);
void bindVector(nb::module_& module);

}  // namespace ordo::python

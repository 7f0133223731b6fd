// Programs made ready for episodes: compiled, with what the metrics say of them as given and under each
// baseline that a reward or a sensor refers to.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "datasets/program.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "env/vector_env.h"

namespace ordo::engine {

struct LibraryOptions {
  // Source is compiled as clang does at this level, without any pass: the level sets attributes and
  // macros. A baseline "clang-O3" is measured on the program as -O3 compiles it. IR: see compileToBitcode().
  frontend::Level level = frontend::Level::kOz;
  // "METRIC/initial" or "METRIC/BASELINE", each. Of an experiment both are 1 (env/reward.h), for programs
  // that can be run.
  std::vector<std::string> values;
  std::size_t cache_bytes = std::size_t{512} << 20;  // of programs; the least recently used go first
  // Whether programs that are reserved for final evaluation may be loaded.
  bool evaluation = false;
};

// One thread at a time.
class ProgramLibrary final : public env::ProgramSource {
 public:
  // `engine` outlives it. kInvalidArgument if a value is not one of the engine's.
  static Result<std::unique_ptr<ProgramLibrary>> create(Engine& engine, LibraryOptions options);

  // A program by URI or path, or a function of one (function_program.h). 20 ms for bitcode, about 50 ms for
  // source, and a compilation for each baseline; nothing if it is in the cache. kInvalidArgument for a
  // reserved program.
  Result<std::shared_ptr<const env::EpisodeProgram>> load(const std::string& uri) override;

  // URIs of the functions of a program, each a program by itself.
  Result<std::vector<std::string>> functions(const std::string& uri);

 private:
  struct Value {
    std::string name;
    std::string metric;
    std::optional<Baseline> baseline;     // none: the program as given
    std::optional<env::Action> own = {};  // the baseline, of a backend that is a worker only
  };
  // What clang's driver says, which depends on level, language and flags only.
  struct Driver {
    frontend::Pipeline pipeline;
    frontend::CodegenFlags codegen;
  };
  struct Entry {
    std::shared_ptr<const env::EpisodeProgram> program;
    std::list<std::string>::iterator age;
  };

  // A program as it is compiled, and what functions are taken from.
  struct Whole {
    datasets::Program program;
    frontend::Source source;
    std::shared_ptr<env::EpisodeProgram> ready;  // without values
    std::string inlined = {};                    // made when it is asked for
  };

  ProgramLibrary(Engine& engine, LibraryOptions options) : engine_(engine), options_(std::move(options)) {}

  Result<const Driver*> driver(const frontend::Source& source, frontend::Level level);
  Result<Whole> compile(const std::string& uri);
  // That with the functions of `uri`, which is kept until the next is asked for.
  Result<Whole*> wholeOf(const std::string& uri);
  Result<std::shared_ptr<const env::EpisodeProgram>> make(const std::string& uri);
  Result<std::shared_ptr<const env::EpisodeProgram>> read(const std::string& file);
  // What `metric` is after the spec's actions.
  Result<double> measure(env::SessionSpec spec, const Value& value);
  Result<double> measureCompiled(const frontend::Source& source, const env::EpisodeProgram& program,
                                 const Value& value);

  Engine& engine_;
  LibraryOptions options_;
  std::vector<Value> values_;
  std::map<std::string, Driver> drivers_;
  std::optional<Whole> whole_;   // whose functions were asked for last
  std::list<std::string> ages_;  // most recently used first
  std::unordered_map<std::string, Entry> cache_;
  std::size_t cached_bytes_ = 0;
};

}  // namespace ordo::engine

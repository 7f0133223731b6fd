// What surrounds a backend's sessions: what a program is compared with, how a result is proved with other
// tools than ours, and what is handed over in the end. Whatever tunes is written against this and
// env/session.h.
//
// There are two: stock LLVM (clang-22, opt-22), and that of a worker program and nothing else, for backends
// that bring no tools of their own (docs/recipes/add-a-backend.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::engine {

class Engine;
struct Input;

// Stateless; any number of threads at a time.
class Toolchain {
 public:
  // A way of compiling that people compare with.
  struct Reference {
    std::string name;
    std::vector<env::Action> actions;  // on the program as it was read
  };

  virtual ~Toolchain() = default;

  // How code is made of the program, as of env::SessionSpec::settings: an object of JSON, or "".
  virtual std::string settings(const Input& input) const = 0;

  // What the result has to better: its name, what is done to the program before it, and the action that it
  // is.
  virtual std::string baselineName(const Input& input) const = 0;
  virtual std::vector<env::Action> preparation(const Input& input) const = 0;
  virtual env::Action baseline(const Input& input) const = 0;

  // The convention of research beside it, if there is one.
  virtual std::optional<Reference> reference(const Input& input) const = 0;

  // That `actions` make the state of that hash of `program`, shown by other means than the session that found
  // it, in a sentence. kCorrupt if they make another.
  virtual Result<std::string> prove(Engine& engine, const Input& input, std::string_view program,
                                    const std::vector<env::Action>& actions, const Hash128& hash) const = 0;

  // What the user gets, made of the program that `actions` led to.
  virtual Result<std::string> emit(const Input& input, std::string_view program,
                                   const std::vector<env::Action>& actions) const = 0;

  // Makes a program at `executable`, ready to run, of what emit() made. `ldflags` come after the program's
  // own, and code begins `shift` bytes later than it would: how fast a program is depends on where its code
  // lies. kUnsupported where nothing of this backend runs by itself.
  virtual Status link(const Input& input, std::string_view object, const std::filesystem::path& executable,
                      const std::vector<std::string>& ldflags = {}, std::size_t shift = 0) const = 0;

  // Shell lines from the source to `object` without Ordo; none if there are no such tools.
  virtual Result<std::vector<std::string>> commands(const Input& input,
                                                    const std::vector<env::Action>& actions,
                                                    std::string_view object) const = 0;

  // Bytes of code in what emit() made, as an independent tool counts them; nothing if none does.
  virtual Result<std::optional<double>> codeBytes(std::string_view object) const = 0;

  // Whether what emit() makes runs on this machine: tests, and functions of two versions that are compared
  // (check/check.h).
  virtual bool runsHere(const Input& input) const = 0;
};

const Toolchain& stockLlvm();
const Toolchain& workerOnly();

}  // namespace ordo::engine

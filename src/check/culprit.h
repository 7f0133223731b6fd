// Which pass of a sequence makes a wrong result, and a file of everything that shows it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "differ/report.h"
#include "engine/input.h"
#include "env/session.h"
#include "support/error.h"

namespace ordo::check {

// Whether bitcode that passes made of the program does something else than the program.
using IsWrong = std::function<Result<bool>(const std::string& bitcode)>;

struct Culprit {
  std::size_t index = 0;  // of the action
  env::Action action;
  std::string before, after;  // bitcode

  // Its text, or for choices (env/choices.h) which functions have which passes.
  std::string shown() const;
};

// Finds the action after which the result is wrong, with stock opt-22, by halving. If what a pass did shows
// only after a later one, it may name the later. Of choices it leaves the function to blame, if one is alone.
// REQUIRES: the result of all `actions` is wrong.
Result<Culprit> findCulprit(const engine::Input& input, const std::vector<env::Action>& actions,
                            const IsWrong& wrong);

struct Bug {
  const engine::Input* input = nullptr;
  std::vector<env::Action> actions;
  std::string optimized;                             // bitcode
  std::string what;                                  // one line
  const differ::FunctionReport* function = nullptr;  // that shows it, if one does
  const Culprit* culprit = nullptr;                  // if it was found
};

// Writes original.bc, optimized.bc, before.bc (what the culprit was given), reduced.ll (what is left of that
// when llvm-reduce-22 has taken away what does not matter, if it is there and ends within `seconds`) and
// README.md, which says what is wrong and with which stock commands it comes about. `dir` is made if it does
// not exist.
Status saveBug(const Bug& bug, const std::filesystem::path& dir, double seconds);

}  // namespace ordo::check

// What `--methods` names: searchers, and programs beside Ordo.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "study/method.h"

namespace ordo::campaigns {

// Methods that this folder does not know how to make.
struct MethodFamily {
  std::string prefix;    // "agent": of names that are it, or go on with ':' or ' '
  std::string spelling;  // for people: "agent:MODEL"
  std::function<Result<study::Method>(const std::string& name)> make;
};

// The methods that `names` say, each once:
//   NAME                       a searcher
//   all                        every searcher
//   python:FILE.py[:FUNCTION]  a Python callable (docs/python.md); the function is `search` unless said
//   program:FILE [ARG...]      any program that speaks docs/formats/method.md
//   prior:FILE:SEARCHER        a searcher that begins with proposals (docs/formats/proposals.md)
//   peer/NAME                  another tuner, driven by python/ordo/peers/NAME.py
//   peers                      each of those
// and what one of `families` makes.
// The name of a file's method ends in a hash of the file, so that results of another version of it are not
// taken for its own. Every program is started once, so that one that cannot start is an error now: kNotFound
// if there is no such file or searcher, else kUnavailable with what it said and the remedy. `stop` ends a
// method at work.
Result<std::vector<study::Method>> chooseMethods(const std::vector<std::string>& names,
                                                 const std::atomic<bool>* stop,
                                                 const std::vector<MethodFamily>& families = {});

// The Python that runs methods: $ORDO_PYTHON, or python3.
std::string methodPython();

}  // namespace ordo::campaigns

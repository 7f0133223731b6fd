// Methods that are programs of their own: they run as a child process and speak docs/formats/method.md.
// Their sequences go through the same context, evaluator and budget as a searcher's, so that both are
// counted alike. Whatever such a program does, a run ends with a result or with a failure that says why.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "study/method.h"

namespace ordo::study {

struct ExternalProgram {
  std::vector<std::string> argv;
  std::vector<std::string> environment = {};  // "NAME=value" each, in place of ours
  double silence_s = 600;                     // the longest it may think about one proposal, or its start
  double grace_s = 5;                         // for its end, once there is nothing left to do
  const std::atomic<bool>* stop = nullptr;    // ends it soon after it becomes true
};

// One process per run.
Method externalMethod(std::string name, ExternalProgram program);

// Starts the program and ends it once it has said that it is ready. Fails with its last words if it does not.
Status probe(const ExternalProgram& program);

}  // namespace ordo::study

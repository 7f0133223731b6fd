// A program on the bench: an engine, with the program opened twice. One is looked at, under a mutex; the
// other is searched, so that what a search counts and what somebody looks at meanwhile do not meet.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "agent/host.h"
#include "support/error.h"
#include "tune/journal.h"
#include "web/program_view.h"
#include "web/search_run.h"
#include "web/states.h"

namespace ordo::web {

struct Bench {
  // Errors as of agent::Host::open() and OpenedProgram::read().
  static Result<std::shared_ptr<Bench>> open(const ProgramSpec& spec);

  explicit Bench(std::unique_ptr<agent::Host> opened)
      : host(std::move(opened)), program(*host->find("")), states(program) {}

  const std::unique_ptr<agent::Host> host;
  agent::OpenedProgram& program;             // the host's
  std::optional<tune::Reference> reference;  // nothing where there is none, or it cannot be compiled
  std::mutex mutex;                          // guards `states`, and what of the program changes
  States states;
  SearchRun search;  // guards itself
};

}  // namespace ordo::web

// What a language model would try first on programs: for `ordo agent propose`, which keeps it, and for
// `ordo tune --prior`, which begins with it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agent/host.h"
#include "agent/model.h"
#include "agent/propose.h"
#include "support/error.h"

namespace ordo::cli {

// A model at work, and the programs that it is asked about.
class Proposer {
 public:
  // Starts the model, which takes seconds, and an engine. Errors as of agent::openModel().
  static Result<std::unique_ptr<Proposer>> start(const std::string& model);

  // Opens the program, asks, and forgets it. Errors as of agent::Host::open() and agent::propose().
  Result<prior::Proposals> propose(agent::OpenRequest request, const agent::ProposeOptions& options);

 private:
  Proposer(std::unique_ptr<agent::Host> host, std::unique_ptr<agent::Model> model)
      : host_(std::move(host)), model_(std::move(model)) {}

  std::unique_ptr<agent::Host> host_;
  std::unique_ptr<agent::Model> model_;
};

// What `ordo tune --prior` asks: a model, or the file of one that was asked before.
class Prior {
 public:
  // `what` is "agent", a file of `ordo agent propose`, or "" for none.
  static Result<Prior> open(const std::string& what, const std::string& model);

  // The names of the actions of sequences to begin with. `uri` is how a file knows the program. kNotFound if
  // a file has nothing for it; errors as of Proposer::propose().
  Result<std::vector<std::vector<std::string>>> sequences(const std::string& uri,
                                                          const agent::OpenRequest& request);

 private:
  std::unique_ptr<Proposer> proposer_;
  prior::File file_;
  std::string path_;  // its
};

// Adds `ordo agent propose`. What is returned runs it and says the exit code, or nothing if it was not asked
// for.
std::function<std::optional<int>()> addPropose(CLI::App& agent);

}  // namespace ordo::cli

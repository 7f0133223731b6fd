#include "cli/prior.h"

#include "cli/terminal.h"

namespace ordo::cli {

Result<std::unique_ptr<Proposer>> Proposer::start(const std::string& model) {
  ORDO_TRY_ASSIGN(std::unique_ptr<agent::Host> host,
                  agent::Host::start({.knowledge = "none", .policy = "none", .stop = &interrupted()}));
  ORDO_TRY_ASSIGN(std::unique_ptr<agent::Model> opened, agent::openModel(model, {.stop = &interrupted()}));
  return std::unique_ptr<Proposer>(new Proposer(std::move(host), std::move(opened)));
}

Result<prior::Proposals> Proposer::propose(agent::OpenRequest request, const agent::ProposeOptions& options) {
  ORDO_TRY_ASSIGN(const std::string handle, host_->open(request));
  return agent::propose(*host_, handle, *model_, options);
}

Result<Prior> Prior::open(const std::string& what, const std::string& model) {
  Prior prior;
  if (what == "agent") {
    ORDO_TRY_ASSIGN(prior.proposer_, Proposer::start(model));
  } else if (!what.empty()) {
    prior.path_ = what;
    ORDO_TRY_ASSIGN(prior.file_, prior::read(what));
  }
  return prior;
}

Result<std::vector<std::vector<std::string>>> Prior::sequences(const std::string& uri,
                                                               const agent::OpenRequest& request) {
  if (proposer_ != nullptr) {
    agent::ProposeOptions options;
    options.sampling.seed = request.seed;
    ORDO_TRY_ASSIGN(const prior::Proposals proposals, proposer_->propose(request, options));
    return proposals.sequences();
  }
  if (path_.empty()) return {};
  const prior::Proposals* const proposals = file_.find(uri, request.objective);
  if (proposals == nullptr)
    return fail(ErrorCode::kNotFound, "{} proposes nothing for {} of {}", path_, request.objective, uri);
  return proposals->sequences();
}

}  // namespace ordo::cli

#include "cli/kernel_beside.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/objective.h"
#include "timing/session_experiment.h"

namespace ordo::cli {
namespace {

constexpr double kBesideSeconds = 3;  // for each

}  // namespace

std::vector<Beside> measureBeside(env::Session& result, std::string_view source, engine::KernelRivals rivals,
                                  const Clock& clock, std::uint64_t seed) {
  const Result<std::unique_ptr<engine::KernelPeers>> peers =
      engine::KernelPeers::start(result, source, rivals);
  if (!peers) return {{{"", "", peers.error().message}, {}}};
  std::vector<Beside> all;
  for (const engine::KernelPeer& peer : (*peers)->all()) {
    Beside& beside = all.emplace_back(Beside{peer, {}});
    if (peer.version.empty()) continue;
    timing::SessionExperiment experiment([&] { return (*peers)->time(peer.name); },
                                         {[&] { return result.measure(engine::kKernelTime); }}, clock);
    Result<env::Claim> claim = experiment.ask(0, {.budget_s = kBesideSeconds, .seed = seed});
    if (claim)
      beside.claim = *std::move(claim);
    else
      beside.peer.why = claim.error().message;
  }
  return all;
}

void print(const std::vector<Beside>& beside, double flops) {
  for (const Beside& one : beside) {
    const std::string& name = one.peer.name.empty() ? "libraries" : one.peer.name;
    if (!one.claim) {
      fmt::print("  {:13} not measured: {}\n", name, one.peer.why);
      continue;
    }
    const double ns = one.claim->baseline.value_or(0);
    fmt::print("  {:13} {:.4g} ms, {:.1f} GF/s ({}); {}\n", name, ns / 1e6, flops / ns, one.peer.version,
               one.claim->why);
  }
}

Json toJson(const std::vector<Beside>& beside) {
  Json all = Json::array();
  for (const Beside& one : beside) {
    Json json = {{"name", one.peer.name}, {"version", one.peer.version}, {"why_not", one.peer.why}};
    if (one.claim) {
      json["time_ns"] = one.claim->baseline.value_or(0);
      json["claim"] = one.claim->why;
      if (const auto& effect = one.claim->effect)
        json["speedup"] = {std::exp(effect->value), std::exp(effect->low), std::exp(effect->high)};
    }
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace ordo::cli

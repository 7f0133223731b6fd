#include "mlir/learned/estimator.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "mlir/model/cost.h"
#include "mlir/model/operation_features.h"
#include "support/files.h"

namespace ordo::learned {
namespace {

constexpr std::string_view kFormat = "kernels-1";

std::string featureLines() { return fmt::format("{}", fmt::join(model::operationFeatureNames(), "\n")); }

}  // namespace

Result<Estimator> Estimator::load(const std::filesystem::path& path) {
  ORDO_TRY_ASSIGN(const std::string bytes, readFile(path));
  return parse(bytes, path.string());
}

Result<Estimator> Estimator::parse(std::string_view bytes, std::string_view name) {
  ORDO_TRY_ASSIGN(policy::SafeTensors file, policy::parseSafetensors(bytes, name));
  for (const char* key : {"format", "features", "provenance"}) {
    if (!file.metadata.contains(key))
      return fail(ErrorCode::kCorrupt, "{}: the metadata '{}' is missing", name, key);
  }
  if (file.metadata.size() > 3) return fail(ErrorCode::kCorrupt, "{}: there is unknown metadata", name);
  if (file.metadata["format"] != kFormat) {
    return fail(ErrorCode::kUnsupported,
                "{} is weights of format '{}', and those of kernels are of format {}", name,
                file.metadata["format"], kFormat);
  }
  if (file.metadata["features"] != featureLines()) {
    return fail(ErrorCode::kUnsupported,
                "{} was trained on other features than this Ordo has; train it anew: ordo train kernels",
                name);
  }
  // Tensors of network N begin with "N.".
  std::map<std::string, std::vector<policy::Tensor>> of;
  for (policy::Tensor& tensor : file.tensors) {
    const std::size_t dot = std::min(tensor.name.find('.'), tensor.name.size());
    const std::string whose = tensor.name.substr(0, dot);
    tensor.name.erase(0, dot + 1);
    of[whose].push_back(std::move(tensor));
  }
  const std::size_t inputs = model::operationFeatureNames().size();
  std::vector<policy::Network> networks;
  for (const auto& [whose, tensors] : of) {
    ORDO_TRY_ASSIGN(policy::Network network, policy::Network::create(policy::Architecture::kResidual, tensors,
                                                                     fmt::format("{}: {}", name, whose)));
    if (network.shape().inputs != inputs || network.shape().actions != 1) {
      return fail(ErrorCode::kCorrupt,
                  "{}: the network takes {} numbers and gives {}; it should take {} and give 1", name,
                  network.shape().inputs, network.shape().actions, inputs);
    }
    networks.push_back(std::move(network));
  }
  if (networks.empty()) return fail(ErrorCode::kCorrupt, "{}: there is no network", name);
  return Estimator(std::move(networks), std::move(file.metadata["provenance"]));
}

double Estimator::cycles(const model::Schedule& schedule) const {
  thread_local policy::Network::Scratch scratch;
  std::vector<double> cycles(networks_.size(), 0);
  for (std::size_t i = 0; i < schedule.kernel().operations.size(); ++i) {
    const double cost = model::cost(schedule, i);
    if (cost <= 0) continue;
    const std::vector<float> features = model::operationFeatures(schedule, i);
    for (std::size_t j = 0; j < networks_.size(); ++j) {
      const auto factor = static_cast<double>(networks_[j].evaluate(features, scratch).logits[0]);
      cycles[j] += cost * std::exp(std::clamp(factor, -kMostFactor, kMostFactor));
    }
  }
  for (double& each : cycles) each = std::log(std::max(each, 1e-9));
  return std::exp(together(cycles));
}

double together(std::span<const double> log_cycles) {
  const auto count = static_cast<double>(log_cycles.size());
  const double mean = std::accumulate(log_cycles.begin(), log_cycles.end(), 0.0) / count;
  double variance = 0;
  for (const double each : log_cycles) variance += (each - mean) * (each - mean) / count;
  return mean + std::sqrt(variance);
}

std::string writeEstimator(std::span<const std::vector<policy::Tensor>> networks,
                           const std::string& provenance) {
  policy::SafeTensors file;
  file.metadata = {
      {"format", std::string(kFormat)}, {"features", featureLines()}, {"provenance", provenance}};
  for (std::size_t i = 0; i < networks.size(); ++i) {
    for (const policy::Tensor& tensor : networks[i]) {
      file.tensors.push_back(tensor);
      file.tensors.back().name = fmt::format("{}.{}", i, tensor.name);
    }
  }
  return policy::writeSafetensors(file);
}

}  // namespace ordo::learned

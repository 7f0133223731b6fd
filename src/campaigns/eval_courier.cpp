#include "campaigns/eval_courier.h"

#include <fmt/ranges.h>

#include "campaigns/parcel.h"

namespace ordo::campaigns {
namespace {

constexpr const char* kStudy = "study.sqlite";

}  // namespace

Status EvalCourier::send(std::size_t number, const study::RunPacket& runs) {
  const study::RunKey& first = runs.front();
  std::vector<std::string> methods;
  for (const study::RunKey& key : runs) methods.push_back(key.method);
  cluster::Packet packet{.arguments = {"eval", "--quiet", "--jobs=1", "--seeds=1"}};
  ORDO_TRY(addProgram(first.program, packet));
  addLearned(options_.space, options_.learned, packet);
  for (const auto& [option, value] : std::initializer_list<std::pair<const char*, std::string>>{
           {"--methods", fmt::format("{}", fmt::join(methods, ","))},
           {"--objectives", first.objective},
           {"--first-seed", std::to_string(first.seed)},
           {"--compiles", std::to_string(options_.compiles)},
           {"--max-length", std::to_string(options_.max_length)},
           {"--study", kStudy}})
    packet.arguments.insert(packet.arguments.end(), {option, value});
  if (options_.evaluation) packet.arguments.emplace_back("--evaluation");
  packet.output = kStudy;
  return cluster_.send(number, packet);
}

Result<study::Courier::Arrival> EvalCourier::receive() {
  ORDO_TRY_ASSIGN(const cluster::Arrival arrival, cluster_.receive());
  ORDO_TRY(arrival.made());
  ORDO_TRY_ASSIGN(study::Study study, study::readStudy(arrival.output));
  std::error_code ignored;
  std::filesystem::remove(arrival.output, ignored);
  return Arrival{static_cast<std::size_t>(arrival.packet), std::move(study)};
}

}  // namespace ordo::campaigns

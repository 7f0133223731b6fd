#include "campaigns/mine_packets.h"

#include <algorithm>
#include <filesystem>

#include "campaigns/parcel.h"
#include "support/files.h"

namespace ordo::campaigns {
namespace {

constexpr const char* kFile = "knowledge.json";

}  // namespace

Result<search::KnowledgeFile> MinePackets::mine(const std::string& uri) {
  ORDO_CHECK(std::ranges::find(programs_, uri) != programs_.end(), "nobody was to mine it");
  for (;;) {
    while (sent_ < programs_.size() && cluster_.hasRoom()) {
      ORDO_TRY_ASSIGN(const cluster::Packet packet, packetOf(programs_[sent_]));
      ORDO_TRY(cluster_.send(sent_++, packet));
    }
    if (auto found = arrived_.extract(uri)) return std::move(found.mapped());
    ORDO_TRY(receive());
  }
}

Result<cluster::Packet> MinePackets::packetOf(const std::string& uri) const {
  cluster::Packet packet{.arguments = {"mine", "--jobs=1", "--coreset=0"}};
  ORDO_TRY(addProgram(uri, packet));
  addSpace(space_, packet);
  for (const auto& [option, value] : std::initializer_list<std::pair<const char*, std::string>>{
           {"--objective", options_.objective},
           {"--baseline", options_.baseline.name()},
           {"--observation", options_.observation},
           {"--budget", options_.budget_text},
           {"--searcher", std::string(options_.searcher->name)},
           {"--max-instructions", std::to_string(options_.max_instructions)},
           {"--seed", std::to_string(options_.seed)},
           {"--output", kFile}})
    packet.arguments.insert(packet.arguments.end(), {option, value});
  packet.output = kFile;
  return packet;
}

Status MinePackets::receive() {
  ORDO_TRY_ASSIGN(const cluster::Arrival arrival, cluster_.receive());
  ORDO_TRY(arrival.made());
  const std::string& uri = programs_[arrival.packet];
  ORDO_TRY_ASSIGN(const std::string text, readFile(arrival.output));
  ORDO_TRY_ASSIGN(search::KnowledgeFile mined, search::parseKnowledge(text, uri + " of " + arrival.node));
  std::error_code ignored;
  std::filesystem::remove(arrival.output, ignored);
  if (mined.programs.empty() && options_.note)
    options_.note(std::string_view(arrival.words).substr(0, arrival.words.find_last_not_of('\n') + 1));
  arrived_.emplace(uri, std::move(mined));
  return {};
}

}  // namespace ordo::campaigns

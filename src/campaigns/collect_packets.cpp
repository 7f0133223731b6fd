// A packet is the missing runs of one program for one objective with one seed. A program that is left out is
// so in each of its packets; the file has that once.
#include "campaigns/collect_packets.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <variant>

#include "campaigns/parcel.h"
#include "experience/reader.h"
#include "support/clock.h"

namespace ordo::campaigns {
namespace {

using experience::RunKey;

constexpr const char* kFile = "experience.jsonl";

class Dispatch {
 public:
  Dispatch(cluster::Cluster& cluster, const experience::Header& header, experience::Writer& writer,
           const CollectOptions& options)
      : cluster_(cluster), header_(header), writer_(writer), options_(options) {
    for (std::uint64_t seed = options.first_seed; seed < options.first_seed + options.seeds; ++seed) {
      for (const std::string& uri : options.programs) {
        for (const search::Objective& objective : options.objectives) plan(uri, objective.metric, seed);
      }
    }
  }

  Result<CollectProgress> run(const std::string& space, const engine::Learned& learned) {
    std::size_t sent = 0, arrived = 0;
    while (arrived < packets_.size() && !stopped()) {
      while (sent < packets_.size() && cluster_.hasRoom()) {
        ORDO_TRY_ASSIGN(const cluster::Packet packet, packetOf(packets_[sent], space, learned));
        ORDO_TRY(cluster_.send(sent++, packet));
      }
      Result<cluster::Arrival> arrival = cluster_.receive();
      if (!arrival && arrival.error().code == ErrorCode::kDeadlineExceeded && stopped()) break;
      if (!arrival) return fail(std::move(arrival).error());
      ORDO_TRY(take(*arrival));
      ++arrived;
    }
    progress_.seconds = SteadyClock().seconds() - start_s_;
    progress_.stopped = progress_.done + progress_.left_out < progress_.total;
    return progress_;
  }

 private:
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  void plan(const std::string& uri, const std::string& objective, std::uint64_t seed) {
    std::vector<RunKey> packet;
    for (const search::SearcherInfo* const searcher : options_.searchers) {
      RunKey key{uri, objective, std::string(searcher->name), seed};
      ++progress_.total;
      if (writer_.runs().contains(key))
        ++progress_.done;
      else if (writer_.leavesOut(uri, objective))
        ++progress_.left_out;
      else
        packet.push_back(std::move(key));
    }
    if (!packet.empty()) packets_.push_back(std::move(packet));
  }

  Result<cluster::Packet> packetOf(const std::vector<RunKey>& runs, const std::string& space,
                                   const engine::Learned& learned) const {
    const RunKey& first = runs.front();
    std::vector<std::string> searchers, observations;
    for (const RunKey& key : runs) searchers.push_back(key.searcher);
    for (const experience::ObservationInfo& one : header_.observations) observations.push_back(one.name);
    if (observations.empty()) observations.emplace_back("none");
    cluster::Packet packet{.arguments = {"collect", "--quiet", "--jobs=1", "--seeds=1"}};
    ORDO_TRY(addProgram(first.uri, packet));
    addLearned(space, learned, packet);
    for (const auto& [option, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {"--searchers", fmt::format("{}", fmt::join(searchers, ","))},
             {"--objectives", first.objective},
             {"--first-seed", std::to_string(first.seed)},
             {"--budget", header_.budget},
             {"--max-instructions", std::to_string(header_.max_instructions)},
             {"--max-length", std::to_string(header_.max_length)},
             {"--best", std::to_string(header_.best)},
             {"--observations", fmt::format("{}", fmt::join(observations, ","))},
             {"--output", kFile}})
      packet.arguments.insert(packet.arguments.end(), {option, value});
    packet.output = kFile;
    return packet;
  }

  // Adds what a packet has come to.
  Status take(const cluster::Arrival& arrival) {
    ORDO_TRY(arrival.made());
    const std::vector<RunKey>& packet = packets_[arrival.packet];
    ORDO_TRY_ASSIGN(experience::Reader reader, experience::Reader::open(arrival.output));
    if (reader.header() != header_) {
      return fail(ErrorCode::kCorrupt, "{} has another Ordo or LLVM ({} {})", arrival.node,
                  reader.header().backend, reader.header().version);
    }
    std::size_t runs = 0;
    for (;;) {
      ORDO_TRY_ASSIGN(std::optional<experience::Record> record, reader.next());
      if (!record) break;
      if (const auto* const run = std::get_if<experience::Run>(&*record)) {
        if (std::ranges::find(packet, run->key) == packet.end())
          return fail(ErrorCode::kCorrupt, "{} made a run of {} unasked", arrival.node, run->key.uri);
        const RunKey key = run->key;
        ORDO_TRY(writer_.add(*record));
        ++runs;
        count(key);
      } else {
        ORDO_TRY(leaveOut(std::get<experience::Omission>(*record), packet.front()));
      }
    }
    progress_.left_out += packet.size() - runs;
    std::error_code ignored;
    std::filesystem::remove(arrival.output, ignored);
    return {};
  }

  Status leaveOut(const experience::Omission& omission, const RunKey& wanted) {
    if (omission.uri != wanted.uri) return fail(ErrorCode::kCorrupt, "{} was left out unasked", omission.uri);
    if (writer_.leavesOut(wanted.uri, wanted.objective)) return {};
    if (options_.note) options_.note(fmt::format("{} is left out: {}", omission.uri, omission.reason));
    return writer_.add(omission);
  }

  void count(const RunKey& key) {
    ++progress_.done;
    progress_.countMade(SteadyClock().seconds() - start_s_);
    if (options_.on_run) options_.on_run(progress_, key);
  }

  cluster::Cluster& cluster_;
  const experience::Header& header_;
  experience::Writer& writer_;
  const CollectOptions& options_;
  std::vector<std::vector<RunKey>> packets_;
  CollectProgress progress_;
  const double start_s_ = SteadyClock().seconds();
};

}  // namespace

Result<CollectProgress> collectElsewhere(cluster::Cluster& cluster, const std::string& space,
                                         const engine::Learned& learned, const experience::Header& header,
                                         experience::Writer& writer, const CollectOptions& options) {
  return Dispatch(cluster, header, writer, options).run(space, learned);
}

}  // namespace ordo::campaigns

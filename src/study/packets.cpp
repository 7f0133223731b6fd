#include "study/packets.h"

#include <algorithm>
#include <map>

namespace ordo::study {
namespace {

// What came back for `packet` is exactly that, made the same way.
Status check(const Study& study, const Settings& settings, const RunPacket& packet) {
  if (study.settings != settings) {
    const Settings& theirs = study.settings;
    return fail(ErrorCode::kCorrupt,
                "a packet of {} was made with another Ordo or LLVM: {} on {} instead of {} on {}",
                packet.front().program, theirs.backend, theirs.target, settings.backend, settings.target);
  }
  RunPacket wanted = packet, made;
  for (const Run& run : study.runs) made.push_back(run.key);
  std::ranges::sort(wanted);
  std::ranges::sort(made);
  if (made != wanted || study.programs.size() != 1 || study.programs.front().uri != packet.front().program) {
    return fail(ErrorCode::kCorrupt, "a packet of {} runs of {} came back with {} runs of {} programs",
                packet.size(), packet.front().program, made.size(), study.programs.size());
  }
  return {};
}

}  // namespace

std::vector<RunPacket> packetsOf(const Plan& plan, const std::set<RunKey>& finished) {
  std::vector<RunPacket> packets;
  for (const RunKey& key : plan.runs()) {
    if (finished.contains(key)) continue;
    const RunKey* const before = packets.empty() ? nullptr : &packets.back().front();
    if (before == nullptr || before->program != key.program || before->objective != key.objective ||
        before->seed != key.seed)
      packets.emplace_back();
    packets.back().push_back(key);
  }
  return packets;
}

Result<Outcome> runPackets(Courier& courier, StudyWriter& writer, const Settings& settings, const Plan& plan,
                           const RunnerOptions& options) {
  const auto stopped = [&] { return options.stop != nullptr && options.stop->load(); };
  const std::vector<RunPacket> packets = packetsOf(plan, writer.finished());
  std::size_t missing = 0;
  for (const RunPacket& packet : packets) missing += packet.size();
  const std::size_t total = plan.runs().size();
  Progression progression(total, total - missing);
  std::map<std::string, std::string> suites;
  for (const Plan::Entry& entry : plan.programs) suites.emplace(entry.uri, entry.suite);

  std::size_t sent = 0, arrived = 0;
  while (arrived < packets.size() && !stopped()) {
    while (sent < packets.size() && courier.hasRoom()) {
      ORDO_TRY(courier.send(sent, packets[sent]));
      ++sent;
    }
    Result<Courier::Arrival> arrival = courier.receive();
    if (!arrival && arrival.error().code == ErrorCode::kDeadlineExceeded && stopped()) break;
    if (!arrival) return fail(std::move(arrival).error());
    Study& study = arrival->study;
    ORDO_TRY(check(study, settings, packets[arrival->number]));
    study.programs.front().suite = suites.at(study.programs.front().uri);
    ORDO_TRY(writer.add(study.programs.front()));
    for (const Run& run : study.runs) {
      ORDO_TRY(writer.add(run));
      const Progress& now = progression.add(run);
      if (options.on_run) options.on_run(now, run);
    }
    ++arrived;
  }
  return Outcome{progression.now(), stopped()};
}

}  // namespace ordo::study

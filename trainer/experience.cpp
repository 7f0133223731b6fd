#include "trainer/experience.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "campaigns/collect_run.h"
#include "datasets/harvest_store.h"
#include "experience/reader.h"
#include "experience/writer.h"
#include "policy/encoder.h"
#include "support/child.h"
#include "support/files.h"
#include "support/interrupt.h"

namespace ordo::trainer {
namespace {

Status keep(const Experience& experience, const std::string& path) {
  const std::string beside = path + ".new";
  std::error_code failed;
  std::filesystem::remove(beside, failed);  // of a training that was ended; if not, the Writer says so
  {
    ORDO_TRY_ASSIGN(const std::unique_ptr<experience::Writer> writer,
                    experience::Writer::open(beside, experience.header));
    for (const experience::Run& run : experience.runs) ORDO_TRY(writer->add(run));
  }
  std::filesystem::rename(beside, path, failed);
  if (failed) return fail(ErrorCode::kUnavailable, "cannot write {}: {}", path, failed.message());
  return {};
}

// The end of a child that works for us: who interrupts us alone (kill, a service manager) means it too.
std::optional<int> awaitEndOfOurs(int pid) {
  while (!interrupted()) {
    int status = 0;
    if (::waitpid(pid, &status, WNOHANG) == pid) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ::kill(pid, SIGINT);
  return awaitEnd(pid);
}

}  // namespace

std::vector<experience::ObservationInfo> observed() {
  std::vector<experience::ObservationInfo> all;
  for (const policy::Input& input : policy::kInputs)
    all.push_back({std::string(input.name), input.version, input.dtype, input.width});
  return all;
}

Result<Experience> readExperience(const std::string& path) {
  ORDO_TRY_ASSIGN(experience::Reader reader, experience::Reader::open(path));
  Experience all{reader.header(), {}, {}};
  while (true) {
    ORDO_TRY_ASSIGN(std::optional<experience::Record> record, reader.next());
    if (!record) break;
    auto* const run = std::get_if<experience::Run>(&*record);
    if (run == nullptr) continue;
    run->tried = {};
    all.runs.push_back(std::move(*run));
  }
  all.trials = reader.trials();
  return all;
}

std::vector<std::string> programsIn(const Experience& experience) {
  std::set<std::string> uris;
  for (const experience::Run& run : experience.runs) uris.insert(run.key.uri);
  return {uris.begin(), uris.end()};
}

Status harvestFirst(const Experience& experience, unsigned jobs,
                    const std::function<void(std::string_view)>& note) {
  constexpr std::string_view kDataset = "debian/";
  const datasets::HarvestStore store = datasets::HarvestStore::standard();
  std::set<std::string> packages;
  for (const std::string& uri : programsIn(experience)) {
    if (!uri.starts_with(kDataset)) continue;
    const std::string package = uri.substr(kDataset.size(), uri.find('/', kDataset.size()) - kDataset.size());
    if (!std::filesystem::exists(store.recordPath(package))) packages.insert(package);
  }
  if (packages.empty()) return {};
  note(fmt::format(
      "{} packages of Debian that it is of are not here: harvesting them into {} first, a minute or more "
      "each; what is done is kept (ordo dataset harvest)",
      packages.size(), store.dir().string()));
  std::vector<std::string> command{(installPrefix() / "bin" / "ordo").string(), "dataset", "harvest",
                                   "--jobs", std::to_string(jobs)};
  command.insert(command.end(), packages.begin(), packages.end());
  ORDO_TRY_ASSIGN(const int pid, startBeside(command));
  const std::optional<int> status = awaitEndOfOurs(pid);
  if (interrupted()) return fail(ErrorCode::kUnavailable, "interrupted while its programs were harvested");
  // Packages that gave nothing are said by then; what they had is left out, as it is of any training.
  if (!store.packages().empty()) return {};
  return fail(
      ErrorCode::kUnavailable, "no package was harvested ({}), and without programs nothing can be learned",
      status && WIFEXITED(*status) ? fmt::format("exit code {}", WEXITSTATUS(*status)) : "it was ended");
}

Status restore(Experience& experience, campaigns::Stage& stage,
               const std::function<void(std::string_view)>& note) {
  experience.header.observations = observed();
  std::map<std::string, std::vector<experience::Run*>> by_program;
  for (experience::Run& run : experience.runs) by_program[run.key.uri].push_back(&run);
  const std::vector<std::string> uris = programsIn(experience);
  std::atomic<std::size_t> lost = 0;
  std::mutex noting;
  const auto replay = [&](std::size_t i, study::Site& site, Result<const study::Subject*> subject) -> Status {
    std::vector<experience::Run*>& runs = by_program[uris[i]];
    const auto replayed = [&]() -> Status {
      if (!subject) return fail(std::move(subject).error());
      if (!std::ranges::equal((*subject)->spec.actions, experience.header.actions, {}, &env::Action::name))
        return fail(ErrorCode::kUnsupported, "{} has other actions now", uris[i]);
      ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, site.backend().open((*subject)->spec));
      ORDO_TRY_ASSIGN(const Hash128 hash, session->stateHash());
      if (hash != runs.front()->hash)
        return fail(ErrorCode::kUnsupported, "{} is another program now", uris[i]);
      for (experience::Run* const run : runs)
        ORDO_TRY(campaigns::restoreStates(*session, experience.header.observations, *run));
      return {};
    };
    const Status done = replayed();
    if (done) return {};
    if (done.error().code == ErrorCode::kInternal) return done;
    {
      const std::lock_guard lock(noting);
      note(fmt::format("left out: {}", done.error().message));
    }
    for (experience::Run* const run : runs) run->best.clear();
    ++lost;
    return {};
  };
  ORDO_TRY(stage.forEach(uris, replay));
  if (lost == uris.size())
    return fail(ErrorCode::kNotFound,
                "none of the programs is here as it was; harvest them anew (ordo dataset harvest --all)");
  return {};
}

Status restoreOnce(Experience& experience, const std::string& path, campaigns::Stage& stage,
                   const std::function<void(std::string_view)>& note) {
  if (!std::filesystem::exists(path)) {
    ORDO_TRY(restore(experience, stage, note));
    return keep(experience, path);
  }
  ORDO_TRY_ASSIGN(Experience kept, readExperience(path));
  experience::Header wanted = experience.header;
  wanted.observations = observed();
  const auto key = [](const experience::Run& run) { return run.key; };
  if (kept.header != wanted || !std::ranges::equal(kept.runs, experience.runs, {}, key, key))
    return fail(ErrorCode::kInvalidArgument, "{} is of other experience; remove it, or name another file",
                path);
  std::set<std::string> lost;
  for (const experience::Run& run : kept.runs)
    if (run.best.empty()) lost.insert(run.key.uri);
  if (!lost.empty())
    note(fmt::format("{} lacks {} of {} programs, which were not here; remove it once they are", path,
                     lost.size(), programsIn(kept).size()));
  experience = std::move(kept);
  return {};
}

}  // namespace ordo::trainer

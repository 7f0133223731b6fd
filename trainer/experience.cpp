#include "trainer/experience.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>

#include "app/collect_run.h"
#include "experience/reader.h"
#include "policy/encoder.h"

namespace ordo::trainer {

Result<Experience> readExperience(const std::string& path) {
  ORDO_TRY_ASSIGN(experience::Reader reader, experience::Reader::open(path));
  Experience all{reader.header(), {}};
  while (true) {
    ORDO_TRY_ASSIGN(std::optional<experience::Record> record, reader.next());
    if (!record) break;
    auto* const run = std::get_if<experience::Run>(&*record);
    if (run == nullptr) continue;
    run->tried = {};
    all.runs.push_back(std::move(*run));
  }
  return all;
}

std::vector<std::string> programsIn(const Experience& experience) {
  std::set<std::string> uris;
  for (const experience::Run& run : experience.runs) uris.insert(run.key.uri);
  return {uris.begin(), uris.end()};
}

Status restore(Experience& experience, app::Stage& stage, const std::function<void(std::string_view)>& note) {
  for (const policy::Input& input : policy::kInputs)
    experience.header.observations.push_back(
        {std::string(input.name), input.version, input.dtype, input.width});
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
        ORDO_TRY(app::restoreStates(*session, experience.header.observations, *run));
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
    return fail(ErrorCode::kNotFound, "none of the programs is here; harvest them first (ordo harvest)");
  return {};
}

}  // namespace ordo::trainer

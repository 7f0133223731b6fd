// A file of experience as training needs it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/stage.h"
#include "experience/experience.h"
#include "experience/trial.h"
#include "support/error.h"

namespace ordo::trainer {

// Without what was tried: only the best sequences are learned from.
struct Experience {
  experience::Header header;
  std::vector<experience::Run> runs;
  std::vector<experience::Trial> trials = {};  // of production, oldest first
};

// What a policy sees of states.
std::vector<experience::ObservationInfo> observed();

// The errors of a Reader.
Result<Experience> readExperience(const std::string& path);

// The programs of all runs, each once.
std::vector<std::string> programsIn(const Experience& experience);

// Harvests the packages of Debian that the experience is of and that never were, by `ordo dataset harvest`,
// which tells of its progress itself. kUnavailable if afterwards there are none at all, or if it was
// interrupted.
Status harvestFirst(const Experience& experience, unsigned jobs,
                    const std::function<void(std::string_view)>& note);

// Gives a slim file its states again, by replaying its best sequences. Programs that are not to be had, or
// are not what they were, lose their sequences, and `note` is told. kNotFound if that is all of them.
Status restore(Experience& experience, campaigns::Stage& stage,
               const std::function<void(std::string_view)>& note);

// restore(), once for all trainings: what it gives is kept in `path`, a file of experience, and from then on
// read from there; `note` is told how many programs had been left out. kInvalidArgument if `path` is of other
// experience, and the errors of a Reader and a Writer. The file appears whole or not at all.
Status restoreOnce(Experience& experience, const std::string& path, campaigns::Stage& stage,
                   const std::function<void(std::string_view)>& note);

}  // namespace ordo::trainer

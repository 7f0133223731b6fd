// A file of experience as training needs it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/stage.h"
#include "experience/experience.h"
#include "support/error.h"

namespace ordo::trainer {

// Without what was tried: only the best sequences are learned from.
struct Experience {
  experience::Header header;
  std::vector<experience::Run> runs;
};

// The errors of a Reader.
Result<Experience> readExperience(const std::string& path);

// The programs of all runs, each once.
std::vector<std::string> programsIn(const Experience& experience);

// Gives a slim file its states again, by replaying its best sequences. Programs that are not to be had, or
// are not what they were, lose their sequences, and `note` is told. kNotFound if that is all of them.
Status restore(Experience& experience, app::Stage& stage, const std::function<void(std::string_view)>& note);

}  // namespace ordo::trainer

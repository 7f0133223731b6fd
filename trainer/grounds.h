// Which programs a policy practises on, and which it is judged by.
#pragma once

#include <string>
#include <vector>

#include "campaigns/stage.h"
#include "support/error.h"
#include "trainer/experience.h"

namespace ordo::trainer {

// A program to practise on.
struct Ground {
  std::string uri;
  double instructions = 0;  // as given
};

// The programs of experience that are there, and as many more of the training split before the larger ones
// go: those with at most so many instructions. Only the latter are made ready for that. kInvalidArgument if a
// program of the experience may not be trained on.
Result<std::vector<Ground>> groundsOf(const Experience& experience, std::size_t more_programs,
                                      double max_instructions, campaigns::Stage& stage);

// These programs, whatever split they are of, but for those that are reserved for the final evaluation.
Result<std::vector<Ground>> groundsOf(const std::vector<std::string>& uris, campaigns::Stage& stage);

// At most `count` programs of the validation split, of many packages, with at most so many instructions.
Result<std::vector<std::string>> judgesOf(std::size_t count, double max_instructions,
                                          campaigns::Stage& stage);

}  // namespace ordo::trainer

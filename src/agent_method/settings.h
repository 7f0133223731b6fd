// How the method `agent` is spelt: agent[:MODEL] [SETTING=VALUE ...], in one name of a study.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::agent_method {

// What search_sequences is for.
enum class Search : std::uint8_t {
  kOnDemand,  // a tool as others
  kNone,      // none
  kAlways,    // no tool: what the dialogue leaves of the compiles is searched from its answer
  kPrompt,    // called for the model before it speaks, with half of the compiles; and a tool
};

struct Settings {
  std::string model = "shipped";  // as of agent::openModel()
  double temperature = 0.7;
  double penalty = 1;     // of repetition
  double parameters = 0;  // of the model, for one that does not say what its work was; 0: unknown
  int replies = 40;       // of a dialogue, at most
  int tokens = 1024;      // of a reply
  double seconds = 600;   // of a dialogue, by the clock
  double reply_s = 120;   // of a reply, likewise
  std::vector<std::string> without = {};  // tools
  bool shuffled = false;                  // feedback.h
  Search search = Search::kOnDemand;
};

// kInvalidArgument, with what there is, for what is misspelt.
Result<Settings> parse(std::string_view text);

// What a study knows the method by: the model, eight digits of the hash of its files, and the settings that
// are not as usual, in one order. kNotFound if a file or folder is not there.
Result<std::string> nameOf(const Settings& settings);

}  // namespace ordo::agent_method

// What sequences are worth on programs to learn from.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/stage.h"
#include "experience/experience.h"
#include "search/knowledge/estimate.h"
#include "support/error.h"
#include "support/rng.h"

namespace ordo::campaigns {

struct YardstickOptions {
  std::size_t programs = 300;            // at most, drawn by chance, packages taking turns
  std::vector<std::string> from = {};    // programs of which those are drawn; none: those of the experience
  std::string kind = "";                 // of which they must be (kindOf()); "": any
  std::int64_t max_instructions = 5000;  // of a program before any action; larger ones are left out
  std::function<void(std::string_view)> progress = {};  // may be empty
};

// The programs that are there and suit. One thread at a time.
class Yardstick {
 public:
  using Costs = std::vector<std::vector<double>>;  // by sequence and program

  // Programs whose actions are those of the experience; `stage` must outlive it. kNotFound if there is none,
  // otherwise the errors of the stage.
  static Result<Yardstick> open(Stage& stage, const experience::Header& header,
                                const std::vector<experience::Run>& runs, const YardstickOptions& options,
                                Rng& rng);

  std::size_t programs() const { return programs_.size(); }

  // Where its programs are from.
  std::set<std::string> packages() const;

  // In units of the baseline's value, on the first `count` of the programs, of which any number is a sample.
  Result<Costs> costs(const std::string& objective, const std::vector<experience::Sequence>& sequences,
                      std::size_t count);

  // What each sequence comes to, and what `observation` counts there, on each of the programs on which all of
  // them can be measured.
  Result<std::vector<std::vector<search::Outcome>>> outcomes(
      const std::string& objective, const std::string& observation,
      const std::vector<experience::Sequence>& sequences);

  // How the work stands, for who watches.
  void say(std::string standing) { standing_ = std::move(standing); }

 private:
  Yardstick(Stage& stage, const YardstickOptions& options) : stage_(stage), options_(options) {}

  using Work = std::function<Status(std::size_t program, study::Site& site, const study::Subject& subject)>;
  Status forEach(const std::string& objective, std::size_t sequences, std::size_t count, const Work& work);

  Stage& stage_;
  YardstickOptions options_;
  std::vector<std::string> programs_;
  std::string standing_;
};

}  // namespace ordo::campaigns

// What a study says: figures by method, objective, baseline and budget, ready for any form of report.
//
// Only what can be compared is: of an objective, the programs and seeds for which every method of the panel
// has a run. A run that failed stays, as no improvement.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/statistics.h"
#include "study/study_file.h"

namespace ordo::report {

// What ordo tune would return (the seeds are candidates, so that nothing is worse than clang-Oz), or the
// method's own best, whatever it is worth.
enum class Clamp { kClamped, kOwn };

struct Row {
  std::string method;
  std::vector<Estimate> clamped, own;  // by budget; improvement as a fraction, larger is better
  std::size_t wins = 0, ties = 0,
              losses = 0;  // programs, at the largest budget, own best against the baseline
};

// One objective over one baseline: a row per method, the best at the largest budget first.
struct Ranking {
  std::string objective;
  std::string baseline;
  std::vector<Row> rows;
};

// A method against a rival, on the same programs.
struct Duel {
  std::string method;
  std::vector<Comparison> by_budget;           // clamped, over clang-Oz
  std::size_t wins = 0, ties = 0, losses = 0;  // programs at the largest budget, means over seeds
};

struct Curve {
  std::string method;
  std::vector<double> x, y;  // clamped improvement over clang-Oz, mean of suites
};

// One objective over clang-Oz at equal processor time, clamped: an estimate per method and limit. A run that
// ended sooner keeps what it had.
struct TimeRanking {
  struct Row {
    std::string method;
    std::vector<Estimate> clamped;  // by limit
  };
  std::vector<double> seconds;  // the limits
  std::vector<Row> rows;        // the best at the largest limit first
};

// What a method costs, per run unless said otherwise.
struct Cost {
  std::string method;
  double evaluations = 0, passes = 0, cpu_s = 0, wall_s = 0;
  double known_share = 0;        // of evaluations, answered from memory
  double failed_share = 0;       // of evaluations, candidates that failed when they were first tried
  double method_share = 0;       // of processor time, the method's own thinking
  double start_s = 0;            // of that, in seconds, the start of its process
  double harness_share = 0;      // of processor time, ours
  double peak_bytes = 0;         // of the largest worker of all runs
  std::size_t workers_died = 0;  // of all runs
  std::size_t divergences = 0;   // runs whose final best was worth something else when replayed
  std::size_t runs = 0;
};

struct Correlation {
  std::size_t pairs = 0;
  double pearson = 0, spearman = 0;
};

// Which methods are compared, and so on which programs: those that ran on most of the programs that any
// method ran on (three quarters of them), or all, on what they have in common.
enum class Panel { kMost, kAll };

class Analysis {
 public:
  using Takes = std::function<bool(const study::Program&)>;

  // `study` must outlive it. Of programs that `takes` says no to there is nothing but in correlation() and
  // failures(), which are of the whole study.
  explicit Analysis(const study::Study& study, Panel panel = Panel::kMost, const Takes& takes = {});

  const study::Study& study() const { return study_; }
  const std::vector<std::string>& methods() const { return methods_; }
  // The methods that the panel leaves out of some objective: they ran on few programs.
  const std::vector<std::string>& outside() const { return outside_; }
  const std::vector<std::string>& objectives() const { return objectives_; }
  // Those for which anything is compared with one of `methods`.
  std::vector<std::string> objectivesOf(const std::vector<std::string>& methods) const;
  const std::vector<std::uint64_t>& budgets() const { return budgets_; }
  static const std::vector<std::string>& baselines();  // clang-Oz, bare-Oz

  // Which programs and how many seeds of an objective are compared, and how many runs are left out because
  // their counterparts are missing.
  std::vector<const study::Program*> programs(const std::string& objective) const;
  std::size_t seeds(const std::string& objective) const;
  std::size_t leftOut(const std::string& objective) const;

  // Made when it is first asked for, so that one thread at a time may ask.
  const Ranking& ranking(const std::string& objective, const std::string& baseline) const;

  // By suite, by size and by program, at the largest budget, clamped.
  struct Group {
    std::string name;
    std::size_t programs = 0;
    std::map<std::string, Estimate> values;  // by method
  };
  std::vector<Group> bySuite(const std::string& objective, const std::string& baseline) const;
  std::vector<Group> bySize(const std::string& objective, const std::string& baseline) const;
  std::vector<Group> byProgram(const std::string& objective, const std::string& baseline) const;

  // What a method made of each program at the largest budget, clamped: the mean of its seeds, in the order of
  // programs(). Nothing for a method without such runs.
  std::vector<double> means(const std::string& method, const std::string& objective,
                            const std::string& baseline) const;

  std::vector<Duel> against(const std::string& rival, const std::string& objective) const;

  std::vector<Curve> overCompiles(const std::string& objective) const;
  // Over processor seconds, those of workers included.
  std::vector<Curve> overSeconds(const std::string& objective) const;
  // At the powers of ten of a second that some run reached.
  TimeRanking atSeconds(const std::string& objective) const;

  std::vector<Cost> costs(const std::string& objective) const;

  // Between what ir_instructions and text_bytes are relative to clang-Oz, over the methods' own results.
  Correlation correlation() const;

  std::vector<const study::Run*> failures() const;

  // Of a run's objective, at the index-th budget, relative to the baseline.
  double improvement(const study::Run& run, const std::string& baseline, std::size_t budget,
                     Clamp clamp) const;

 private:
  // Of a comparable run, and the number of its pair.
  using Value = std::function<double(const study::Run&, std::size_t pair)>;
  using GroupOf = std::function<std::string(const study::Program&)>;

  Ranking rank(const std::string& objective, const std::string& baseline) const;
  // A value of each comparable run of a method, by what `group` says of programs.
  std::map<std::string, Sample> samples(const std::string& method, const std::string& objective,
                                        const GroupOf& group, const Value& value) const;
  // The same in suites, as one.
  Sample sample(const std::string& method, const std::string& objective, const Value& value) const;
  std::vector<Group> groups(const std::string& objective, const std::string& baseline,
                            const GroupOf& group) const;
  using At = std::function<double(const study::Improvement&)>;
  // Clamped, over clang-Oz, as the search saw it when `at` of its improvements had reached each of `grid`,
  // which ascends.
  std::vector<double> improvementsAt(const study::Run& run, const At& at,
                                     const std::vector<double>& grid) const;
  std::vector<Curve> curves(const std::string& objective, const std::vector<double>& grid,
                            const At& at) const;
  // Of the longest run, in processor seconds.
  double longest(const std::string& objective) const;

  using Pair = std::pair<std::string, std::uint64_t>;  // program and seed
  using Runs = std::map<Pair, const study::Run*>;

  // Takes out the methods that ran on few of the programs, and names them.
  static std::vector<std::string> leaveOutFewest(std::map<std::string, Runs>& by_method);

  const study::Study& study_;
  std::vector<std::string> methods_, outside_, objectives_;
  std::vector<std::uint64_t> budgets_;
  std::map<std::string, std::map<std::string, Runs>> runs_;  // by objective and method

  // What is compared: pairs of program and seed, by program.
  struct Common {
    std::vector<const study::Program*> programs;  // of each pair
    std::set<std::uint64_t> seeds;
    std::map<std::string, std::vector<const study::Run*>> runs;  // by method: of each pair
  };
  std::map<std::string, Common> common_;                                     // by objective
  mutable std::map<std::pair<std::string, std::string>, Ranking> rankings_;  // by objective and baseline
};

// Names of buckets of instructions before any pass, the smallest first, and that of `program`.
const std::vector<std::string>& sizeBuckets();
const std::string& sizeBucket(const study::Program& program);

}  // namespace ordo::report

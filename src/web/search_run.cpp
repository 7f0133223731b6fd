#include "web/search_run.h"

#include <limits>

#include "search/catalog/catalog.h"
#include "support/clock.h"
#include "support/text.h"

namespace ordo::web {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::max();
constexpr std::int64_t kMostCompiles = 100000;
constexpr double kTell_s = 0.1;
constexpr std::size_t kOthers = 20;

struct Order {
  search::Sequence from;
  const search::SearcherInfo* searcher = nullptr;
  double compiles = 0;
  std::uint64_t seed = 1;
};

Result<Order> readOrder(const agent::OpenedProgram& program, const JsonObject& body) {
  ORDO_TRY(body.onlyHas({"actions", "searcher", "compiles", "seed"}));
  Order order;
  ORDO_TRY_ASSIGN(order.from, readActions(program, body, "actions"));
  ORDO_TRY_ASSIGN(const std::string name, body.get<std::string>("searcher"));
  order.searcher = search::find(name);
  if (order.searcher == nullptr) {
    std::vector<std::string> names;
    for (const search::SearcherInfo* known : search::catalog()) names.emplace_back(known->name);
    return fail(ErrorCode::kInvalidArgument, "{}", unknownName("searcher", name.substr(0, 60), names));
  }
  ORDO_TRY_ASSIGN(const std::int64_t compiles, body.get<std::int64_t>("compiles"));
  if (compiles < 10 || compiles > kMostCompiles)
    return fail(ErrorCode::kInvalidArgument, "compiles are from 10 to {}, and not {}", kMostCompiles,
                compiles);
  ORDO_TRY_ASSIGN(const std::int64_t seed, body.get<std::int64_t>("seed", 1));
  order.compiles = static_cast<double>(compiles);
  order.seed = static_cast<std::uint64_t>(seed);
  return order;
}

// Gathers what is answered, and tells it now and then.
class Teller {
 public:
  Teller(const agent::OpenedProgram& program, const Emit& emit, const std::atomic<bool>& stop,
         std::atomic<bool>& ends)
      : program_(program), emit_(emit), stop_(stop), ends_(ends) {}

  void hear(double number, const search::Evaluation& answer) {
    const double now_s = clock_.seconds() - began_s_;
    const bool measured = answer.measured();
    points_.push_back({number, now_s, measured ? Json(answer.value) : Json(nullptr), answer.actions.size()});
    if (measured && answer.value < best_) {
      best_ = answer.value;
      tell({{"value", best_},
            {"compiles", number},
            {"seconds", now_s},
            {"actions", program_.names(answer.actions)}});
    }
    if (now_s - told_s_ >= kTell_s) flush();
    if (stop_) ends_ = true;
  }

  void flush() {
    told_s_ = clock_.seconds() - began_s_;
    if (points_.empty()) return;
    if (!emit_("answers", {{"points", points_}})) ends_ = true;
    points_ = Json::array();
  }

 private:
  void tell(const Json& best) {
    if (!emit_("best", best)) ends_ = true;
  }

  const agent::OpenedProgram& program_;
  const Emit& emit_;
  const std::atomic<bool>& stop_;
  std::atomic<bool>& ends_;
  SteadyClock clock_;
  const double began_s_ = clock_.seconds();
  double told_s_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
  Json points_ = Json::array();
};

}  // namespace

Result<search::Sequence> readActions(const agent::OpenedProgram& program, const JsonObject& body,
                                     std::string_view field) {
  ORDO_TRY_ASSIGN(const std::vector<std::string> names, body.get<std::vector<std::string>>(field));
  return program.read(names);
}

Result<agent::OpenedProgram*> SearchRun::opened(const agent::OpenedProgram& of) {
  if (program_ == nullptr) {
    agent::OpenOptions options;
    options.objective = of.objective();
    options.budget = {kNoLimit, kNoLimit};
    options.learned = of.learned();
    options.more = of.more();
    options.stop = agent::StopFlag(agent::StopFlag(), &ends_);  // which outlives it
    ORDO_TRY_ASSIGN(program_,
                    agent::OpenedProgram::open(of.engine(), of.input(), of.space(), std::move(options)));
  }
  return program_.get();
}

Status SearchRun::check(const agent::OpenedProgram& of, const JsonObject& body) {
  ORDO_TRY_ASSIGN([[maybe_unused]] const Order order, readOrder(of, body));
  return {};
}

Status SearchRun::run(const agent::OpenedProgram& of, const JsonObject& body, const std::atomic<bool>& stop,
                      const Emit& emit) {
  ORDO_TRY_ASSIGN(const Order order, readOrder(of, body));
  const std::unique_lock lock(running_, std::try_to_lock);
  if (!lock) return fail(ErrorCode::kUnavailable, "a search goes on already: stop it first");
  ends_ = stop.load();
  ORDO_TRY_ASSIGN(agent::OpenedProgram* const program, opened(of));
  emit("begin", {{"searcher", order.searcher->name},
                 {"compiles", order.compiles},
                 {"baseline", of.baselineValue()},
                 {"start", of.startValue()}});
  Teller teller(*program, emit, stop, ends_);
  ORDO_TRY_ASSIGN(
      const agent::OpenedProgram::Searched found,
      program->search(*order.searcher, order.from, order.compiles, order.seed,
                      [&](double number, const search::Evaluation& answer) { teller.hear(number, answer); }));
  teller.flush();
  Json others = Json::array(), parts = Json::array();
  for (const search::Evaluation& other : found.others) {
    if (others.size() == kOthers) break;
    others.push_back({{"actions", program->names(other.actions)}, {"value", other.value}});
  }
  if (const auto contributions = program->explain(found.best)) {
    for (const search::Contribution& part : *contributions) {
      if (part.status == env::StepStatus::kOk) parts.push_back({{"at", part.index}, {"saves", part.delta}});
    }
  }
  emit("done", {{"actions", program->names(found.best.actions)},
                {"value", found.best.value},
                {"stopped", ends_.load()},
                {"others", std::move(others)},
                {"saves", std::move(parts)}});
  return {};
}

}  // namespace ordo::web

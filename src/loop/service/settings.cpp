#include "datasets/toml_reader.h"
// First, because of what it does to toml++.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "loop/service/settings.h"
#include "loop/store/postgres.h"
#include "loop/store/sequences.h"
#include "support/files.h"

namespace ordo::loop {
namespace {

using datasets::TomlReader;

bool isCandidate(std::string_view name) {
  return !name.empty() && name.size() <= 64 && name.front() != '-' && name.front() != '.' &&
         std::ranges::all_of(name, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '+';
         });
}

// What stands in a request's header, too.
bool isHost(std::string_view name) {
  return !name.empty() && name.size() <= 253 && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '.' || c == ':';
  });
}

// Reads one section into what it is for, key by key.
class Section {
 public:
  static Result<Section> of(const toml::table& document, std::string_view name,
                            const std::filesystem::path& file, const std::vector<std::string>& keys) {
    static const toml::table kEmpty;
    const toml::node* node = document.get(name);
    if (node != nullptr && !node->is_table())
      return fail(ErrorCode::kCorrupt, "{}: {} must be a section, [{}]",
                  datasets::place(file, node->source()), name, name);
    Section section(node == nullptr ? kEmpty : *node->as_table(), file, fmt::format("[{}]", name));
    ORDO_TRY(section.reader_.onlyKeys(keys));
    return section;
  }

  Status number(std::string_view key, double& into) const {
    if (!reader_.has(key)) return {};
    ORDO_TRY_ASSIGN(into, reader_.number(key));
    if (!std::isfinite(into)) return reader_.bad(key, "must be a finite number");
    return {};
  }
  template <typename Whole>
  Status whole(std::string_view key, Whole& into) const {
    if (!reader_.has(key)) return {};
    ORDO_TRY_ASSIGN(const std::int64_t value, reader_.integer(key));
    if (value < 0 || value > 1'000'000'000) return reader_.bad(key, "is out of range");
    into = static_cast<Whole>(value);
    return {};
  }
  Status text(std::string_view key, std::string& into) const {
    if (!reader_.has(key)) return {};
    ORDO_TRY_ASSIGN(into, reader_.string(key));
    if (into.find('\0') != std::string::npos) return reader_.bad(key, "must not contain a null character");
    return {};
  }
  Status command(std::string_view key, CommandLine& into) const {
    ORDO_TRY_ASSIGN(into, reader_.strings(key));
    if (into.empty() || into.front().empty())
      return reader_.bad(key, "must be a program with its arguments, like [\"./deploy\", \"{{pool}}\"]");
    return {};
  }
  const TomlReader& reader() const { return reader_; }

 private:
  Section(const toml::table& table, const std::filesystem::path& file, std::string what)
      : reader_(table, file, std::move(what)) {}
  TomlReader reader_;
};

Status readPace(const toml::table& document, const std::filesystem::path& file, Settings& settings) {
  LoopOptions& loop = settings.loop;
  ORDO_TRY_ASSIGN(const Section pace, Section::of(document, "pace", file,
                                                  {"tick_s", "lease_s", "window_s", "warmup_s", "ramp_hold_s",
                                                   "ramp", "spending_s", "wait_s"}));
  ORDO_TRY(pace.number("tick_s", loop.tick_s));
  ORDO_TRY(pace.number("lease_s", loop.lease_s));
  ORDO_TRY(pace.number("window_s", loop.window_s));
  ORDO_TRY(pace.number("warmup_s", loop.warmup_s));
  ORDO_TRY(pace.number("ramp_hold_s", loop.ramp_hold_s));
  ORDO_TRY(pace.number("spending_s", loop.spending_s));
  ORDO_TRY(pace.number("wait_s", loop.wait_s));
  if (const toml::node* ramp = pace.reader().get("ramp")) {
    loop.ramp.clear();
    if (!ramp->is_array()) return pace.reader().bad("ramp", "must be a list of shares, like [0.01, 0.1]");
    for (const toml::node& share : *ramp->as_array()) {
      if (!share.is_floating_point() || !std::isfinite(share.as_floating_point()->get()))
        return pace.reader().bad("ramp", "must hold only shares, like 0.05");
      loop.ramp.push_back(share.as_floating_point()->get());
    }
  }
  return {};
}

Status readRules(const toml::table& document, const std::filesystem::path& file, Settings& settings) {
  RewardOptions& reward = settings.loop.reward;
  ORDO_TRY_ASSIGN(const Section rewards,
                  Section::of(document, "reward", file,
                              {"quantile", "tail", "slo_s", "least_effect", "most_tail_loss", "most_excess",
                               "alpha", "fewest_requests", "horizon", "most_gaps"}));
  ORDO_TRY(rewards.number("quantile", reward.quantile));
  ORDO_TRY(rewards.number("tail", reward.tail));
  ORDO_TRY(rewards.number("slo_s", reward.slo_s));
  ORDO_TRY(rewards.number("least_effect", reward.least_effect));
  ORDO_TRY(rewards.number("most_tail_loss", reward.most_tail_loss));
  ORDO_TRY(rewards.number("most_excess", reward.most_excess));
  ORDO_TRY(rewards.number("alpha", reward.alpha));
  ORDO_TRY(rewards.number("most_gaps", reward.most_gaps));
  ORDO_TRY(rewards.whole("fewest_requests", reward.fewest_requests));
  ORDO_TRY(rewards.whole("horizon", reward.horizon));

  GovernorOptions& governor = settings.loop.governor;
  ORDO_TRY_ASSIGN(const Section budget,
                  Section::of(document, "budget", file,
                              {"objective", "period_s", "time_scale", "most_share", "careful_share",
                               "explore_above", "exploit_below", "recovery"}));
  ORDO_TRY(budget.number("objective", governor.objective));
  ORDO_TRY(budget.number("period_s", governor.period_s));
  ORDO_TRY(budget.number("time_scale", governor.time_scale));
  ORDO_TRY(budget.number("most_share", governor.most_share));
  ORDO_TRY(budget.number("careful_share", governor.careful_share));
  ORDO_TRY(budget.number("explore_above", governor.explore_above));
  ORDO_TRY(budget.number("exploit_below", governor.exploit_below));
  ORDO_TRY(budget.number("recovery", governor.recovery));

  GuardOptions& guard = settings.loop.guard;
  ORDO_TRY_ASSIGN(const Section guards, Section::of(document, "guard", file,
                                                    {"most_down", "most_unseen", "most_bad", "most_slowdown",
                                                     "tail", "fewest_requests", "fewest_bad"}));
  ORDO_TRY(guards.whole("most_down", guard.most_down));
  ORDO_TRY(guards.whole("most_unseen", guard.most_unseen));
  ORDO_TRY(guards.number("most_bad", guard.most_bad));
  ORDO_TRY(guards.number("most_slowdown", guard.most_slowdown));
  ORDO_TRY(guards.number("tail", guard.tail));
  ORDO_TRY(guards.whole("fewest_requests", guard.fewest_requests));
  return guards.whole("fewest_bad", guard.fewest_bad);
}

Status readBuild(const toml::table& document, const std::filesystem::path& file, Settings& settings) {
  ORDO_TRY_ASSIGN(const Section build,
                  Section::of(document, "build", file,
                              {"command", "folder", "production", "candidates", "toolchain", "timeout_s"}));
  ORDO_TRY(build.command("command", settings.build));
  std::string folder = "builds";
  ORDO_TRY(build.text("folder", folder));
  settings.builds = settings.folder / folder;
  ORDO_TRY_ASSIGN(settings.production, build.reader().string("production"));
  ORDO_TRY_ASSIGN(settings.candidates, build.reader().strings("candidates"));
  ORDO_TRY(build.text("toolchain", settings.loop.toolchain));
  ORDO_TRY(build.number("timeout_s", settings.command_timeout_s));
  if (!(settings.command_timeout_s >= 1 && settings.command_timeout_s <= 86400))
    return build.reader().bad("timeout_s", "is from a second to a day");
  if (settings.candidates.empty()) return build.reader().bad("candidates", "names what is to be tried");
  for (const std::string& name : settings.candidates)
    if (!isCandidate(name))
      return build.reader().bad("candidates", "has '{}'; names are of letters, digits and _-.+", name);
  for (const std::string& name : settings.candidates)
    if (std::ranges::count(settings.candidates, name) > 1)
      return build.reader().bad("candidates", "has '{}' twice; each is named once", name);
  if (!isCandidate(settings.production))
    return build.reader().bad("production", "must be a name of letters, digits and _-.+");

  ORDO_TRY_ASSIGN(const Section stage, Section::of(document, "stage", file, {"runs", "budget_s"}));
  ORDO_TRY(stage.number("budget_s", settings.stage_budget_s));
  if (!(settings.stage_budget_s >= 0 && settings.stage_budget_s <= 86400))
    return stage.reader().bad("budget_s", "is from 0 to a day");
  const toml::node* runs = stage.reader().get("runs");
  if (runs == nullptr || !runs->is_array() || runs->as_array()->empty())
    return stage.reader().bad("runs", "must be a list of lists of arguments, like [[\"--once\"]]");
  for (const toml::node& run : *runs->as_array()) {
    if (!run.is_array()) return stage.reader().bad("runs", "must be a list of lists of arguments");
    CommandLine& arguments = settings.stage_runs.emplace_back();
    for (const toml::node& argument : *run.as_array()) {
      if (!argument.is_string()) return stage.reader().bad("runs", "must hold only texts");
      arguments.push_back(argument.as_string()->get());
    }
  }
  ORDO_TRY_ASSIGN(const Section pools, Section::of(document, "pools", file, {"deploy", "stop"}));
  ORDO_TRY(pools.command("deploy", settings.deploy));
  return pools.command("stop", settings.stop);
}

// [recipes]: candidate = ["a.ordo.json"]
Status readRecipes(const toml::table& document, const std::filesystem::path& file, Settings& settings) {
  if (!document.contains("recipes")) return {};
  ORDO_TRY_ASSIGN(const Section recipes, Section::of(document, "recipes", file, settings.candidates));
  for (const std::string& name : settings.candidates) {
    ORDO_TRY_ASSIGN(const std::vector<std::string> paths, recipes.reader().strings(name));
    if (paths.empty() || paths.size() > kMostModules)
      return recipes.reader().bad(name, "must be a list of from 1 to {} recipes", kMostModules);
    for (const std::string& path : paths) {
      if (path.empty() || path.find('\0') != std::string::npos)
        return recipes.reader().bad(name, "must hold only paths");
      settings.recipes[name].push_back(settings.folder / path);
    }
  }
  return {};
}

Status readBalancer(const toml::table& document, const std::filesystem::path& file, Settings& settings) {
  if (document.contains("balancer")) {
    ORDO_TRY_ASSIGN(const Section balancer, Section::of(document, "balancer", file, {"set", "look"}));
    if (document.contains("haproxy"))
      return balancer.reader().bad("set", "is for other balancers: leave out [haproxy] or [balancer]");
    ORDO_TRY(balancer.command("set", settings.balancer_set));
    return balancer.command("look", settings.balancer_look);
  }
  ORDO_TRY_ASSIGN(
      const Section haproxy,
      Section::of(document, "haproxy", file, {"socket", "backend", "production", "control", "canary"}));
  ORDO_TRY_ASSIGN(const std::string socket, haproxy.reader().string("socket"));
  settings.haproxy.socket = settings.folder / socket;
  ORDO_TRY_ASSIGN(settings.haproxy.backend, haproxy.reader().string("backend"));
  for (std::size_t i = 0; i < kPools; ++i)
    ORDO_TRY(haproxy.text(name(static_cast<Pool>(i)), settings.haproxy.servers[i]));
  ORDO_TRY(Haproxy::create(settings.haproxy));
  return {};
}

Status readPrometheus(const toml::table& document, const std::filesystem::path& file, Settings& settings) {
  PrometheusOptions& options = settings.prometheus;
  ORDO_TRY_ASSIGN(const Section prometheus,
                  Section::of(document, "prometheus", file,
                              {"host", "port", "histogram", "label", "production", "control", "canary",
                               "selector", "sum_over", "started"}));
  ORDO_TRY(prometheus.text("host", options.host));
  if (!isHost(options.host))
    return prometheus.reader().bad("host", "must be a name or an address, without a port");
  ORDO_TRY(prometheus.whole("port", options.port));
  if (options.port < 1 || options.port > 65535) return prometheus.reader().bad("port", "is from 1 to 65535");
  ORDO_TRY_ASSIGN(options.histogram, prometheus.reader().string("histogram"));
  ORDO_TRY(prometheus.text("label", options.label));
  ORDO_TRY(prometheus.text("started", options.started));
  for (std::size_t i = 0; i < kPools; ++i)
    ORDO_TRY(prometheus.text(name(static_cast<Pool>(i)), options.pools[i]));
  if (prometheus.reader().has("sum_over")) {
    ORDO_TRY_ASSIGN(options.sum_over, prometheus.reader().strings("sum_over"));
  }
  const toml::node* selector = prometheus.reader().get("selector");
  if (selector == nullptr) return {};
  if (!selector->is_table()) return prometheus.reader().bad("selector", "must be like {{ job = \"shop\" }}");
  for (const auto& [key, value] : *selector->as_table()) {
    if (!value.is_string()) return prometheus.reader().bad("selector", "must hold only texts");
    options.selector[std::string(key.str())] = value.as_string()->get();
  }
  return {};
}

// [prometheus] or [log]
Status readMetrics(const toml::table& document, const std::filesystem::path& file, Settings& settings) {
  if (!document.contains("log")) return readPrometheus(document, file, settings);
  ORDO_TRY_ASSIGN(const Section log, Section::of(document, "log", file, {"file"}));
  if (document.contains("prometheus"))
    return log.reader().bad("file", "is for who has no Prometheus: leave out [prometheus] or [log]");
  if (!document.contains("haproxy")) return log.reader().bad("file", "is HAProxy's, and needs [haproxy]");
  ORDO_TRY_ASSIGN(const std::string path, log.reader().string("file"));
  if (path.empty() || path.find('\0') != std::string::npos) return log.reader().bad("file", "must be a path");
  settings.log = settings.folder / path;
  return {};
}

// "127.0.0.1:8081"
bool readAddress(std::string_view text, AnswersOptions::Address& into) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || !isHost(text.substr(0, colon))) return false;
  const std::string_view port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), into.port);
  into.host = text.substr(0, colon);
  return error == std::errc() && end == port.data() + port.size() && into.port >= 1 && into.port <= 65535;
}

// [answers]: of requests that are sent to all three pools
Status readAnswers(const toml::table& document, const std::filesystem::path& file, Settings& settings) {
  if (!document.contains("answers")) return {};
  ORDO_TRY_ASSIGN(const Section answers,
                  Section::of(document, "answers", file,
                              {"requests", "production", "control", "canary", "methods", "headers", "ignore",
                               "rate", "timeout_s", "again_s", "most_bytes", "most_wrong"}));
  AnswersOptions& options = settings.answers;
  ORDO_TRY_ASSIGN(const std::string path, answers.reader().string("requests"));
  if (path.empty() || path.find('\0') != std::string::npos)
    return answers.reader().bad("requests", "must be a path");
  options.requests = settings.folder / path;
  for (std::size_t i = 0; i < kPools; ++i) {
    const std::string pool(name(static_cast<Pool>(i)));
    ORDO_TRY_ASSIGN(const std::string address, answers.reader().string(pool));
    if (!readAddress(address, options.pools[i]))
      return answers.reader().bad(pool, "must be the address of an instance, like 127.0.0.1:8081");
  }
  if (answers.reader().has("methods")) {
    ORDO_TRY_ASSIGN(options.methods, answers.reader().strings("methods"));
  }
  if (answers.reader().has("ignore")) {
    ORDO_TRY_ASSIGN(options.ignore, answers.reader().strings("ignore"));
  }
  if (const toml::node* headers = answers.reader().get("headers")) {
    if (!headers->is_table())
      return answers.reader().bad("headers", "must be like {{ Host = \"shop.example\" }}");
    for (const auto& [key, value] : *headers->as_table()) {
      if (!value.is_string()) return answers.reader().bad("headers", "must hold only texts");
      options.headers[std::string(key.str())] = value.as_string()->get();
    }
  }
  ORDO_TRY(answers.number("rate", options.rate));
  ORDO_TRY(answers.number("timeout_s", options.timeout_s));
  ORDO_TRY(answers.number("again_s", options.again_s));
  ORDO_TRY(answers.whole("most_bytes", options.most_bytes));
  settings.loop.reward.answers = true;
  ORDO_TRY(answers.number("most_wrong", settings.loop.reward.most_wrong));
  if (Status checked = check(options); !checked) {
    Error error = std::move(checked).error();
    error.code = ErrorCode::kCorrupt;
    return fail(std::move(error).context(fmt::format("{}: [answers]", file.string())));
  }
  return {};
}

Status readConnections(const toml::table& document, const std::filesystem::path& file, Settings& settings) {
  ORDO_TRY(readBalancer(document, file, settings));
  ORDO_TRY(readMetrics(document, file, settings));
  ORDO_TRY(readAnswers(document, file, settings));

  ORDO_TRY_ASSIGN(
      const Section policy,
      Section::of(document, "policy", file, {"seed", "prior", "drift", "walk", "rest_s", "most_stage_loss"}));
  ORDO_TRY(policy.whole("seed", settings.loop.seed));
  ORDO_TRY(policy.number("prior", settings.learning.prior));
  ORDO_TRY(policy.number("drift", settings.learning.drift));
  ORDO_TRY(policy.number("walk", settings.learning.walk));
  ORDO_TRY(policy.number("rest_s", settings.learning.rest_s));
  ORDO_TRY(policy.number("most_stage_loss", settings.loop.most_stage_loss));
  const LearningOptions& learning = settings.learning;
  if (!(learning.prior > 0 && learning.drift >= 0 && learning.walk >= 0))
    return policy.reader().bad("prior", "must be above 0, drift and walk not negative");
  if (!(learning.rest_s >= 0 && learning.rest_s <= 86400))
    return policy.reader().bad("rest_s", "is from 0 to a day");
  return {};
}

}  // namespace

Result<Settings> parseSettings(std::string_view text, const std::filesystem::path& file) {
  ORDO_TRY_ASSIGN(const toml::table document, datasets::parseToml(text, file));
  const TomlReader reader(document, file, "loop.toml");
  ORDO_TRY(reader.onlyKeys({"format", "store", "build", "stage", "pools", "haproxy", "balancer", "prometheus",
                            "log", "answers", "pace", "reward", "budget", "guard", "policy", "recipes"}));
  ORDO_TRY(reader.checkFormat(1));
  Settings settings;
  settings.folder = std::filesystem::absolute(file).parent_path();
  ORDO_TRY_ASSIGN(const std::string store, reader.string("store"));
  // What was meant as an address is not to become a file of that name.
  if (store.empty() || store.find('\0') != std::string::npos ||
      (!isPostgres(store) &&
       (store.find("://") != std::string::npos || store.find('=') != std::string::npos)))
    return reader.bad("store", "must be a file, or an address like postgresql://user@host/database");
  settings.store = isPostgres(store) ? store : (settings.folder / store).string();
  ORDO_TRY(readBuild(document, file, settings));
  ORDO_TRY(readRecipes(document, file, settings));
  ORDO_TRY(readConnections(document, file, settings));
  ORDO_TRY(readPace(document, file, settings));
  ORDO_TRY(readRules(document, file, settings));
  if (Status checked = check(settings.loop); !checked) {
    Error error = std::move(checked).error();
    error.code = ErrorCode::kCorrupt;
    return fail(std::move(error).context(file.string()));
  }
  return settings;
}

Result<Settings> loadSettings(const std::filesystem::path& file) {
  Result<std::string> text = readFile(file);
  if (!text && text.error().code == ErrorCode::kNotFound)
    return fail(ErrorCode::kNotFound, "there is no file {}; 'ordo loop init' writes one", file.string());
  if (!text) return fail(std::move(text).error());
  return parseSettings(*text, file);
}

}  // namespace ordo::loop

#include "loop/service/preflight.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>

#include "loop/service/balancer_log.h"
#include "loop/service/command_balancer.h"
#include "loop/service/fetch.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::loop {
namespace {

// A quantile within a bucket is interpolated: of one a quarter wide, a shift of 5 % still showed as 4.5 %, of
// Prometheus' default ones as 0.001 % (docs/adr/0021-loop-statistics.md).
constexpr double kWidestBucket = 1.25;
constexpr double kMostNews = 60;  // seconds between figures: longer, and the guard is blind for minutes
constexpr double kScrapesInWindow = 2;
constexpr std::uintmax_t kMostFile = std::uintmax_t{4} << 20;
constexpr std::streamoff kLogEnd = std::streamoff{64} << 10;

class Checks {
 public:
  explicit Checks(const Settings& settings) : settings_(settings) {}

  Preflight all(bool held) {
    commands();
    if (settings_.balancer_set.empty())
      haproxy(held);
    else
      balancer();
    if (settings_.log.empty())
      prometheus();
    else
      log();
    answers();
    return std::move(preflight_);
  }

 private:
  void good(std::string what, std::string found) {
    preflight_.findings.push_back({std::move(what), Grade::kGood, std::move(found)});
  }
  void doubtful(std::string what, std::string found, std::string remedy) {
    preflight_.findings.push_back({std::move(what), Grade::kDoubtful, std::move(found), std::move(remedy)});
  }
  void bad(std::string what, std::string found, std::string remedy,
           ErrorCode code = ErrorCode::kUnsupported) {
    preflight_.findings.push_back({std::move(what), Grade::kBad, std::move(found), std::move(remedy), code});
  }

  void commands() {
    const std::size_t before = preflight_.findings.size();
    for (const auto& [key, line] :
         {std::pair("command of [build]", &settings_.build),
          std::pair("deploy of [pools]", &settings_.deploy), std::pair("stop of [pools]", &settings_.stop),
          std::pair("set of [balancer]", &settings_.balancer_set),
          std::pair("look of [balancer]", &settings_.balancer_look)}) {
      if (line->empty()) continue;
      const std::string& program = line->front();
      const bool there = program.find('/') == std::string::npos
                             ? findProgram({program}).has_value()
                             : ::access((settings_.folder / program).c_str(), X_OK) == 0;
      if (!there)
        bad("commands", fmt::format("{}: there is no program {}", key, program),
            "write it, make it executable (chmod +x), or name another one", ErrorCode::kUnavailable);
    }
    if (preflight_.findings.size() == before) good("commands", "their programs are there");
  }

  void balancer() {
    CommandBalancer balancer(settings_);
    if (const Result<Shares> shares = balancer.get(); !shares)
      bad("balancer", shares.error().message, "run look of [balancer] by hand",
          shares.error().code == ErrorCode::kCorrupt ? ErrorCode::kUnsupported : ErrorCode::kUnavailable);
    else
      good("balancer", "it says its weights");
  }

  void haproxy(bool held) {
    const HaproxyOptions& names = settings_.haproxy;
    Result<Haproxy> haproxy = Haproxy::create(names);
    if (!haproxy) return bad("HAProxy", haproxy.error().message, "correct loop.toml");
    const Result<std::string> csv = haproxy->ask("show stat");
    if (!csv)
      return bad("HAProxy", csv.error().message,
                 "is HAProxy up, and has this user its 'stats socket'? 'socket' of [haproxy] names it",
                 ErrorCode::kUnavailable);
    if (const auto counts = readStatistics(*csv, names); !counts)
      return bad("HAProxy", counts.error().message, "name backend and servers as HAProxy's file does");
    good("HAProxy", fmt::format("it knows {} and its three servers", names.backend));
    const HaproxyRows rows = readRows(*csv, names.backend);
    for (const Pool pool : {Pool::kControl, Pool::kCanary}) {
      const std::string& server = names.servers[static_cast<std::size_t>(pool)];
      const auto status = rows.at(server).find("status");
      if (status != rows.at(server).end() && status->second == "no check")
        doubtful("health checks",
                 fmt::format("{}/{} has none, so that nobody sees it when it is down", names.backend, server),
                 "add 'check' to its line in HAProxy's file");
    }
    weights(*haproxy, held);
    redispatch(*haproxy);
  }

  void weights(const Haproxy& haproxy, bool held) {
    const HaproxyOptions& names = settings_.haproxy;
    std::array<int, kPools> now{}, initial{};
    for (std::size_t i = 0; i < kPools; ++i) {
      const Result<std::string> answer =
          haproxy.ask(fmt::format("get weight {}/{}", names.backend, names.servers[i]));
      if (!answer || std::sscanf(answer->c_str(), "%d (initial %d)", &now[i], &initial[i]) != 2)
        return bad("weights",
                   fmt::format("HAProxy does not say the weight of {}/{}: {}", names.backend,
                               names.servers[i], answer ? answer->substr(0, 80) : answer.error().message),
                   "give its 'stats socket' 'level admin'");
    }
    for (const std::size_t i : {1u, 2u})
      if (initial[i] != 0)
        bad("weights",
            fmt::format("HAProxy's file gives {}/{} a weight of {}, which it has again after a restart, "
                        "whoever watches it",
                        names.backend, names.servers[i], initial[i]),
            fmt::format("write 'weight 0' on the line of server {}", names.servers[i]));
    if (held) return good("weights", "a controller sets them");
    // By as little as there is, and back: it has all requests in any case.
    const int other = now[0] > 1 ? now[0] - 1 : now[0] + 1;
    const std::string set = fmt::format("set weight {}/{} ", names.backend, names.servers[0]);
    const Result<std::string> said = haproxy.ask(set + std::to_string(other));
    const Result<std::string> back = haproxy.ask(set + std::to_string(now[0]));
    const std::string words = !said ? said.error().message : !back ? back.error().message : *said + *back;
    if (words.find_first_not_of(" \n") == std::string::npos) return good("weights", "HAProxy takes them");
    const bool is_static = words.find("static") != std::string::npos;
    bad("weights",
        "HAProxy does not take one: " + words.substr(0, std::min<std::size_t>(words.find('\n'), 160)),
        is_static
            ? "give the backend a balance that takes weights: 'balance roundrobin', 'leastconn' or 'random'"
            : "give its 'stats socket' 'level admin'");
  }

  void redispatch(const Haproxy& haproxy) {
    const char* const remedy =
        "write 'option redispatch 1' and 'retry-on conn-failure empty-response' in the backend, so that no "
        "client "
        "sees a canary that is down";
    std::string text;
    for (const std::filesystem::path& file : files(haproxy)) {
      std::error_code ignored;
      if (const auto size = std::filesystem::file_size(file, ignored); ignored || size > kMostFile) continue;
      text += readFile(file).value_or("") + "\n";
    }
    const HaproxyFile file = readHaproxyFile(text, settings_.haproxy.backend);
    if (!file.found)
      return doubtful("redispatch",
                      "HAProxy's file cannot be found or read by this user, so that it is not known", remedy);
    if (!file.redispatch)
      return doubtful("redispatch",
                      "HAProxy's file has it not: clients get the errors of a canary that refuses them",
                      remedy);
    good("redispatch", file.retry_on.empty() ? "it is on" : "it is on, with retry-on " + file.retry_on);
  }

  // That the process which answers was started with.
  static std::vector<std::filesystem::path> files(const Haproxy& haproxy) {
    const std::string info = haproxy.ask("show info").value_or("");
    const std::size_t at = info.find("\nPid: ");
    int pid = 0;
    if (at == std::string::npos || std::sscanf(info.c_str() + at, "\nPid: %d", &pid) != 1 || pid <= 0)
      return {};
    const std::filesystem::path process = fmt::format("/proc/{}", pid);
    std::ifstream line(process / "cmdline", std::ios::binary);
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::read_symlink(process / "cwd", ignored);
    std::vector<std::filesystem::path> found;
    bool file = false;
    for (std::string word; std::getline(line, word, '\0');) {
      if (file) found.push_back(folder / word);
      file = word == "-f";
    }
    return found;
  }

  void prometheus() {
    const PrometheusOptions& options = settings_.prometheus;
    const std::string labels = labelsOf(options, options.pools[0]);
    const auto ask = [&](const std::string& query) -> Result<std::vector<Sample>> {
      ORDO_TRY_ASSIGN(const std::string body, askPrometheus(options, query));
      return readVector(body);
    };
    const auto buckets = ask(fmt::format("{}_bucket{{{}}}", options.histogram, labels));
    if (!buckets)
      return bad("Prometheus", buckets.error().message,
                 "see to Prometheus, or to host and port of [prometheus]", ErrorCode::kUnavailable);
    good("Prometheus", fmt::format("it answers at {}:{}", options.host, options.port));
    if (buckets->empty()) return missing(ask);
    const auto scraped = ask(fmt::format("timestamp({}_count{{{}}})", options.histogram, labels));
    const auto started = options.started.empty() ? Result<std::vector<Sample>>(std::vector<Sample>())
                                                 : ask(fmt::format("{}{{{}}}", options.started, labels));
    const Figures figures = figuresOf(*buckets, scraped.value_or(std::vector<Sample>()),
                                      started.value_or(std::vector<Sample>()), options);
    if (!figures[0]) return unusable(*buckets, scraped, started);
    good("histogram", fmt::format("{} of {} has {} requests", options.histogram, options.pools[0],
                                  figures[0]->latency.count()));
    fineness(figures[0]->latency);
    const Result<std::string> samples =
        askPrometheus(options, fmt::format("{}_count{{{}}}[10m]", options.histogram, labels));
    news(samples ? readScrapeInterval(*samples).value_or(std::nullopt) : std::nullopt);
  }

  template <typename Ask>
  void missing(const Ask& ask) {
    const PrometheusOptions& options = settings_.prometheus;
    const auto all = ask(fmt::format("{}_bucket", options.histogram));
    std::set<std::string> values;
    for (const Sample& sample : all.value_or(std::vector<Sample>()))
      if (const auto value = sample.labels.find(options.label);
          value != sample.labels.end() && values.size() < 8)
        values.insert(value->second);
    if (all && !all->empty())
      return bad("histogram",
                 values.empty() ? fmt::format("{} has no label '{}'", options.histogram, options.label)
                                : fmt::format("{} has no series of {}=\"{}\" with this selector, but of {}",
                                              options.histogram, options.label, options.pools[0],
                                              fmt::join(values, ", ")),
                 "name in [prometheus] the label that tells pools apart, their values and the selector; or "
                 "have each "
                 "pool scraped with it (relabel_configs)");
    const auto plain =
        ask(fmt::format("{{__name__=~\"{0}|{0}_count|{0}_sum|{0}_total\"}}", options.histogram));
    if (plain && !plain->empty())
      return bad("histogram",
                 fmt::format("{} is no histogram with buckets, but a counter, a gauge, a summary or a "
                             "native histogram",
                             options.histogram),
                 "have the service count in classical buckets, and name that histogram");
    // Of a service that has just begun none is scraped yet.
    bad("histogram", fmt::format("Prometheus has no {}_bucket", options.histogram),
        "is the name right, without _bucket, and does Prometheus scrape the service?",
        ErrorCode::kUnavailable);
  }

  void unusable(const std::vector<Sample>& buckets, const Result<std::vector<Sample>>& scraped,
                const Result<std::vector<Sample>>& started) {
    const PrometheusOptions& options = settings_.prometheus;
    if (!started || (started->empty() && !options.started.empty()))
      return bad("histogram",
                 fmt::format("there is no {} with the same labels, which says when a process began",
                             options.started),
                 "name another one as 'started' of [prometheus], or \"\" if there is none");
    if (!scraped || scraped->empty())
      return bad("histogram", fmt::format("there is no {}_count", options.histogram),
                 "is it a histogram of Prometheus?", ErrorCode::kUnavailable);
    std::map<std::string, std::set<std::string>> values;
    for (const Sample& sample : buckets)
      for (const auto& [label, value] : sample.labels) values[label].insert(value);
    std::vector<std::string> differing;
    for (const auto& [label, different] : values)
      if (different.size() > 1 && label != "le" && label != options.label &&
          std::ranges::find(options.sum_over, label) == options.sum_over.end())
        differing.push_back(label);
    if (!differing.empty())
      return bad("histogram",
                 fmt::format("production has several series, which differ by {}", fmt::join(differing, ", ")),
                 fmt::format("if they are to be added up, write sum_over = [\"{}\"] in [prometheus]",
                             fmt::join(differing, "\", \"")));
    bad("histogram",
        fmt::format("the buckets of {} are none: bounds that repeat, counts that fall, or no +Inf",
                    options.histogram),
        "see what the service tells Prometheus");
  }

  void fineness(const Histogram& latency) {
    const RewardOptions& reward = settings_.loop.reward;
    if (latency.count() == 0)
      return doubtful("buckets", "production has had no requests, so that they cannot be looked at",
                      "check again under load");
    for (const double q : {reward.quantile, reward.tail}) {
      std::uint64_t below = 0;
      const auto cell = std::ranges::find_if(latency.cells(), [&](const Cell& each) {
        below += each.count;
        return static_cast<double>(below) >= q * static_cast<double>(latency.count());
      });
      if (cell == latency.cells().end()) continue;
      if (!std::isfinite(cell->high))
        return bad("buckets",
                   fmt::format("production's p{:g} is beyond the last of them, {:g} s", 100 * q, cell->low),
                   "have buckets up to four times the slowest request that is usual");
      const double width = cell->low > 0 ? cell->high / cell->low : INFINITY;
      const std::string found =
          fmt::format("production's p{:g} is in one from {:g} to {:g} s", 100 * q, cell->low, cell->high);
      // Of the tail only much is looked for.
      const double sought = q == reward.quantile ? reward.least_effect : reward.most_tail_loss;
      if (width > std::max(kWidestBucket, 1 + sought))
        return bad(
            "buckets", found + fmt::format(": effects of {:g} % cannot be seen", 100 * sought),
            "have buckets that grow by 2 to 5 % each around it; Prometheus' default ones are far too wide");
      if (width > 1 + std::max(5 * sought, 0.05))
        return doubtful("buckets",
                        found + fmt::format(": effects of {:g} % take long to be seen", 100 * sought),
                        "have buckets that grow by 2 to 5 % each around it");
    }
    good("buckets", "they are fine enough where production's requests are");
  }

  void news(std::optional<double> every_s) {
    if (!every_s)
      return doubtful("scrape interval", "Prometheus has too few samples to tell it",
                      "check again in a minute");
    preflight_.news_s = every_s;
    if (*every_s > kMostNews)
      return bad(
          "scrape interval",
          fmt::format("figures come each {:g} s, and the guard would be blind so long", *every_s),
          "set scrape_interval of this job to 15 s or less; of HAProxy's log, [log], figures come at once");
    std::vector<std::string> said;
    static_cast<void>(paced(settings_.loop, *every_s, said));
    if (said.empty()) return good("scrape interval", fmt::format("{:g} s, which goes with [pace]", *every_s));
    doubtful("scrape interval",
             fmt::format("figures come each {:g} s, for which [pace] is too fast: it goes on with {}",
                         *every_s, fmt::join(said, ", ")),
             "scrape more often, or write that into loop.toml");
  }

  void log() {
    LogFollower follower(settings_.log);
    if (const Result<bool> read = follower.read([](std::string_view) {}); !read)
      return bad("log", read.error().message,
                 "name in [log] the file that HAProxy's lines go to, and let this user read it",
                 ErrorCode::kUnavailable);
    std::ifstream file(settings_.log, std::ios::binary | std::ios::ate);
    file.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(file.tellg()) - kLogEnd));
    std::size_t lines = 0, ours = 0, with_state = 0;
    for (std::string line; std::getline(file, line); ++lines)
      if (readLogLine(line, settings_.haproxy)) {
        ++ours;
        with_state += std::isdigit(static_cast<unsigned char>(line[line.find_last_not_of('\r')])) == 0;
      }
    const char* const remedy = "log-format of docs/formats/loop.md: \"ordo %b/%s us=%[...] %ST %ts\"";
    if (ours == 0)
      return doubtful(
          "log", fmt::format("of its last {} lines none is in the format, or of the three servers", lines),
          remedy);
    if (with_state == 0)
      return doubtful("log", "its lines have no termination state, so that a server that refuses looks fast",
                      remedy);
    good("log", fmt::format("{} of its last {} lines are requests", ours, lines));
  }

  void answers() {
    const AnswersOptions& options = settings_.answers;
    if (options.requests.empty())
      return doubtful("answers",
                      "they are not compared: a candidate that answers wrongly, with a status that is right, "
                      "is not seen in production",
                      "write [answers] into loop.toml (docs/loop.md)");
    const Result<std::string> probe = [&]() -> Result<std::string> {
      ORDO_TRY(Answers::start(options, 1));
      return std::string();
    }();
    if (!probe)
      return bad(
          "answers", probe.error().message, "see to 'requests' of [answers]",
          probe.error().code == ErrorCode::kNotFound ? ErrorCode::kUnavailable : ErrorCode::kUnsupported);
    const AnswersOptions::Address& production = options.pools[0];
    const Result<Fetched> fetched = fetch({.host = production.host,
                                           .port = production.port,
                                           .method = "HEAD",
                                           .path = "/",
                                           .timeout_s = options.timeout_s});
    if (!fetched)
      return bad("answers", "production: " + fetched.error().message,
                 "'production' of [answers] is the address of an instance of it, behind the balancer",
                 ErrorCode::kUnavailable);
    const RewardOptions& reward = settings_.loop.reward;
    const double most = options.rate * settings_.loop.window_s * static_cast<double>(reward.horizon);
    // sequence() needs some ten of what would be one wrong answer.
    if (most * reward.most_wrong < 12)
      return bad(
          "answers",
          fmt::format("{:.0f} comparisons at most are too few to know that less than {:g} % are wrong: "
                      "nothing would be promoted",
                      most, 100 * reward.most_wrong),
          "raise rate or most_wrong of [answers], window_s of [pace] or horizon of [reward]");
    good("answers", fmt::format("{:g} requests a second are compared", options.rate));
  }

  const Settings& settings_;
  Preflight preflight_;
};

std::vector<std::string> wordsOf(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : line.substr(0, line.find('#'))) {
    if (c != ' ' && c != '\t' && c != '\r') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

std::string_view gradeName(Grade grade) {
  return grade == Grade::kGood ? "good" : grade == Grade::kDoubtful ? "doubtful" : "bad";
}

}  // namespace

Status Preflight::status() const {
  const auto bad = std::ranges::find(findings, Grade::kBad, &Finding::grade);
  if (bad == findings.end()) return {};
  return fail(bad->error());
}

Preflight preflight(const Settings& settings, bool held) { return Checks(settings).all(held); }

LoopOptions paced(LoopOptions options, double news_s, std::vector<std::string>& said) {
  for (const auto& [name, value] :
       {std::pair("window_s", &options.window_s), std::pair("warmup_s", &options.warmup_s)}) {
    if (*value >= kScrapesInWindow * news_s) continue;
    *value = kScrapesInWindow * news_s;
    said.push_back(fmt::format("{} = {:g}", name, *value));
  }
  return options;
}

HaproxyFile readHaproxyFile(std::string_view text, std::string_view backend) {
  static const std::set<std::string, std::less<>> kSections = {
      "global",      "defaults", "frontend",    "backend",   "listen", "peers",
      "resolvers",   "userlist", "mailers",     "ring",      "cache",  "program",
      "http-errors", "fcgi-app", "log-forward", "crt-store", "traces"};
  HaproxyFile none, *section = nullptr, result;
  std::map<std::string, HaproxyFile> named;
  HaproxyFile defaults;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::vector<std::string> words = wordsOf(line);
    if (words.empty()) continue;
    if (kSections.contains(words[0])) {
      const auto from = std::ranges::find(words, "from");
      const HaproxyFile inherited = from != words.end() && from + 1 != words.end() ? named[*(from + 1)]
                                    : words[0] == "defaults"                       ? none
                                                                                   : defaults;
      if (words[0] == "defaults") {
        HaproxyFile& place = words.size() > 1 && words[1] != "from" ? named[words[1]] : defaults;
        place = inherited;
        section = &place;
        // Those that come later begin with the last one, named or not; its lines follow.
        if (&place != &defaults) defaults = inherited;
      } else if ((words[0] == "backend" || words[0] == "listen") && words.size() > 1 && words[1] == backend) {
        result = inherited;
        result.found = true;
        section = &result;
      } else {
        section = nullptr;
      }
      continue;
    }
    if (section == nullptr) continue;
    const auto apply = [&](HaproxyFile& to) {
      if (words.size() >= 2 && words[0] == "option" && words[1] == "redispatch") to.redispatch = true;
      if (words.size() >= 3 && words[0] == "no" && words[1] == "option" && words[2] == "redispatch")
        to.redispatch = false;
      if (words[0] == "retry-on")
        to.retry_on = fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " "));
    };
    apply(*section);
    if (section != &result && section != &defaults) apply(defaults);
  }
  return result;
}

std::string toText(const Preflight& preflight) {
  std::string text;
  for (const Finding& finding : preflight.findings) {
    text += fmt::format("{:<9} {}: {}\n", gradeName(finding.grade), finding.what, finding.found);
    if (!finding.remedy.empty()) text += fmt::format("{:<9} {}\n", "", finding.remedy);
  }
  return text;
}

Json toJson(const Preflight& preflight) {
  Json checks = Json::array();
  for (const Finding& finding : preflight.findings)
    checks.push_back({{"what", finding.what},
                      {"grade", gradeName(finding.grade)},
                      {"found", finding.found},
                      {"remedy", finding.remedy}});
  return {{"good", preflight.status().has_value()},
          {"scrape_interval_s", preflight.news_s ? Json(*preflight.news_s) : Json(nullptr)},
          {"checks", std::move(checks)}};
}

}  // namespace ordo::loop

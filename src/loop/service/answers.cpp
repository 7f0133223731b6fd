#include "loop/service/answers.h"

#include <regex.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <mutex>
#include <thread>

#include "loop/service/balancer_log.h"
#include "loop/service/fetch.h"

namespace ordo::loop {
namespace {

constexpr std::size_t kMostRequests = 1000;                     // requests
constexpr std::size_t kMostLine = 8192;                         // bytes of one
constexpr std::size_t kMostSuspects = 64, kAskedAgain = 16;     // requests, and how often
constexpr std::streamoff kLooksBack = std::streamoff{1} << 20;  // bytes of the file, at first
constexpr std::size_t kMostPatterns = 50;

bool isWord(std::string_view text) {
  return !text.empty() && text.size() <= 20 &&
         std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

// Of printable ASCII without spaces and quotes: what stands in the first line of a request, and nothing
// behind it.
bool isPath(std::string_view text) {
  return text.starts_with('/') && text.size() <= 4096 &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '#'; });
}

std::string_view cutWord(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view first = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return first;
}

}  // namespace

Status check(const AnswersOptions& options) {
  const auto demand = [](bool right, std::string_view what) -> Status {
    if (right) return {};
    return fail(ErrorCode::kInvalidArgument, "{}", what);
  };
  for (std::size_t i = 0; i < kPools; ++i)
    if (options.pools[i].host.empty() || options.pools[i].port < 1 || options.pools[i].port > 65535)
      return fail(ErrorCode::kInvalidArgument, "{} is an address like 127.0.0.1:8080",
                  name(static_cast<Pool>(i)));
  ORDO_TRY(demand(!options.methods.empty() && std::ranges::all_of(options.methods, isWord),
                  "methods are words of capital letters, like GET"));
  for (const auto& [key, value] : options.headers) {
    const bool fits = !key.empty() && std::ranges::all_of(key, [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '-';
    }) && std::ranges::all_of(value, [](unsigned char c) { return c >= ' ' && c <= '~'; });
    if (!fits)
      return fail(ErrorCode::kInvalidArgument, "'{}' is no header, or has a value that is none", key);
  }
  ORDO_TRY(
      demand(options.rate > 0 && options.rate <= 1000, "rate is above 0 and at most 1000 requests a second"));
  ORDO_TRY(demand(options.timeout_s >= 0.01 && options.timeout_s <= 60, "timeout_s is from 0.01 to 60"));
  ORDO_TRY(demand(options.again_s >= 0 && options.again_s <= 3600, "again_s is from 0 to an hour"));
  ORDO_TRY(
      demand(options.most_bytes >= 1 && options.most_bytes <= 16u << 20, "most_bytes is from 1 to 16 MiB"));
  ORDO_TRY(Blanker::create(options.ignore));
  return {};
}

std::optional<AskedRequest> readRequest(std::string_view line, const std::vector<std::string>& methods) {
  while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
  if (line.size() > kMostLine) return std::nullopt;
  bool logged = false;
  for (std::size_t begin = line.find('"');
       begin != std::string_view::npos && !isWord(line.substr(0, line.find(' ')));
       begin = line.find('"', begin + 1)) {
    const std::size_t end = line.find('"', begin + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view quoted = line.substr(begin + 1, end - begin - 1);
    const std::size_t version = quoted.rfind(" HTTP/");
    if (version == std::string_view::npos) continue;
    line = quoted.substr(0, version);
    logged = true;
    break;
  }
  AskedRequest request;
  request.method = cutWord(line);
  if (std::ranges::find(methods, request.method) == methods.end()) return std::nullopt;
  request.path = cutWord(line);
  if (!isPath(request.path)) return std::nullopt;
  if (line.starts_with("HTTP/")) line = {};
  // What a log has behind the path is no body.
  if (logged && !line.empty()) return std::nullopt;
  request.body = line;
  return request;
}

// POSIX's, because those of the C++ library recurse once for each byte of what they match.
struct Blanker::Patterns {
  std::vector<regex_t> compiled;
  ~Patterns() {
    for (regex_t& one : compiled) ::regfree(&one);
  }
};

Result<Blanker> Blanker::create(const std::vector<std::string>& patterns) {
  if (patterns.size() > kMostPatterns)
    return fail(ErrorCode::kInvalidArgument, "ignore has more than {} expressions", kMostPatterns);
  auto all = std::make_shared<Patterns>();
  all->compiled.reserve(patterns.size());
  for (const std::string& pattern : patterns) {
    // Back references take time without bound.
    for (std::size_t at = 0; (at = pattern.find('\\', at)) != std::string::npos; at += 2)
      if (at + 1 < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[at + 1])) != 0)
        return fail(ErrorCode::kInvalidArgument, "'{}' has a back reference, which ignore does not take",
                    pattern);
    regex_t compiled;
    if (pattern.empty() || pattern.size() > 1000 ||
        ::regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NEWLINE) != 0)
      return fail(ErrorCode::kInvalidArgument, "'{}' is no extended regular expression of POSIX", pattern);
    all->compiled.push_back(compiled);
    if (::regexec(&all->compiled.back(), "", 0, nullptr, 0) == 0)
      return fail(ErrorCode::kInvalidArgument, "'{}' also matches nothing at all; say what has to be there",
                  pattern);
  }
  return Blanker(std::move(all));
}

std::string Blanker::blank(std::string body) const {
  for (const regex_t& pattern : patterns_->compiled) {
    std::string rest;
    std::size_t at = 0;
    while (at < body.size()) {
      regmatch_t match{.rm_so = static_cast<regoff_t>(at), .rm_eo = static_cast<regoff_t>(body.size())};
      if (::regexec(&pattern, body.c_str(), 1, &match, REG_STARTEND | (at > 0 ? REG_NOTBOL : 0)) != 0) break;
      const auto begin = static_cast<std::size_t>(match.rm_so), end = static_cast<std::size_t>(match.rm_eo);
      rest.append(body, at, begin - at);
      // That there was something counts.
      rest += end > begin ? std::string(1, '\0') : body.substr(begin, 1);
      at = std::max(end, begin + (end > begin ? 0 : 1));
    }
    if (at < body.size()) rest.append(body, at);
    body = std::move(rest);
  }
  return body;
}

Oddness oddOf(const std::array<std::optional<Answer>, kPools>& answers) {
  const auto& [production, control, canary] = answers;
  if (!production || (!control && !canary)) return Oddness::kUnknown;
  if (control == canary) return production == control ? Oddness::kNone : Oddness::kProduction;
  if (production == control) return Oddness::kCanary;
  if (production == canary) return Oddness::kControl;
  return Oddness::kAllDiffer;
}

struct Answers::Work {
  struct Suspect {
    AskedRequest request;
    double due_s = 0;
    std::size_t left = kAskedAgain;
  };

  Work(const AnswersOptions& wanted_options, Blanker wanted_blanker, std::uint64_t seed)
      : options(wanted_options), blanker(std::move(wanted_blanker)), follower(options.requests), rng(seed) {}

  const AnswersOptions options;
  const Blanker blanker;
  std::atomic<bool> wanted{false};
  mutable std::mutex mutex;  // guards these three
  std::condition_variable wake;
  bool ended = false;
  AnswerCounts counts;
  // Of the thread alone, once it runs.
  LogFollower follower;
  Rng rng;
  std::deque<AskedRequest> requests;
  std::deque<Suspect> suspects;
  std::thread thread;

  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  void remember(std::string_view line) {
    const std::optional<AskedRequest> request = readRequest(line, options.methods);
    if (!request || std::ranges::find(requests, *request) != requests.end()) return;
    if (requests.size() == kMostRequests) requests.pop_front();
    requests.push_back(*request);
  }

  Status begin() {
    ORDO_TRY(follower.read([](std::string_view) {}));
    std::ifstream file(options.requests, std::ios::binary | std::ios::ate);
    const std::streamoff size = file.tellg();
    file.seekg(std::max<std::streamoff>(0, size - kLooksBack));
    std::string line;
    if (size > kLooksBack) std::getline(file, line);  // half of one
    while (std::getline(file, line)) remember(line);
    return {};
  }

  std::optional<Answer> answerOf(const AskedRequest& request, const AnswersOptions::Address& pool) const {
    FetchRequest fetched{.host = pool.host,
                         .port = pool.port,
                         .method = request.method,
                         .path = request.path,
                         .headers = {options.headers.begin(), options.headers.end()},
                         .body = request.body,
                         .timeout_s = options.timeout_s,
                         .most_bytes = options.most_bytes};
    Result<Fetched> answer = fetch(fetched);
    if (!answer) return std::nullopt;
    return Answer{.status = answer->status,
                  .digest = hashBytes(blanker.blank(std::move(answer->body)) + (answer->cut ? "+" : ""))};
  }

  Oddness ask(const AskedRequest& request) {
    std::array<std::size_t, kPools> order = {0, 1, 2};
    for (std::size_t i = kPools - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
    std::array<std::optional<Answer>, kPools> answers;
    for (const std::size_t pool : order) answers[pool] = answerOf(request, options.pools[pool]);
    return oddOf(answers);
  }

  void count(Oddness odd, bool again) {
    const std::lock_guard lock(mutex);
    if (!wanted || odd == Oddness::kUnknown) return;  // what is withdrawn is stopped
    if (odd == Oddness::kAllDiffer) {
      counts.all_different += again ? 0 : 1;
      return;
    }
    counts.compared += again ? 0 : 1;
    if (odd == Oddness::kNone) return;
    const std::size_t pool = odd == Oddness::kCanary ? 2 : odd == Oddness::kControl ? 1 : 0;
    ++(again ? counts.odd_again : counts.odd)[pool];
  }

  // One request to all three.
  void turn() {
    if (const auto due =
            std::ranges::find_if(suspects, [](const Suspect& one) { return one.due_s <= now(); });
        due != suspects.end() && rng.chance(0.5)) {
      count(ask(due->request), true);
      due->due_s = now() + options.again_s;
      if (--due->left == 0) suspects.erase(due);
      return;
    }
    if (requests.empty()) return;
    const AskedRequest request = requests[rng.below(requests.size())];
    const Oddness odd = ask(request);
    count(odd, false);
    const bool known =
        std::ranges::any_of(suspects, [&](const Suspect& one) { return one.request == request; });
    if ((odd == Oddness::kCanary || odd == Oddness::kControl) && !known && suspects.size() < kMostSuspects)
      suspects.push_back({.request = request, .due_s = now() + options.again_s});
  }

  void run() {
    double next_s = now();
    for (std::unique_lock lock(mutex); !ended;) {
      const double wait_s = wanted ? next_s - now() : 1;
      if (wait_s > 0) {
        wake.wait_for(lock, std::chrono::duration<double>(std::min(wait_s, 1.0)));
        if (wanted || ended) continue;
      }
      lock.unlock();
      static_cast<void>(follower.read([&](std::string_view line) { remember(line); }));
      if (wanted)
        turn();
      else
        suspects.clear();
      next_s = std::max(next_s + 1 / options.rate, now());
      lock.lock();
    }
  }
};

Answers::Answers(std::unique_ptr<Work> work) : work_(std::move(work)) {}

Result<std::unique_ptr<Answers>> Answers::start(const AnswersOptions& options, std::uint64_t seed) {
  ORDO_TRY(check(options));
  ORDO_TRY_ASSIGN(Blanker blanker, Blanker::create(options.ignore));
  auto work = std::make_unique<Work>(options, std::move(blanker), seed);
  ORDO_TRY(work->begin());
  if (work->requests.empty())
    return fail(
        ErrorCode::kUnsupported,
        "{} has no request: lines like \"GET /path\", or of a log that has them in quotes, with a method of "
        "{}",
        options.requests.string(), fmt::join(options.methods, ", "));
  std::unique_ptr<Answers> answers(new Answers(std::move(work)));
  answers->work_->thread = std::thread([work = answers->work_.get()] { work->run(); });
  return answers;
}

Answers::~Answers() {
  {
    const std::lock_guard lock(work_->mutex);
    work_->ended = true;
    work_->wanted = false;
  }
  work_->wake.notify_all();
  if (work_->thread.joinable()) work_->thread.join();
}

void Answers::ask(bool wanted) {
  const std::lock_guard lock(work_->mutex);
  work_->wanted = wanted;
  work_->wake.notify_all();
}

AnswerCounts Answers::counts() const {
  const std::lock_guard lock(work_->mutex);
  return work_->counts;
}

Result<Figures> AnsweredMetrics::read() {
  Result<Figures> figures = inner_->read();
  const auto canary = static_cast<std::size_t>(Pool::kCanary);
  answers_->ask(figures && (*figures)[canary] && (*figures)[canary]->serves && (*figures)[canary]->up);
  if (!figures) return figures;
  const AnswerCounts counts = answers_->counts();
  for (const Pool pool : {Pool::kControl, Pool::kCanary}) {
    const auto i = static_cast<std::size_t>(pool);
    if (!(*figures)[i]) continue;
    (*figures)[i]->compared = counts.compared;
    (*figures)[i]->odd = counts.odd[i];
    (*figures)[i]->odd_again = counts.odd_again[i];
  }
  return figures;
}

std::string AnsweredMetrics::problem() const {
  const std::string problem = inner_->problem();
  const AnswerCounts counts = answers_->counts();
  if (!problem.empty() || counts.all_different < 100 || counts.all_different < counts.compared)
    return problem;
  return "most answers are different each time, so that a wrong one is not seen; name the parts that may "
         "differ in "
         "ignore of [answers]";
}

}  // namespace ordo::loop

#include "loop/service/prometheus.h"

#include <httplib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "loop/service/fetch.h"
#include "support/json.h"

namespace ordo::loop {
namespace {

constexpr std::size_t kMostSeries = 20'000;

// [a-zA-Z_][a-zA-Z0-9_]*, as Prometheus has them.
bool isMetricName(std::string_view name) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  return !name.empty() && name.size() <= 200 && letter(static_cast<unsigned char>(name.front())) &&
         std::ranges::all_of(name, [&](unsigned char c) { return letter(c) || std::isdigit(c) != 0; });
}

bool isValue(std::string_view value) {
  return value.size() <= 200 && std::ranges::all_of(value, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == ':' || c == '/';
         });
}

// "+Inf", "NaN" and numbers; nothing if there is more.
std::optional<double> numberOf(const std::string& text) {
  if (text == "+Inf") return std::numeric_limits<double>::infinity();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  return value;
}

std::optional<std::size_t> poolOf(const Sample& sample, const PrometheusOptions& options) {
  const auto found = sample.labels.find(options.label);
  if (found == sample.labels.end()) return std::nullopt;
  const auto pool = std::ranges::find(options.pools, found->second);
  if (pool == options.pools.end()) return std::nullopt;
  return static_cast<std::size_t>(pool - options.pools.begin());
}

double add(double a, double b) { return a + b; }
double earlier(double a, double b) { return std::isnan(a) ? a : std::min(b, a); }
double later(double a, double b) { return std::isnan(a) ? a : std::max(b, a); }

// Without the labels of `sum_over`, and of the series that are the same then, one. The same series twice is
// no answer of Prometheus; both stay, and are refused.
std::vector<Sample> joined(const std::vector<Sample>& samples, const PrometheusOptions& options,
                           double (*join)(double, double)) {
  std::vector<Sample> all;
  std::map<std::map<std::string, std::string>, std::size_t> places;
  std::set<std::map<std::string, std::string>> seen;
  for (Sample sample : samples) {
    const bool again = !seen.insert(sample.labels).second;
    for (const std::string& label : options.sum_over) sample.labels.erase(label);
    const auto [place, fresh] = places.emplace(sample.labels, all.size());
    if (fresh || again)
      all.push_back(std::move(sample));
    else
      all[place->second].value = join(all[place->second].value, sample.value);
  }
  return all;
}

// One value for each pool; not a number if there is none, or several.
std::array<double, kPools> single(const std::vector<Sample>& samples, const PrometheusOptions& options) {
  std::array<double, kPools> values;
  values.fill(std::nan(""));
  std::array<bool, kPools> seen{};
  for (const Sample& sample : samples) {
    const std::optional<std::size_t> pool = poolOf(sample, options);
    if (!pool) continue;
    values[*pool] = seen[*pool] ? std::nan("") : sample.value;
    seen[*pool] = true;
  }
  return values;
}

}  // namespace

Result<std::vector<Sample>> readVector(std::string_view body) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(body, "Prometheus' answer"));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, "Prometheus' answer"));
  ORDO_TRY_ASSIGN(const std::string status, object.get<std::string>("status"));
  if (status != "success") {
    ORDO_TRY_ASSIGN(const std::string error, object.get<std::string>("error", std::string("no reason")));
    return fail(ErrorCode::kUnavailable, "Prometheus says: {}", error.substr(0, 200));
  }
  ORDO_TRY_ASSIGN(const JsonObject data, object.object("data"));
  ORDO_TRY_ASSIGN(const std::string kind, data.get<std::string>("resultType"));
  if (kind != "vector")
    return fail(ErrorCode::kCorrupt, "Prometheus answers with a {}, not a vector", kind.substr(0, 40));
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> results, data.objects("result"));
  if (results.size() > kMostSeries)
    return fail(ErrorCode::kCorrupt, "Prometheus answers with {} series; {} are the most", results.size(),
                kMostSeries);
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Json& item = json["data"]["result"][i];
    const bool shaped = item.contains("metric") && item["metric"].is_object() && item.contains("value") &&
                        item["value"].is_array() && item["value"].size() == 2 && item["value"][1].is_string();
    if (!shaped) return fail(ErrorCode::kCorrupt, "Prometheus' answer: result {} is no sample", i);
    Sample sample;
    for (const auto& [label, value] : item["metric"].items())
      if (value.is_string()) sample.labels[label] = value.get<std::string>();
    const std::optional<double> value = numberOf(item["value"][1].get<std::string>());
    if (!value) return fail(ErrorCode::kCorrupt, "Prometheus' answer: result {} has no number", i);
    sample.value = *value;
    samples.push_back(std::move(sample));
  }
  return samples;
}

Figures figuresOf(const std::vector<Sample>& buckets, const std::vector<Sample>& scraped,
                  const std::vector<Sample>& started, const PrometheusOptions& options) {
  std::array<std::vector<std::pair<double, double>>, kPools> cumulative;
  for (const Sample& sample : joined(buckets, options, add)) {
    const std::optional<std::size_t> pool = poolOf(sample, options);
    const auto bound = sample.labels.find("le");
    if (!pool || bound == sample.labels.end()) continue;
    cumulative[*pool].emplace_back(numberOf(bound->second).value_or(std::nan("")), sample.value);
  }
  const std::array<double, kPools> at = single(joined(scraped, options, earlier), options);
  std::array<double, kPools> since = single(joined(started, options, later), options);
  if (options.started.empty()) since.fill(0);
  Figures figures;
  for (std::size_t i = 0; i < kPools; ++i) {
    if (cumulative[i].empty() || !std::isfinite(at[i]) || !std::isfinite(since[i])) continue;
    Result<Histogram> latency = Histogram::fromCumulative(std::move(cumulative[i]));
    if (!latency) continue;
    Counters counters;
    counters.latency = std::move(*latency);
    counters.instance = fmt::format("{:.3f}", since[i]);
    counters.at_s = at[i];
    figures[i] = std::move(counters);
  }
  return figures;
}

Result<PrometheusMetrics> PrometheusMetrics::create(const PrometheusOptions& options,
                                                    const Balancer& balancer) {
  std::vector<std::string> names = options.sum_over;
  names.insert(names.end(), {options.histogram, options.label});
  if (!options.started.empty()) names.push_back(options.started);
  for (const std::string& name : names)
    if (!isMetricName(name)) return fail(ErrorCode::kInvalidArgument, "'{}' is no name of Prometheus", name);
  // What says which pool or how long cannot be put together.
  for (const std::string& label : options.sum_over)
    if (label == options.label || label == "le" || options.selector.contains(label))
      return fail(ErrorCode::kInvalidArgument, "sum_over cannot have {}, which tells series apart", label);
  for (const auto& [label, value] : options.selector)
    if (!isMetricName(label) || !isValue(value))
      return fail(ErrorCode::kInvalidArgument,
                  "{}=\"{}\" is no selector; letters, digits and _-.:/ are taken", label, value);
  for (const std::string& value : options.pools)
    if (value.empty() || !isValue(value) || std::ranges::count(options.pools, value) != 1)
      return fail(ErrorCode::kInvalidArgument,
                  "'{}' is no value for one pool; letters, digits and _-.:/ are taken", value);
  return PrometheusMetrics(options, balancer);
}

Result<std::string> askPrometheus(const PrometheusOptions& options, const std::string& text) {
  FetchRequest request{.host = options.host,
                       .port = options.port,
                       .path = httplib::append_query_params("/api/v1/query", {{"query", text}}),
                       .timeout_s = options.timeout_s};
  Result<Fetched> answer = fetch(request);
  if (!answer)
    return fail(ErrorCode::kUnavailable,
                "Prometheus at {}; is it up there, as host and port of [prometheus] say?",
                answer.error().message);
  const std::string where = fmt::format("Prometheus at {}:{}", options.host, options.port);
  if (answer->cut)
    return fail(ErrorCode::kCorrupt,
                "{} answers with more than {} MiB; have selector of [prometheus] ask for less", where,
                request.most_bytes >> 20);
  switch (answer->status) {
    case 200:
    case 400:  // these three come with a reason, which readVector() finds
    case 422:
    case 503:
      return std::move(answer->body);
    case 401:
    case 403:
      return fail(
          ErrorCode::kUnavailable,
          "{} refuses (HTTP {}); nothing is sent that says who asks: let this host in, or name a proxy that "
          "it lets in",
          where, answer->status);
    default:
      return fail(
          ErrorCode::kUnavailable,
          "{} answers with HTTP {} to /api/v1/query; host and port of [prometheus] have to be Prometheus' "
          "own, without a path before its API",
          where, answer->status);
  }
}

std::string labelsOf(const PrometheusOptions& options, const std::string& pools) {
  std::string labels = fmt::format("{}=~\"{}\"", options.label, pools);
  for (const auto& [label, value] : options.selector) labels += fmt::format(",{}=\"{}\"", label, value);
  return labels;
}

Result<std::optional<double>> readScrapeInterval(std::string_view body) {
  const Json json = Json::parse(body, nullptr, false);
  const bool shaped = json.is_object() && json.contains("data") && json["data"].is_object() &&
                      json["data"].contains("result") && json["data"]["result"].is_array();
  if (!shaped) return fail(ErrorCode::kCorrupt, "Prometheus' answer is none");
  std::vector<double> gaps;
  for (const Json& series : json["data"]["result"]) {
    if (!series.is_object() || !series.contains("values") || !series["values"].is_array()) continue;
    double last = -1;
    for (const Json& value : series["values"]) {
      if (!value.is_array() || value.empty() || !value[0].is_number()) continue;
      const double at = value[0].get<double>();
      if (last >= 0 && at > last && gaps.size() < kMostSeries) gaps.push_back(at - last);
      last = at;
    }
  }
  if (gaps.size() < 2) return std::nullopt;
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::ranges::nth_element(gaps, middle);
  return *middle;
}

Result<Figures> PrometheusMetrics::latencies() const {
  const std::string labels = labelsOf(options_, fmt::format("{}", fmt::join(options_.pools, "|")));
  const auto ask = [&](const std::string& text) -> Result<std::vector<Sample>> {
    ORDO_TRY_ASSIGN(const std::string body, askPrometheus(options_, text));
    return readVector(body);
  };
  ORDO_TRY_ASSIGN(const std::vector<Sample> buckets,
                  ask(fmt::format("{}_bucket{{{}}}", options_.histogram, labels)));
  ORDO_TRY_ASSIGN(const std::vector<Sample> scraped,
                  ask(fmt::format("timestamp({}_count{{{}}})", options_.histogram, labels)));
  std::vector<Sample> started;
  if (!options_.started.empty()) {
    ORDO_TRY_ASSIGN(started, ask(fmt::format("{}{{{}}}", options_.started, labels)));
  }
  return figuresOf(buckets, scraped, started, options_);
}

Result<Figures> PrometheusMetrics::read() {
  // Who is down is known without Prometheus, and a pool that hangs has no figures.
  Result<Figures> figures = latencies();
  problem_ = figures ? "" : figures.error().message;
  return counted(figures ? std::move(*figures) : Figures{}, balancer_);
}

}  // namespace ordo::loop

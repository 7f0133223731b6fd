#include "loop/service/command_balancer.h"

#include <charconv>

#include "loop/service/commands.h"

namespace ordo::loop {
namespace {

// What is to withdraw a canary must not be waited for as long as a build.
constexpr double kSeconds = 10;
constexpr std::size_t kMostText = 4096;

// The words of a line, which are single spaces apart.
std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> all;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    all.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

template <typename Whole>
bool read(std::string_view text, Whole& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<Looked> readLook(std::string_view text) {
  const auto bad = [](std::string_view line) {
    return fail(
        ErrorCode::kCorrupt,
        "[balancer] look has to print a line for each pool, like 'canary 26 up 0 0': name, weight, up or "
        "down, errors, redispatches; not '{}'",
        line.substr(0, 80));
  };
  if (text.size() > kMostText) return bad(text);
  Looked looked;
  std::array<bool, kPools> seen{};
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::vector<std::string_view> parts = words(line);
    std::size_t pool = 0;
    while (pool < kPools && parts[0] != name(static_cast<Pool>(pool))) ++pool;
    if (pool == kPools || parts.size() != 5 || seen[pool] || (parts[2] != "up" && parts[2] != "down"))
      return bad(line);
    ServerCounts& counts = looked.counts[pool];
    counts.up = parts[2] == "up";
    if (!read(parts[1], looked.weights[pool]) || !read(parts[3], counts.errors) ||
        !read(parts[4], counts.redispatches) || looked.weights[pool] < 0 || looked.weights[pool] > kWeights)
      return bad(line);
    counts.serves = looked.weights[pool] > 0;
    seen[pool] = true;
  }
  for (const bool one : seen)
    if (!one) return bad("nothing of one of them");
  return looked;
}

Result<Looked> CommandBalancer::look() const {
  ORDO_TRY_ASSIGN(const std::string text, outputOf(settings_.balancer_look, settings_, kSeconds, nullptr));
  return readLook(text);
}

Status CommandBalancer::set(const Shares& shares) {
  const std::array<int, kPools> wanted = weightsOf(shares);
  std::map<std::string, std::string> values;
  for (std::size_t i = 0; i < kPools; ++i)
    values[fmt::format("{{{}}}", name(static_cast<Pool>(i)))] = std::to_string(wanted[i]);
  ORDO_TRY(outputOf(filled(settings_.balancer_set, values), settings_, kSeconds, nullptr));
  ORDO_TRY_ASSIGN(const Looked real, look());
  if (real.weights != wanted)
    return fail(ErrorCode::kUnavailable, "the balancer's weights are {}, {} and {}, not {}, {} and {}",
                real.weights[0], real.weights[1], real.weights[2], wanted[0], wanted[1], wanted[2]);
  return {};
}

Result<Shares> CommandBalancer::get() {
  ORDO_TRY_ASSIGN(const Looked real, look());
  const double sum = std::max(1, real.weights[0] + real.weights[1] + real.weights[2]);
  return Shares{.control = real.weights[1] / sum, .canary = real.weights[2] / sum};
}

Result<std::array<ServerCounts, kPools>> CommandBalancer::counts() const {
  ORDO_TRY_ASSIGN(const Looked real, look());
  return real.counts;
}

Result<std::unique_ptr<Balancer>> openBalancer(const Settings& settings) {
  if (!settings.balancer_set.empty()) return std::make_unique<CommandBalancer>(settings);
  ORDO_TRY_ASSIGN(Haproxy haproxy, Haproxy::create(settings.haproxy));
  return std::make_unique<Haproxy>(std::move(haproxy));
}

}  // namespace ordo::loop

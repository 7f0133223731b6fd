#include "experience/slim.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "experience/encode.h"
#include "experience/reader.h"
#include "support/files.h"
#include "support/rng.h"

namespace ordo::experience {

Run slim(Run run, const Sample& sample) {
  std::vector<std::size_t> order(run.tried.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // By value, what has none last; the earlier among equals.
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const auto &left = run.tried[a].value, &right = run.tried[b].value;
    if (left.has_value() != right.has_value()) return left.has_value();
    if (left != right) return *left < *right;
    return a < b;
  });
  const std::size_t measured = static_cast<std::size_t>(
      std::ranges::count_if(run.tried, [](const Attempt& attempt) { return attempt.value.has_value(); }));
  const std::size_t best = std::min<std::uint64_t>(sample.best, measured);
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}", run.key.uri, run.key.objective, run.key.searcher, run.key.seed);
  const std::span<std::size_t> others = std::span(order).subspan(best);
  std::ranges::sort(others);
  Rng(sample.seed).stream(hashBytes(key).low).shuffle(others);
  order.resize(best + std::min<std::uint64_t>(sample.others, others.size()));
  std::ranges::sort(order);

  std::vector<Attempt> kept;
  for (const std::size_t i : order) kept.push_back(std::move(run.tried[i]));
  run.tried = std::move(kept);
  for (Best& winner : run.best) winner.states.clear();
  run.states.clear();
  return run;
}

Status writeSlim(const std::filesystem::path& from, const std::filesystem::path& to, const Sample& sample) {
  if (std::error_code ignored; std::filesystem::equivalent(from, to, ignored))
    return fail(ErrorCode::kInvalidArgument, "{} would be replaced by its slim form; name another file",
                from.string());
  ORDO_TRY_ASSIGN(Reader reader, Reader::open(from));
  Header header = reader.header();
  if (header.sample) return fail(ErrorCode::kInvalidArgument, "{} is slim already", from.string());
  header.observations.clear();
  header.sample = sample;
  std::string text = encode(header) + '\n';
  for (;;) {
    ORDO_TRY_ASSIGN(std::optional<Record> record, reader.next());
    if (!record) break;
    if (Run* const run = std::get_if<Run>(&*record)) record = slim(std::move(*run), sample);
    text += encode(*record) + '\n';
  }
  return writeFile(to, text);
}

}  // namespace ordo::experience

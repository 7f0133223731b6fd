#include "loop/reward/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ordo::loop {
namespace {

constexpr double kLeast = 1e-6, kMost = 1e3, kGrowth = 1.02;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostCells = 4096;
constexpr std::uint64_t kMostRequests = std::uint64_t{1} << 53;  // what a double counts

bool before(const Cell& a, const Cell& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; }

double boundOf(int index) { return kLeast * std::pow(kGrowth, index); }

// The interval that a value falls into. Its bounds are computed from its number alone, so that the same
// interval has the same bounds wherever it comes from.
Cell cellOf(double seconds) {
  if (seconds < kLeast) return {.low = 0, .high = kLeast};
  if (seconds >= kMost) return {.low = kMost, .high = kInfinity};
  int index = static_cast<int>(std::floor(std::log(seconds / kLeast) / std::log(kGrowth)));
  if (boundOf(index) > seconds) --index;
  if (boundOf(index + 1) <= seconds) ++index;
  return {.low = boundOf(index), .high = std::min(boundOf(index + 1), kMost)};
}

// Where in an interval a share of its values ends.
double within(const Cell& cell, double share) {
  if (cell.low <= 0) return cell.high * share;
  return cell.low * std::pow(cell.high / cell.low, share);
}

}  // namespace

void Histogram::add(double seconds, std::uint64_t times) {
  if (std::isnan(seconds) || seconds < 0 || times == 0) return;
  Cell cell = cellOf(seconds);
  const auto place = std::ranges::lower_bound(cells_, cell, before);
  if (place != cells_.end() && place->low == cell.low && place->high == cell.high) {
    place->count += times;
    return;
  }
  cell.count = times;
  cells_.insert(place, cell);
}

Result<Histogram> Histogram::fromCumulative(std::vector<std::pair<double, double>> buckets) {
  if (buckets.size() > kMostCells)
    return fail(ErrorCode::kCorrupt, "a histogram has {} buckets; {} are the most", buckets.size(),
                kMostCells);
  std::ranges::sort(buckets);
  if (buckets.empty() || buckets.back().first != kInfinity)
    return fail(ErrorCode::kCorrupt, "a histogram has no bucket le=\"+Inf\"");
  Histogram histogram;
  double low = 0, until = 0;
  for (const auto& [high, count] : buckets) {
    if (std::isnan(high) || high <= low)
      return fail(ErrorCode::kCorrupt, "bucket le=\"{}\" of a histogram repeats or is not above 0", high);
    if (!(count >= until) || count > static_cast<double>(kMostRequests))
      return fail(ErrorCode::kCorrupt, "bucket le=\"{}\" of a histogram has {}, fewer than the one before",
                  high, count);
    const auto here = static_cast<std::uint64_t>(std::llround(count) - std::llround(until));
    if (here > 0) histogram.cells_.push_back({low, high, here});
    low = high;
    until = count;
  }
  return histogram;
}

std::optional<Histogram> Histogram::since(const Histogram& earlier) const {
  Histogram difference = *this;
  for (const Cell& old : earlier.cells_) {
    const auto place = std::ranges::lower_bound(difference.cells_, old, before);
    if (place == difference.cells_.end() || place->low != old.low || place->high != old.high ||
        place->count < old.count)
      return std::nullopt;
    place->count -= old.count;
  }
  std::erase_if(difference.cells_, [](const Cell& cell) { return cell.count == 0; });
  return difference;
}

void Histogram::merge(const Histogram& other) {
  for (const Cell& cell : other.cells_) {
    const auto place = std::ranges::lower_bound(cells_, cell, before);
    if (place != cells_.end() && place->low == cell.low && place->high == cell.high) {
      place->count += cell.count;
    } else {
      cells_.insert(place, cell);
    }
  }
}

std::uint64_t Histogram::count() const {
  std::uint64_t sum = 0;
  for (const Cell& cell : cells_) sum += cell.count;
  return sum;
}

std::optional<double> Histogram::quantile(double q) const {
  const double wanted = q * static_cast<double>(count());
  double passed = 0;
  for (const Cell& cell : cells_) {
    const auto here = static_cast<double>(cell.count);
    if (passed + here >= wanted) {
      if (std::isinf(cell.high)) return std::nullopt;
      return within(cell, std::clamp((wanted - passed) / here, 0.0, 1.0));
    }
    passed += here;
  }
  return std::nullopt;
}

double Histogram::above(double seconds) const {
  double sum = 0;
  for (const Cell& cell : cells_) {
    const auto here = static_cast<double>(cell.count);
    if (cell.low >= seconds) {
      sum += here;
    } else if (std::isinf(cell.high)) {
      sum += here;  // at least as long as the bound that it is beyond; the safe side
    } else if (cell.high > seconds) {
      const double share =
          cell.low <= 0 ? seconds / cell.high : std::log(seconds / cell.low) / std::log(cell.high / cell.low);
      sum += here * (1 - share);
    }
  }
  return sum;
}

Json Histogram::toJson() const {
  Json list = Json::array();
  for (const Cell& cell : cells_) {
    // JSON has no infinity.
    list.push_back(
        Json::array({cell.low, std::isinf(cell.high) ? Json(nullptr) : Json(cell.high), cell.count}));
  }
  return list;
}

Result<Histogram> Histogram::fromJson(const Json& json, std::string_view where) {
  if (!json.is_array() || json.size() > kMostCells)
    return fail(ErrorCode::kCorrupt, "{}: a histogram is a list of at most {} cells", where, kMostCells);
  Histogram histogram;
  double until = 0;
  std::uint64_t sum = 0;
  for (const Json& item : json) {
    const bool shaped = item.is_array() && item.size() == 3 && item[0].is_number() &&
                        (item[1].is_number() || item[1].is_null()) && item[2].is_number_unsigned();
    if (!shaped)
      return fail(ErrorCode::kCorrupt, "{}: a cell of a histogram is [low, high or null, count]", where);
    const Cell cell{.low = item[0].get<double>(),
                    .high = item[1].is_null() ? kInfinity : item[1].get<double>(),
                    .count = item[2].get<std::uint64_t>()};
    if (!(cell.low >= until) || !(cell.high > cell.low) || cell.count == 0 || cell.count > kMostRequests ||
        (sum += cell.count) > kMostRequests)
      return fail(ErrorCode::kCorrupt, "{}: cells of a histogram rise, do not overlap, and count something",
                  where);
    until = cell.high;
    histogram.cells_.push_back(cell);
  }
  return histogram;
}

}  // namespace ordo::loop

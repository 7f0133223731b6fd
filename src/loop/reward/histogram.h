// How long requests took, as counts of intervals. An interval carries its own bounds, so that histograms of
// any source (buckets of Prometheus, our own of a balancer's log) are kept and compared in one form.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "support/json.h"

namespace ordo::loop {

struct Cell {
  double low = 0, high = 0;  // seconds; high may be infinite: "longer than we can tell"
  std::uint64_t count = 0;

  bool operator==(const Cell&) const = default;
};

class Histogram {
 public:
  Histogram() = default;

  // One value in seconds, into intervals that are 2 % wide from 1 us to 1,000 s. What is no number or
  // negative is not counted.
  void add(double seconds, std::uint64_t times = 1);

  // Of a cumulative histogram as Prometheus has it: (upper bound, requests up to it), in any order. kCorrupt
  // if bounds repeat, counts fall, or there is no bucket "+Inf".
  static Result<Histogram> fromCumulative(std::vector<std::pair<double, double>> buckets);

  // What came since `earlier`, of the same source. Nothing if a count fell: the source began anew.
  std::optional<Histogram> since(const Histogram& earlier) const;

  void merge(const Histogram& other);

  std::uint64_t count() const;
  // The least time that a share of `q` does not exceed, interpolated within its interval, whose values are
  // taken to be spread evenly in logarithm. Nothing if there is no value, or if it is longer than can be
  // told.
  std::optional<double> quantile(double q) const;
  // How many took longer than `seconds`; of the interval that holds it, a part by interpolation.
  double above(double seconds) const;

  const std::vector<Cell>& cells() const { return cells_; }
  bool operator==(const Histogram&) const = default;

  Json toJson() const;
  // kCorrupt unless it is what toJson() writes: what is stored may have been written by others.
  static Result<Histogram> fromJson(const Json& json, std::string_view where);

 private:
  std::vector<Cell> cells_;  // by bounds, without overlap; none with a count of 0
};

}  // namespace ordo::loop

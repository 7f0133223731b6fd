#include "search/knowledge/estimate.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "search/knowledge/ridge.h"
#include "support/error.h"

namespace ordo::search {
namespace {

// Takes from each of `rows` the mean of all.
void centre(std::span<Ridge::Row> rows) {
  Ridge::Row mean(rows.front().size(), 0);
  for (const Ridge::Row& row : rows)
    for (std::size_t j = 0; j < row.size(); ++j) mean[j] += row[j] / static_cast<double>(rows.size());
  for (Ridge::Row& row : rows)
    for (std::size_t j = 0; j < row.size(); ++j) row[j] -= mean[j];
}

}  // namespace

double Estimate::rank(std::size_t sequence, std::span<const std::int64_t> counts, double baseline) const {
  ORDO_CHECK(counts.size() == weights.size() && baseline >= 0, "{} counts for {} weights, {}", counts.size(),
             weights.size(), baseline);
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) sum += weights[i] * static_cast<double>(counts[i]);
  // Of a program without code nothing is left to be told apart.
  return offsets.at(sequence) + (baseline > 0 ? sum / baseline : 0);
}

Estimate fitEstimate(const std::vector<std::vector<Outcome>>& programs) {
  ORDO_CHECK(programs.size() >= 2 && programs.front().size() >= 2, "{} programs", programs.size());
  const std::size_t sequences = programs.front().size(), width = programs.front().front().counts.size();
  std::vector<Ridge::Row> rows;  // a program's one after the other, each with its target as the last
  for (const std::vector<Outcome>& program : programs) {
    ORDO_CHECK(program.size() == sequences, "{} outcomes of {} sequences", program.size(), sequences);
    for (const Outcome& outcome : program) {
      rows.push_back(outcome.counts);
      rows.back().push_back(std::log(outcome.cost));
    }
    centre(std::span(rows).last(sequences));
    for (Ridge::Row& row : std::span(rows).last(sequences))
      row.back() = std::clamp(row.back(), -std::numbers::ln2, std::numbers::ln2);
  }
  // The mean of each sequence is its offset's business.
  std::vector<Ridge::Row> means(sequences, Ridge::Row(width + 1, 0));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j <= width; ++j)
      means[i % sequences][j] += rows[i][j] / static_cast<double>(programs.size());
  std::vector<double> targets;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j <= width; ++j) rows[i][j] -= means[i % sequences][j];
    targets.push_back(rows[i].back());
    rows[i].pop_back();
  }
  Estimate estimate{Ridge(rows, targets).weights(), {}};
  for (Ridge::Row& mean : means) {
    double offset = mean.back();
    for (std::size_t j = 0; j < width; ++j) offset -= estimate.weights[j] * mean[j];
    estimate.offsets.push_back(offset);
  }
  return estimate;
}

}  // namespace ordo::search

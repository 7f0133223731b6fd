#include "search/knowledge/estimate.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "support/error.h"

namespace ordo::search {
namespace {

constexpr double kPenalty = 2e-8;  // of a squared weight, for each row
constexpr double kOffset = 0.3;    // how readily a sequence has an offset, in units of counts for each byte
constexpr double kUsual = 0.1;     // how far a program's costs lie from their mean, at most

}  // namespace

double Estimate::rank(std::size_t sequence, std::span<const std::int64_t> counts, double baseline) const {
  ORDO_CHECK(counts.size() == weights.size() && baseline >= 0, "{} counts for {} weights, {}", counts.size(),
             weights.size(), baseline);
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) sum += weights[i] * static_cast<double>(counts[i]);
  // Of a program without code nothing is left to be told apart.
  return offsets.at(sequence) + (baseline > 0 ? sum / baseline : 0);
}

Estimate fitEstimate(std::string observation, const std::vector<std::vector<Outcome>>& programs) {
  ORDO_CHECK(programs.size() >= 2 && programs.front().size() >= 2, "{} programs", programs.size());
  const auto sequences = static_cast<Eigen::Index>(programs.front().size());
  const auto counts = static_cast<Eigen::Index>(programs.front().front().counts.size());
  const Eigen::Index width = counts + sequences;  // an offset is the weight of being that sequence
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(width, width);
  Eigen::VectorXd moments = Eigen::VectorXd::Zero(width);
  for (const std::vector<Outcome>& program : programs) {
    ORDO_CHECK(std::ssize(program) == sequences, "{} outcomes of {} sequences", program.size(), sequences);
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(sequences, width);
    Eigen::VectorXd costs(sequences);
    for (Eigen::Index i = 0; i < sequences; ++i) {
      const Outcome& outcome = program[static_cast<std::size_t>(i)];
      rows.row(i).head(counts) = Eigen::Map<const Eigen::RowVectorXd>(outcome.counts.data(), counts);
      rows(i, counts + i) = kOffset;
      costs[i] = std::log(outcome.cost);
    }
    // What is the same for all sequences on a program says nothing.
    rows.rowwise() -= rows.colwise().mean().eval();
    costs.array() -= costs.mean();
    const double weight = std::min(1.0, kUsual / std::max(costs.cwiseAbs().maxCoeff(), kUsual));
    gram.noalias() += weight * weight * rows.transpose() * rows;
    moments.noalias() += weight * weight * rows.transpose() * costs;
  }
  gram.diagonal().array() += kPenalty * static_cast<double>(programs.size()) * static_cast<double>(sequences);
  const Eigen::VectorXd solution = gram.ldlt().solve(moments);
  Estimate estimate{std::move(observation), {}, {}};
  estimate.weights.assign(solution.begin(), solution.begin() + counts);
  for (Eigen::Index i = 0; i < sequences; ++i) estimate.offsets.push_back(kOffset * solution[counts + i]);
  return estimate;
}

}  // namespace ordo::search

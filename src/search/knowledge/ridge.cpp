// With fewer examples than features the dual is the smaller problem: with the scaled rows Z and K = Z Zᵀ, the
// weights are Zᵀ (K + λ I)⁻¹ y. The same inverse G gives what each example's error would have been had it
// been left out, (G y)ᵢ / Gᵢᵢ, so every λ is judged by what it costs to invert one matrix.
#include "search/knowledge/ridge.h"

#include <cmath>
#include <limits>

#include "support/error.h"

namespace ordo::search {
namespace {

using Matrix = std::vector<Ridge::Row>;

// Of a symmetric positive definite matrix, by Gauss and Jordan without pivots, which those do not need.
Matrix inverseOf(Matrix a) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    const double pivot = a[k][k];
    for (std::size_t j = 0; j < n; ++j) a[k][j] = j == k ? 1 / pivot : a[k][j] / pivot;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[i][k];
      for (std::size_t j = 0; j < n; ++j) a[i][j] = (j == k ? 0 : a[i][j]) - factor * a[k][j];
    }
  }
  return a;
}

double dot(const Ridge::Row& a, const Ridge::Row& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Ridge::Ridge(std::span<const Row> rows, std::span<const double> targets) {
  const std::size_t n = rows.size(), width = rows.front().size();
  ORDO_CHECK(n == targets.size() && n >= 2, "{} rows and {} targets", n, targets.size());
  const auto share = 1 / static_cast<double>(n);
  for (const double target : targets) mean_ += share * target;
  centre_.assign(width, 0);
  Row scale(width, 0);
  for (const Row& row : rows) {
    for (std::size_t j = 0; j < width; ++j) centre_[j] += share * row[j];
  }
  for (const Row& row : rows) {
    for (std::size_t j = 0; j < width; ++j) scale[j] += share * (row[j] - centre_[j]) * (row[j] - centre_[j]);
  }
  for (double& variance : scale) variance = variance > 1e-18 ? 1 / std::sqrt(variance) : 0;

  Matrix z(rows.begin(), rows.end()), gram(n, Row(n));
  Row y(targets.begin(), targets.end());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < width; ++j) z[i][j] = (z[i][j] - centre_[j]) * scale[j];
    y[i] -= mean_;
  }
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) gram[i][j] = dot(z[i], z[j]);
    trace += gram[i][i];
  }
  if (trace <= 0) trace = 1;

  double least_error = std::numeric_limits<double>::infinity();
  for (const double strength : {0.01, 0.1, 1.0, 10.0}) {
    Matrix regular = gram;
    for (std::size_t i = 0; i < n; ++i) regular[i][i] += strength * trace * share;
    const Matrix inverse = inverseOf(std::move(regular));
    Row dual(n);
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) {
      dual[i] = dot(inverse[i], y);
      error += (dual[i] / inverse[i][i]) * (dual[i] / inverse[i][i]);
    }
    if (error >= least_error) continue;
    least_error = error;
    weights_.assign(width, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < width; ++j) weights_[j] += dual[i] * z[i][j] * scale[j];
    }
  }
}

double Ridge::predict(const Row& row) const {
  double value = mean_;
  for (std::size_t j = 0; j < weights_.size(); ++j) value += weights_[j] * (row[j] - centre_[j]);
  return value;
}

}  // namespace ordo::search

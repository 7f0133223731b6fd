// With fewer examples than features the dual is the smaller problem: with the scaled rows Z and K = Z Zᵀ, the
// weights are Zᵀ (K + λ I)⁻¹ y. The same inverse G gives what each example's error would have been had it
// been left out, (G y)ᵢ / Gᵢᵢ, so every λ is judged by what it costs to invert one matrix.
#include "search/knowledge/ridge.h"

#include <Eigen/Dense>
#include <limits>

#include "support/error.h"

namespace ordo::search {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Ridge::Ridge(std::span<const Row> rows, std::span<const double> targets) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  const auto width = static_cast<Eigen::Index>(rows.front().size());
  ORDO_CHECK(rows.size() == targets.size() && n >= 2, "{} rows and {} targets", n, targets.size());
  Matrix z(n, width);
  for (Eigen::Index i = 0; i < n; ++i) z.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows[i].data(), width);
  const Eigen::RowVectorXd centre = z.colwise().mean();
  z.rowwise() -= centre;
  const Eigen::RowVectorXd variance = z.array().square().colwise().mean();
  const Eigen::RowVectorXd scale = (variance.array() > 1e-18).select(variance.array().rsqrt(), 0);
  z *= scale.asDiagonal();
  Vector y = Eigen::Map<const Vector>(targets.data(), n);
  mean_ = y.mean();
  y.array() -= mean_;

  const Matrix gram = z * z.transpose();
  const double trace = gram.trace() > 0 ? gram.trace() : 1;
  double least_error = std::numeric_limits<double>::infinity();
  for (const double strength : {0.01, 0.1, 1.0, 10.0}) {
    const Matrix regular = gram + strength * trace / static_cast<double>(n) * Matrix::Identity(n, n);
    const Matrix inverse = regular.llt().solve(Matrix::Identity(n, n));
    const Vector dual = inverse * y;
    const double error = dual.cwiseQuotient(inverse.diagonal()).squaredNorm();
    if (error >= least_error) continue;
    least_error = error;
    const Eigen::RowVectorXd weights = (dual.transpose() * z).cwiseProduct(scale);
    weights_.assign(weights.begin(), weights.end());
  }
  centre_.assign(centre.begin(), centre.end());
}

double Ridge::predict(const Row& row) const {
  if (weights_.empty()) return mean_;
  const auto width = static_cast<Eigen::Index>(weights_.size());
  const auto vector = [&](const Row& values) { return Eigen::Map<const Vector>(values.data(), width); };
  return mean_ + vector(weights_).dot(vector(row) - vector(centre_));
}

}  // namespace ordo::search

// Tails and critical values of the normal and of Student's distribution, accurate far out: a look early in a
// sequential test asks for levels of 10⁻⁶ and less.
#pragma once

namespace ordo::timing {

// P(Z > z) of a standard normal Z.
double normalTail(double z);

// The z with P(Z > z) = p. REQUIRES: 0 < p < 1.
double normalCritical(double p);

// P(T > t) of Student's T with `df` degrees of freedom. REQUIRES: df > 0.
double studentTail(double t, double df);

// The t with P(T > t) = p. REQUIRES: 0 < p <= 1/2, df > 0.
double studentCritical(double p, double df);

}  // namespace ordo::timing

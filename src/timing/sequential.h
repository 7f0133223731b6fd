// Looking at a measurement before it is over, without paying for it in false claims: a budget of error is
// spent little by little, least at the beginning.
//
// Everything is per side: a test of level `alpha` upwards and another downwards. Fractions are of the
// information of the whole measurement, here of its blocks: increasing, in (0, 1], the last one 1 or less.
#pragma once

#include <span>
#include <vector>

namespace ordo::timing {

// What may have been spent by fraction `t`: 2 - 2 Φ(z_{alpha/2} / √t), the spending function of Lan and
// DeMets (Biometrika 70, 1983) that acts like O'Brien and Fleming's boundaries. REQUIRES: 0 < alpha < 1, 0 <
// t <= 1.
double spent(double alpha, double t);

// For each look the z that |Z| must pass there, so that under no difference the chance of having passed on
// one side by then is spent(alpha, fraction): by the recursion of Armitage, McPherson and Rowe (JRSS A 132,
// 1969) over the density of those that have not stopped. Levels below 10⁻¹⁴ count as that. About 1 ms a look.
std::vector<double> boundaries(std::span<const double> fractions, double alpha);

// The chance that a measurement that has Z = `z` at fraction `t` ends above `critical`, if things go on as
// they have begun (stochastic curtailment: Lan, Simon and Halperin, Comm. Stat. C 1, 1982, with the B-value
// of Lan and Wittes, Biometrics 44, 1988). REQUIRES: 0 < t < 1.
double conditionalPower(double z, double t, double critical);

}  // namespace ordo::timing

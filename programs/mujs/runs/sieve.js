// Primes by a sieve, and the longest chains of the 3n + 1 problem: numbers and arrays.
var limit = +scriptArgs[0], composite = [], primes = [], i, k;
for (i = 2; i < limit; ++i) {
  if (composite[i]) continue;
  primes.push(i);
  for (k = i * i; k < limit; k += i) composite[k] = true;
}
print(primes.length, primes[primes.length - 1]);
var best = 0, start = 0;
for (i = 1; i < limit / 4; ++i) {
  var length = 1;
  for (k = i; k !== 1; k = k % 2 === 0 ? k / 2 : 3 * k + 1) ++length;
  if (length > best) { best = length; start = i; }
}
print(best, start);

// Powers modulo a number of BITS bits, inverses and common divisors of numbers that follow from each other.
#include "../driver.h"

#include "mbedtls/bignum.h"

static void must(int error) { check(error == 0, "arithmetic"); }

int main(int argc, char** argv) {
  const int bits = number(argc, argv, 1), rounds = number(argc, argv, 2);
  mbedtls_mpi base, exponent, modulus, power, inverse, divisor, mont;
  mbedtls_mpi* const all[] = {&base, &exponent, &modulus, &power, &inverse, &divisor, &mont};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) mbedtls_mpi_init(all[i]);
  unsigned char bytes[1024];
  unsigned state = 1;
  for (int i = 0; i < bits / 8; ++i) bytes[i] = (unsigned char)((state = state * 1103515245 + 12345) >> 16);
  bytes[0] |= 128, bytes[bits / 8 - 1] |= 1;
  must(mbedtls_mpi_read_binary(&modulus, bytes, (size_t)bits / 8));
  must(mbedtls_mpi_read_binary(&exponent, bytes + 1, (size_t)bits / 8 - 1));
  must(mbedtls_mpi_lset(&base, 3));
  for (int round = 0; round < rounds; ++round) {
    must(mbedtls_mpi_exp_mod(&power, &base, &exponent, &modulus, &mont));
    must(mbedtls_mpi_gcd(&divisor, &power, &modulus));
    const int found = mbedtls_mpi_inv_mod(&inverse, &power, &modulus);
    check(found == 0 || found == MBEDTLS_ERR_MPI_NOT_ACCEPTABLE, "inverting");
    must(mbedtls_mpi_add_mpi(&base, found == 0 ? &inverse : &power, &divisor));
    must(mbedtls_mpi_add_int(&exponent, &exponent, 2));
  }
  char text[4096];
  size_t length;
  must(mbedtls_mpi_write_string(&base, 10, text, sizeof text, &length));
  puts(text);
  return 0;
}

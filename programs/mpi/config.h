// What is built of Mbed TLS: numbers, without assembly.
#define MBEDTLS_BIGNUM_C
#define MBEDTLS_GENPRIME

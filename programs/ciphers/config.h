// Nettle as it is for any machine: nothing in assembly.
#define HAVE_LITTLE_ENDIAN 1

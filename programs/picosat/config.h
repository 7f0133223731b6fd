// What mkconfig.sh would make.
#define PICOSAT_CC "clang"
#define PICOSAT_CFLAGS ""
#define PICOSAT_VERSION "965"

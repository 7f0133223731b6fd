// What CMake would find out.
#define ENABLE_SINC_BEST_CONVERTER 1
#define ENABLE_SINC_FAST_CONVERTER 1
#define ENABLE_SINC_MEDIUM_CONVERTER 1
#define HAVE_STDBOOL_H 1
#define HAVE_STDINT_H 1
#define PACKAGE "libsamplerate"
#define VERSION "0.2.2"
#define CPU_CLIPS_NEGATIVE 0
#define CPU_CLIPS_POSITIVE 0

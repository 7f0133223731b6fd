// Whole numbers only: the same sound on every machine.
#define FIXED_POINT
#define EXPORT
#define SPEEX_VERSION "1.2.1"
#define VAR_ARRAYS
#define SPEEX_MAJOR_VERSION 1
#define SPEEX_MINOR_VERSION 2
#define SPEEX_MICRO_VERSION 1
#define SPEEX_EXTRA_VERSION ""

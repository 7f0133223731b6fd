// What configure would find out.
#define HAVE_ENDIAN_H 1
#define HAVE_LOCALE_H 1
#define HAVE_LOCALECONV 1
#define HAVE_LONG_LONG_INT 1
#define HAVE_SETLOCALE 1
#define HAVE_STRTOLL 1
#define HAVE_UNISTD_H 1
#define INITIAL_HASHTABLE_ORDER 3

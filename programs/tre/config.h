// What configure would find out.
#define HAVE_REG_ERRCODE_T 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_WCHAR_H 1
#define HAVE_WCTYPE_H 1
#define TRE_APPROX 1
#define TRE_WCHAR 1
#define TRE_REGEX_T_FIELD value
#define TRE_VERSION "0.8.0"

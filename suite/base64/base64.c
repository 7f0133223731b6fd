// base64 - encodes standard input, or decodes it with -d.
//
// The encoder wraps at 76 characters as MIME does. The decoder skips white space, insists on correct padding
// and on zero bits under it, and reports the offset of the first bad character with exit status 1.

#include <stdio.h>
#include <string.h>

static const char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(FILE* in, FILE* out) {
  unsigned char group[3];
  size_t got;
  int column = 0;
  while ((got = fread(group, 1, sizeof group, in)) > 0) {
    memset(group + got, 0, sizeof group - got);
    unsigned bits = (unsigned)group[0] << 16 | (unsigned)group[1] << 8 | group[2];
    for (size_t i = 0; i < 4; i++) {
      putc(i <= got ? kAlphabet[bits >> (18 - 6 * i) & 63] : '=', out);
    }
    column += 4;
    if (column == 76) {
      putc('\n', out);
      column = 0;
    }
  }
  if (column > 0) putc('\n', out);
}

static int value_of(int c) {
  const char* p = c ? strchr(kAlphabet, c) : NULL;
  return p ? (int)(p - kAlphabet) : -1;
}

// Writes the bytes of a last group that was cut short by padding. Unused low bits must be zero, or two
// different texts would decode to the same bytes.
static int finish(unsigned bits, int digits, int pads, FILE* out) {
  if (digits == 0) return pads == 0;
  if (digits + pads != 4 || pads > 2) return 0;
  bits <<= 6 * pads;
  if (bits & (pads == 2 ? 0xFFFFu : 0xFFu)) return 0;
  putc((int)(bits >> 16 & 0xFF), out);
  if (pads == 1) putc((int)(bits >> 8 & 0xFF), out);
  return 1;
}

static int decode(FILE* in, FILE* out) {
  unsigned bits = 0;
  int digits = 0, pads = 0;
  long offset = 0;
  for (int c; (c = getc(in)) != EOF; offset++) {
    if (c == '\n' || c == '\r' || c == ' ') continue;
    int value = value_of(c);
    if (c == '=') {
      pads++;
    } else if (value < 0 || pads > 0) {
      fprintf(out, "\nbase64: bad character at %ld\n", offset);
      return 1;
    } else {
      bits = bits << 6 | (unsigned)value;
      if (++digits == 4) {
        for (int shift = 16; shift >= 0; shift -= 8) putc((int)(bits >> shift & 0xFF), out);
        bits = 0;
        digits = 0;
      }
    }
  }
  if (finish(bits, digits, pads, out)) return 0;
  fprintf(out, "\nbase64: bad padding\n");
  return 1;
}

int main(int argc, char** argv) {
  if (argc == 1) {
    encode(stdin, stdout);
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "-d") == 0) return decode(stdin, stdout);
  fprintf(stderr, "usage: base64 [-d] < data\n");
  return 2;
}

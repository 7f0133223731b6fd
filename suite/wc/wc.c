// wc - counts of standard input.
//
// Prints the number of lines, words, bytes and UTF-8 code points, and the length of the longest line in
// code points. The exit status is 1 when the last line has no newline.

#include <stdio.h>

typedef struct {
  unsigned long lines, words, bytes, points, longest;
} Counts;

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Continuation bytes of UTF-8 are 10xxxxxx; every other byte starts a code point.
static int starts_point(int c) { return (c & 0xC0) != 0x80; }

static int count(FILE* in, Counts* n) {
  unsigned long column = 0;
  int in_word = 0;
  int last = '\n';
  for (int c; (c = getc(in)) != EOF; last = c) {
    n->bytes++;
    n->points += (unsigned long)starts_point(c);
    if (c == '\n') {
      n->lines++;
      column = 0;
    } else if (starts_point(c) && ++column > n->longest) {
      n->longest = column;
    }
    if (!is_space(c) && !in_word) n->words++;
    in_word = !is_space(c);
  }
  return last == '\n';
}

int main(void) {
  Counts n = {0, 0, 0, 0, 0};
  int complete = count(stdin, &n);
  printf("lines %lu\nwords %lu\nbytes %lu\npoints %lu\nlongest %lu\n", n.lines, n.words, n.bytes, n.points,
         n.longest);
  return !complete;
}

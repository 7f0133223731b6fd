// editdist - the closest words of a dictionary.
//
// Standard input holds a dictionary, one word per line, then a line "--", then words to look up. For each
// of those it prints the dictionary word at the smallest edit distance, where insertion, deletion,
// substitution and the swap of two neighbours cost one each. The first of several equally close words wins.
// The exit status is 1 when some word had nothing within the limit given as the argument.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxWord = 48, kMaxWords = 1024 };

static char words[kMaxWords][kMaxWord];
static int word_count;

static int min3(int a, int b, int c) {
  int low = a < b ? a : b;
  return low < c ? low : c;
}

// Restricted Damerau-Levenshtein distance; three rows are enough because a swap reaches two rows back.
static int distance(const char* a, const char* b) {
  int rows[3][kMaxWord + 1];
  int m = (int)strlen(a);
  int n = (int)strlen(b);
  for (int j = 0; j <= n; j++) rows[0][j] = j;
  for (int i = 1; i <= m; i++) {
    int* now = rows[i % 3];
    const int* above = rows[(i + 2) % 3];
    const int* above2 = rows[(i + 1) % 3];
    now[0] = i;
    for (int j = 1; j <= n; j++) {
      int change = a[i - 1] != b[j - 1];
      int best = min3(above[j] + 1, now[j - 1] + 1, above[j - 1] + change);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && above2[j - 2] + 1 < best) {
        best = above2[j - 2] + 1;
      }
      now[j] = best;
    }
  }
  return rows[m % 3][n];
}

// Reads one word in lower case; returns 0 at the end of the input.
static int read_word(char* word) {
  char line[256];
  if (!fgets(line, sizeof line, stdin)) return 0;
  size_t used = 0;
  for (const char* p = line; *p && *p != '\n' && used + 1 < kMaxWord; p++) {
    word[used++] = (char)tolower((unsigned char)*p);
  }
  word[used] = '\0';
  return 1;
}

static int look_up(const char* word, int limit) {
  int best = limit + 1;
  const char* found = NULL;
  for (int i = 0; i < word_count; i++) {
    int gap = abs((int)strlen(word) - (int)strlen(words[i]));
    if (gap >= best) continue;  // the distance is at least the difference in length
    int d = distance(word, words[i]);
    if (d < best) {
      best = d;
      found = words[i];
      if (d == 0) break;
    }
  }
  if (!found) {
    printf("%s ?\n", word);
    return 0;
  }
  printf("%s %s %d\n", word, found, best);
  return 1;
}

int main(int argc, char** argv) {
  char word[kMaxWord];
  int limit = argc > 1 ? atoi(argv[1]) : 3;
  while (read_word(word) && strcmp(word, "--") != 0) {
    if (word_count == kMaxWords) {
      fprintf(stderr, "editdist: more than %d words\n", kMaxWords);
      return 2;
    }
    strcpy(words[word_count++], word);
  }
  int missed = 0;
  while (read_word(word)) missed += !look_up(word, limit);
  return missed > 0;
}

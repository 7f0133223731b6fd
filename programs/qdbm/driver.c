// Keeps in which lines of standard input each word is, in a hash database ("hash") or in a B+ tree ("tree")
// of QDBM in the current folder, ROUNDS times the text; then looks all up, in order, and prints them.
#include "../driver.h"

#include "depot.h"
#include "villa.h"

enum { kLetters = 1 << 8 };
static const char kFile[] = "words.qdbm";

static int letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 2), tree = strcmp(argv[1], "tree") == 0;
  size_t size;
  const char* const data = (const char*)read_all(&size);
  VILLA* const villa = tree ? vlopen(kFile, VL_OWRITER | VL_OCREAT | VL_OTRUNC, VL_CMPLEX) : NULL;
  DEPOT* const depot = tree ? NULL : dpopen(kFile, DP_OWRITER | DP_OCREAT | DP_OTRUNC, 4093);
  check(villa || depot, dperrmsg(dpecode));
  for (int round = 0, line = 1; round < rounds; ++round) {
    for (const char* at = data; *at; ++at) {
      line += *at == '\n';
      if (!letter(*at)) continue;
      const char* const word = at;
      while (letter(at[1]) && at - word < kLetters) ++at;
      char text[16];
      const int length = (int)(at - word) + 1, digits = sprintf(text, "%d ", line);
      const int put = tree ? vlput(villa, word, length, text, digits, VL_DCAT)
                           : dpput(depot, word, length, text, digits, DP_DCAT);
      check(put, dperrmsg(dpecode));
    }
  }
  check(tree ? vlcurfirst(villa) : dpiterinit(depot), dperrmsg(dpecode));
  for (char *key, *value; (key = tree ? vlcurkey(villa, NULL) : dpiternext(depot, NULL)) != NULL; free(key)) {
    value = tree ? vlget(villa, key, -1, NULL) : dpget(depot, key, -1, 0, -1, NULL);
    check(value != NULL, dperrmsg(dpecode));
    printf("%s %s\n", key, value);
    free(value);
    if (tree && !vlcurnext(villa)) break;
  }
  check(tree ? vlclose(villa) : dpclose(depot), dperrmsg(dpecode));
  remove(kFile);
  return 0;
}

// Decomposes, composes and folds standard input, ROUNDS times, and writes the last of each.
#include "../driver.h"

#include "src/utf8proc.h"

int main(int argc, char** argv) {
  static const utf8proc_option_t kForms[] = {
      UTF8PROC_STABLE | UTF8PROC_DECOMPOSE,
      UTF8PROC_STABLE | UTF8PROC_COMPOSE,
      UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_LUMP,
      UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK,
  };
  const int rounds = number(argc, argv, 1);
  size_t size;
  const unsigned char* const data = read_all(&size);
  for (int round = 1; round <= rounds; ++round) {
    for (size_t i = 0; i < sizeof kForms / sizeof *kForms; ++i) {
      utf8proc_uint8_t* made = NULL;
      const utf8proc_ssize_t length = utf8proc_map(data, (utf8proc_ssize_t)size, &made, kForms[i]);
      check(length >= 0, "utf8proc_map");
      if (round == rounds) fwrite(made, 1, (size_t)length, stdout);
      free(made);
    }
  }
  return 0;
}

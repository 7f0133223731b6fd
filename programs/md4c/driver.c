// Makes HTML of standard input, ROUNDS times, and writes it.
#include "../driver.h"

#include "src/src/md4c-html.h"
#include "src/src/md4c.h"

static char* html;
static size_t length, room;

static void append(const MD_CHAR* text, MD_SIZE size, void* data) {
  (void)data;
  if (length + size > room) html = realloc(html, room = 2 * (length + size));
  check(html != NULL, "memory");
  memcpy(html + length, text, size);
  length += size;
}

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 1);
  size_t size;
  const char* const data = (const char*)read_all(&size);
  for (int round = 0; round < rounds; ++round) {
    length = 0;
    check(md_html(data, (MD_SIZE)size, append, NULL, MD_DIALECT_GITHUB, 0) == 0, "md_html");
  }
  fwrite(html, 1, length, stdout);
  return 0;
}

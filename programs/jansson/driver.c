// Reads standard input as JSON and writes it with sorted keys, ROUNDS times.
#include "../driver.h"

#include "src/src/jansson.h"

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 1);
  size_t size;
  const char* const data = (const char*)read_all(&size);
  json_object_seed(1);
  char* text = NULL;
  for (int round = 0; round < rounds; ++round) {
    free(text);
    json_error_t error;
    json_t* const value = json_loadb(data, size, 0, &error);
    check(value != NULL, error.text);
    json_t* const copy = json_deep_copy(value);
    check(json_equal(value, copy), "copying");
    text = json_dumps(copy, JSON_SORT_KEYS | JSON_INDENT(1));
    check(text != NULL, "writing");
    json_decref(copy);
    json_decref(value);
  }
  puts(text);
  return 0;
}

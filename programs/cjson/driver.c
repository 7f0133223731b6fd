// Reads standard input as JSON and writes it, ROUNDS times, once spread out and once tight.
#include "../driver.h"

#include "src/cJSON.h"

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 1);
  size_t size;
  const char* const data = (const char*)read_all(&size);
  char *wide = NULL, *tight = NULL;
  for (int round = 0; round < rounds; ++round) {
    cJSON_free(wide);
    cJSON_free(tight);
    cJSON* const value = cJSON_ParseWithLength(data, size);
    check(value != NULL, "parsing");
    cJSON* const copy = cJSON_Duplicate(value, 1);
    check(cJSON_Compare(value, copy, 1), "copying");
    wide = cJSON_Print(copy);
    tight = cJSON_PrintUnformatted(value);
    check(wide && tight, "writing");
    cJSON_Delete(copy);
    cJSON_Delete(value);
  }
  puts(wide);
  puts(tight);
  return 0;
}

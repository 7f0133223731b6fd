// Prints the lines of standard input that match EXPRESSION with at most ERRORS wrong characters, and what
// matched.
#include "../driver.h"

#include "src/lib/tre.h"

int main(int argc, char** argv) {
  const int errors = number(argc, argv, 2);
  regex_t expression;
  check(tre_regcomp(&expression, argv[1], REG_EXTENDED | REG_ICASE) == 0, "the expression");
  regaparams_t params;
  tre_regaparams_default(&params);
  params.max_cost = errors;
  size_t size;
  char* line = (char*)read_all(&size);
  for (char* end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    *end = 0;
    regmatch_t matches[3];
    regamatch_t match = {.nmatch = 3, .pmatch = matches};
    const int result = errors > 0 ? tre_regaexec(&expression, line, &match, params, 0)
                                  : tre_regexec(&expression, line, 3, matches, 0);
    if (result != 0) continue;
    printf("%d-%d %d-%d: %s\n", (int)matches[0].rm_so, (int)matches[0].rm_eo, (int)matches[1].rm_so,
           (int)matches[1].rm_eo, line);
  }
  tre_regfree(&expression);
  return 0;
}

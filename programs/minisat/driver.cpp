// Solves standard input, in the DIMACS format, ROUNDS times, and writes the answer.
#define __STDC_FORMAT_MACROS
#define __STDC_LIMIT_MACROS
#include "../driver.h"

#include "src/minisat/core/Solver.h"

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 1);
  size_t size;
  const char* const data = reinterpret_cast<const char*>(read_all(&size));
  for (int round = 1; round <= rounds; ++round) {
    Minisat::Solver solver;
    Minisat::vec<Minisat::Lit> clause;
    for (const char* line = data; line != nullptr && *line != 0;) {
      if (*line != 'c' && *line != 'p') {
        char* at = const_cast<char*>(line);
        while (const long literal = strtol(at, &at, 10)) {
          while (solver.nVars() < labs(literal)) solver.newVar();
          clause.push(Minisat::mkLit(static_cast<int>(labs(literal)) - 1, literal < 0));
        }
        solver.addClause_(clause);
        clause.clear();
      }
      line = strchr(line, '\n');
      if (line != nullptr) ++line;
    }
    const bool found = solver.solve();
    if (round < rounds) continue;
    printf("%s, %d conflicts\n", found ? "satisfiable" : "unsatisfiable", static_cast<int>(solver.conflicts));
    const Minisat::lbool yes(static_cast<uint8_t>(0));  // l_True wants a using directive
    for (int i = 0; found && i < solver.nVars(); ++i)
      printf("%s%d%c", solver.modelValue(i) == yes ? "" : "-", i + 1, i % 15 == 14 ? '\n' : ' ');
  }
  return 0;
}

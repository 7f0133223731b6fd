// sudoku - solves 9x9 puzzles by constraint propagation and search.
//
// Each input line is a puzzle: 81 characters, digits for givens and '.' or '0' for blanks; '#' starts a
// comment. For each puzzle it prints the solution and the number of guesses, or says that there is none, or
// (with -u) that there is more than one. The exit status is the number of puzzles not solved, at most 9.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { kCells = 81, kAll = 0x1FF };

typedef struct {
  uint16_t row[9], column[9], box[9];  // bit d is set when digit d + 1 is still free there
  char digit[kCells];                  // 0 while blank
  int blanks;
} Grid;

typedef struct {
  Grid first;
  int solutions;
  int wanted;
  long guesses;
} Search;

static int box_of(int cell) { return cell / 27 * 3 + cell % 9 / 3; }

static unsigned candidates(const Grid* g, int cell) {
  return g->row[cell / 9] & g->column[cell % 9] & g->box[box_of(cell)];
}

static int count_bits(unsigned x) {
  int n = 0;
  for (; x; x &= x - 1) n++;
  return n;
}

static int low_digit(unsigned mask) {
  int d = 0;
  while (!(mask >> d & 1)) d++;
  return d;
}

static int place(Grid* g, int cell, int digit) {
  unsigned bit = 1u << digit;
  if (!(candidates(g, cell) & bit)) return 0;
  g->row[cell / 9] &= (uint16_t)~bit;
  g->column[cell % 9] &= (uint16_t)~bit;
  g->box[box_of(cell)] &= (uint16_t)~bit;
  g->digit[cell] = (char)(digit + 1);
  g->blanks--;
  return 1;
}

// The n-th cell of a unit: 0-8 are rows, 9-17 columns, 18-26 boxes.
static int unit_cell(int unit, int n) {
  if (unit < 9) return unit * 9 + n;
  if (unit < 18) return n * 9 + unit - 9;
  int box = unit - 18;
  return (box / 3 * 3 + n / 3) * 9 + box % 3 * 3 + n % 3;
}

// Fills the digits that fit in only one cell of a unit. Returns -1 on a contradiction, else how many it set.
static int hidden_singles(Grid* g) {
  int set = 0;
  for (int unit = 0; unit < 27; unit++) {
    unsigned once = 0, twice = 0, present = 0;
    for (int n = 0; n < 9; n++) {
      int cell = unit_cell(unit, n);
      if (g->digit[cell]) {
        present |= 1u << (g->digit[cell] - 1);
        continue;
      }
      unsigned mask = candidates(g, cell);
      twice |= once & mask;
      once |= mask;
    }
    if ((once | present) != kAll) return -1;
    unsigned single = once & ~twice;
    for (int n = 0; n < 9 && single; n++) {
      int cell = unit_cell(unit, n);
      unsigned mask = g->digit[cell] ? 0 : candidates(g, cell) & single;
      if (!mask) continue;
      if (!place(g, cell, low_digit(mask))) return -1;
      single &= ~mask;
      set++;
    }
  }
  return set;
}

// Fills cells with one candidate until nothing moves. Returns the cell with the fewest candidates left,
// kCells when the grid is full, or -1 on a contradiction.
static int propagate(Grid* g) {
  for (;;) {
    int moved = 0, best = kCells, best_count = 10;
    for (int cell = 0; cell < kCells; cell++) {
      if (g->digit[cell]) continue;
      unsigned mask = candidates(g, cell);
      int n = count_bits(mask);
      if (n == 0) return -1;
      if (n == 1) {
        place(g, cell, low_digit(mask));
        moved = 1;
      } else if (n < best_count) {
        best_count = n;
        best = cell;
      }
    }
    if (g->blanks == 0) return kCells;
    if (moved) continue;
    int hidden = hidden_singles(g);
    if (hidden < 0) return -1;
    if (hidden == 0) return best;
  }
}

static void search(Search* s, Grid g) {
  int cell = propagate(&g);
  if (cell < 0) return;
  if (cell == kCells) {
    if (s->solutions++ == 0) s->first = g;
    return;
  }
  for (unsigned mask = candidates(&g, cell); mask && s->solutions < s->wanted; mask &= mask - 1) {
    Grid next = g;
    s->guesses++;
    if (place(&next, cell, low_digit(mask))) search(s, next);
  }
}

static const char* parse(const char* line, Grid* g) {
  memset(g, 0, sizeof *g);
  for (int i = 0; i < 9; i++) g->row[i] = g->column[i] = g->box[i] = kAll;
  g->blanks = kCells;
  if (strlen(line) != kCells) return "not 81 cells";
  for (int cell = 0; cell < kCells; cell++) {
    char c = line[cell];
    if (c == '.' || c == '0') continue;
    if (c < '1' || c > '9') return "bad character";
    if (!place(g, cell, c - '1')) return "givens contradict";
  }
  return NULL;
}

static void print_solution(const Search* s) {
  for (int cell = 0; cell < kCells; cell++) putchar('0' + s->first.digit[cell]);
  printf(" guesses %ld%s\n", s->guesses, s->solutions > 1 ? " not unique" : "");
}

int main(int argc, char** argv) {
  char line[256];
  int failed = 0;
  int wanted = argc > 1 && strcmp(argv[1], "-u") == 0 ? 2 : 1;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "# \r\n")] = '\0';
    if (line[0] == '\0') continue;
    Search s = {.wanted = wanted};
    Grid start;
    const char* problem = parse(line, &start);
    if (!problem) search(&s, start);
    if (!problem && s.solutions == 0) problem = "no solution";
    if (problem) {
      printf("%s\n", problem);
      failed++;
    } else {
      print_solution(&s);
    }
  }
  return failed < 9 ? failed : 9;
}

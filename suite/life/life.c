// life - Conway's game of life on a torus.
//
// Reads a picture of '.' (dead) and 'O' (alive) cells, plays the number of generations given as the
// argument, and prints the board with its population. It stops early, and says so, when the board dies out
// or stands still. A malformed picture is refused with exit status 1.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxSide = 128 };

typedef struct {
  int width;
  int height;
  unsigned char cell[kMaxSide][kMaxSide];
} Board;

static Board boards[2];

static const char* read_board(Board* board) {
  char line[kMaxSide + 2];
  while (fgets(line, sizeof line, stdin)) {
    int width = (int)strcspn(line, "\n");
    if (line[width] != '\n') return "line too long or cut short";
    if (board->height == kMaxSide) return "too many lines";
    if (board->height > 0 && width != board->width) return "lines differ in length";
    board->width = width;
    for (int x = 0; x < width; x++) {
      if (line[x] != '.' && line[x] != 'O') return "unexpected character";
      board->cell[board->height][x] = line[x] == 'O';
    }
    board->height++;
  }
  return board->width > 0 ? NULL : "empty board";
}

static int neighbours(const Board* board, int y, int x) {
  int up = y ? y - 1 : board->height - 1;
  int down = y + 1 < board->height ? y + 1 : 0;
  int left = x ? x - 1 : board->width - 1;
  int right = x + 1 < board->width ? x + 1 : 0;
  const unsigned char *a = board->cell[up], *b = board->cell[y], *c = board->cell[down];
  return a[left] + a[x] + a[right] + b[left] + b[right] + c[left] + c[x] + c[right];
}

// Plays one generation; returns the number of cells that changed.
static int step(const Board* from, Board* to) {
  int changed = 0;
  to->width = from->width;
  to->height = from->height;
  for (int y = 0; y < from->height; y++) {
    for (int x = 0; x < from->width; x++) {
      int n = neighbours(from, y, x);
      to->cell[y][x] = n == 3 || (n == 2 && from->cell[y][x]);
      changed += to->cell[y][x] != from->cell[y][x];
    }
  }
  return changed;
}

static int print_board(const Board* board) {
  int alive = 0;
  for (int y = 0; y < board->height; y++) {
    for (int x = 0; x < board->width; x++) {
      putchar(board->cell[y][x] ? 'O' : '.');
      alive += board->cell[y][x];
    }
    putchar('\n');
  }
  return alive;
}

int main(int argc, char** argv) {
  int generations = argc > 1 ? atoi(argv[1]) : 1;
  const char* problem = read_board(&boards[0]);
  if (problem) {
    printf("life: %s\n", problem);
    return 1;
  }
  int now = 0;
  int played = 0;
  while (played < generations && step(&boards[now], &boards[!now]) > 0) {
    now = !now;
    played++;
  }
  int alive = print_board(&boards[now]);
  printf("generation %d, %d alive%s\n", played, alive, played < generations ? ", still" : "");
  return 0;
}

// chess - a legal move generator and a small search.
//
// Each input line is a command and a position in Forsyth-Edwards notation:
//   perft DEPTH FEN    counts the positions reachable in DEPTH plies, per first move for depth 2 and below
//   best DEPTH FEN     prints the best move by alpha-beta search with a material and mobility score
//   moves FEN          prints the legal moves
// Castling, en passant and promotion follow the rules. The exit status is 1 when a position was malformed.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The board is 10 wide and 12 high, so that stepping off the edge lands on kOff squares.
enum { kOff = -1, kNone = 0, kPawn, kKnight, kBishop, kRook, kQueen, kKing, kBlack = 8, kKind = 7 };
enum { kNorth = -10, kSouth = 10, kWest = -1, kEast = 1 };
enum { kMaxMoves = 256, kInfinity = 100000, kMate = 50000 };

typedef struct {
  signed char from, to;
  signed char promotion;  // the kind of the new piece, or 0
  signed char special;    // 1 for en passant, 2 for castling
} Move;

typedef struct {
  signed char square[120];
  int black_to_move;
  int castling;  // bits 0 to 3: white short, white long, black short, black long
  int en_passant;
  int king[2];
} Position;

typedef struct {
  Move move[kMaxMoves];
  int count;
} MoveList;

static const int kKnightSteps[] = {-21, -19, -12, -8, 8, 12, 19, 21};
static const int kKingSteps[] = {kNorth, kSouth, kWest, kEast, -11, -9, 9, 11};  // first four: rook lines
static const char kLetters[] = ".pnbrqk";

static int square_at(int file, int rank) { return (10 - rank - 1) * 10 + file + 1; }  // rank 0 is the first

static int file_of(int square) { return square % 10 - 1; }

static int rank_of(int square) { return 9 - square / 10; }

static int is_side(int piece, int black) { return piece > 0 && !!(piece & kBlack) == black; }

// ---- notation ---------------------------------------------------------------------------------------------

static const char* parse_board(const char* s, Position* p) {
  int file = 0, rank = 7;
  for (; *s && *s != ' '; s++) {
    if (*s == '/') {
      if (file != 8 || rank == 0) return NULL;
      file = 0;
      rank--;
    } else if (*s >= '1' && *s <= '8') {
      file += *s - '0';
      if (file > 8) return NULL;
    } else {
      const char* letter = strchr(kLetters + 1, tolower((unsigned char)*s));
      if (!letter || file > 7) return NULL;
      int black = islower((unsigned char)*s) != 0;
      int kind = (int)(letter - kLetters);
      int square = square_at(file++, rank);
      p->square[square] = (signed char)(kind | (black ? kBlack : 0));
      if (kind == kKing) {
        if (p->king[black]) return NULL;
        p->king[black] = square;
      }
    }
  }
  return rank == 0 && file == 8 && p->king[0] && p->king[1] ? s : NULL;
}

static int parse_fen(const char* s, Position* p) {
  memset(p, 0, sizeof *p);
  for (int i = 0; i < 120; i++) p->square[i] = kOff;
  for (int i = 0; i < 64; i++) p->square[square_at(i % 8, i / 8)] = kNone;
  s = parse_board(s, p);
  if (!s || s[0] != ' ' || (s[1] != 'w' && s[1] != 'b') || s[2] != ' ') return 0;
  p->black_to_move = s[1] == 'b';
  for (s += 3; *s && *s != ' '; s++) {
    const char* flag = strchr("KQkq", *s);
    if (flag) {
      p->castling |= 1 << (flag - "KQkq");
    } else if (*s != '-') {
      return 0;
    }
  }
  if (*s == ' ' && s[1] >= 'a' && s[1] <= 'h' && (s[2] == '3' || s[2] == '6')) {
    p->en_passant = square_at(s[1] - 'a', s[2] - '1');
  }
  return 1;
}

static const char* move_text(Move m) {
  static char text[8];
  snprintf(text, sizeof text, "%c%d%c%d%c", 'a' + file_of(m.from), rank_of(m.from) + 1, 'a' + file_of(m.to),
           rank_of(m.to) + 1, m.promotion ? kLetters[m.promotion] : '\0');
  return text;
}

// ---- moves ------------------------------------------------------------------------------------------------

static int leaper_attacks(const Position* p, int square, const int* steps, int piece) {
  for (int i = 0; i < 8; i++) {
    if (p->square[square + steps[i]] == piece) return 1;
  }
  return 0;
}

static int is_attacked(const Position* p, int square, int by_black) {
  int side = by_black ? kBlack : 0;
  int pawn_from = by_black ? kNorth : kSouth;  // where a pawn stands that attacks this square
  if (p->square[square + pawn_from + kWest] == (kPawn | side)) return 1;
  if (p->square[square + pawn_from + kEast] == (kPawn | side)) return 1;
  if (leaper_attacks(p, square, kKnightSteps, kKnight | side)) return 1;
  if (leaper_attacks(p, square, kKingSteps, kKing | side)) return 1;
  for (int i = 0; i < 8; i++) {
    int at = square + kKingSteps[i];
    while (p->square[at] == kNone) at += kKingSteps[i];
    int slider = (i < 4 ? kRook : kBishop) | side;
    if (p->square[at] == slider || p->square[at] == (kQueen | side)) return 1;
  }
  return 0;
}

static void add_move(MoveList* list, int from, int to, int promotion, int special) {
  list->move[list->count++] =
      (Move){(signed char)from, (signed char)to, (signed char)promotion, (signed char)special};
}

static void add_pawn_move(MoveList* list, int from, int to, int special) {
  if (rank_of(to) != 0 && rank_of(to) != 7) {
    add_move(list, from, to, 0, special);
    return;
  }
  for (int kind = kQueen; kind >= kKnight; kind--) add_move(list, from, to, kind, 0);
}

static void pawn_moves(const Position* p, int from, MoveList* list) {
  int forward = p->black_to_move ? kSouth : kNorth;
  int home = p->black_to_move ? 6 : 1;
  int to = from + forward;
  if (p->square[to] == kNone) {
    add_pawn_move(list, from, to, 0);
    if (rank_of(from) == home && p->square[to + forward] == kNone) add_move(list, from, to + forward, 0, 0);
  }
  for (int side = kWest; side <= kEast; side += 2) {
    to = from + forward + side;
    if (is_side(p->square[to], !p->black_to_move)) {
      add_pawn_move(list, from, to, 0);
    } else if (p->en_passant && to == p->en_passant) {
      add_move(list, from, to, 0, 1);
    }
  }
}

static void step_moves(const Position* p, int from, const int* steps, int count, int slides, MoveList* list) {
  for (int i = 0; i < count; i++) {
    int to = from + steps[i];
    for (; p->square[to] == kNone; to += steps[i]) {
      add_move(list, from, to, 0, 0);
      if (!slides) break;
    }
    if (is_side(p->square[to], !p->black_to_move)) add_move(list, from, to, 0, 0);
  }
}

static void castling_moves(const Position* p, MoveList* list) {
  int black = p->black_to_move;
  int king = square_at(4, black ? 7 : 0);
  int rights = p->castling >> (black ? 2 : 0);
  if (!(rights & 3) || p->king[black] != king || is_attacked(p, king, !black)) return;
  int rook = kRook | (black ? kBlack : 0);
  const signed char* s = &p->square[king];
  if ((rights & 1) && s[1] == kNone && s[2] == kNone && s[3] == rook && !is_attacked(p, king + 1, !black)) {
    add_move(list, king, king + 2, 0, 2);
  }
  if ((rights & 2) && s[-1] == kNone && s[-2] == kNone && s[-3] == kNone && s[-4] == rook &&
      !is_attacked(p, king - 1, !black)) {
    add_move(list, king, king - 2, 0, 2);
  }
}

// Moves that obey the movement rules but may leave the king in check.
static void pseudo_moves(const Position* p, MoveList* list) {
  list->count = 0;
  for (int i = 0; i < 64; i++) {
    int from = square_at(i % 8, i / 8);
    int piece = p->square[from];
    if (!is_side(piece, p->black_to_move)) continue;
    switch (piece & kKind) {
      case kPawn:
        pawn_moves(p, from, list);
        break;
      case kKnight:
        step_moves(p, from, kKnightSteps, 8, 0, list);
        break;
      case kBishop:
        step_moves(p, from, kKingSteps + 4, 4, 1, list);
        break;
      case kRook:
        step_moves(p, from, kKingSteps, 4, 1, list);
        break;
      case kQueen:
        step_moves(p, from, kKingSteps, 8, 1, list);
        break;
      case kKing:
        step_moves(p, from, kKingSteps, 8, 0, list);
        break;
    }
  }
  castling_moves(p, list);
}

// A rook or king that moved, or a rook that was taken, ends the right to castle.
static int rights_lost(int square) {
  if (square == square_at(4, 0)) return 3;
  if (square == square_at(7, 0)) return 1;
  if (square == square_at(0, 0)) return 2;
  if (square == square_at(4, 7)) return 12;
  if (square == square_at(7, 7)) return 4;
  if (square == square_at(0, 7)) return 8;
  return 0;
}

static void relocate(Position* p, int from, int to) {
  p->square[to] = p->square[from];
  p->square[from] = kNone;
}

// Plays a move; returns 0 when it leaves the mover's own king in check.
static int play(const Position* before, Move m, Position* after) {
  *after = *before;
  Position* p = after;
  int black = p->black_to_move;
  int kind = p->square[m.from] & kKind;
  p->castling &= ~(rights_lost(m.from) | rights_lost(m.to));
  p->en_passant = 0;
  relocate(p, m.from, m.to);
  if (m.promotion) p->square[m.to] = (signed char)(m.promotion | (black ? kBlack : 0));
  if (kind == kKing) p->king[black] = m.to;
  if (kind == kPawn && abs(m.to - m.from) == 2 * kSouth) p->en_passant = (m.from + m.to) / 2;
  if (m.special == 1) p->square[m.to + (black ? kNorth : kSouth)] = kNone;
  if (m.special == 2) relocate(p, m.to > m.from ? m.from + 3 : m.from - 4, (m.from + m.to) / 2);
  p->black_to_move = !black;
  return !is_attacked(p, p->king[black], !black);
}

// ---- counting and searching -------------------------------------------------------------------------------

static long perft(const Position* p, int depth) {
  if (depth == 0) return 1;
  MoveList list;
  Position next;
  long nodes = 0;
  pseudo_moves(p, &list);
  for (int i = 0; i < list.count; i++) {
    if (play(p, list.move[i], &next)) nodes += perft(&next, depth - 1);
  }
  return nodes;
}

// Hundredths of a pawn, from the side to move.
static int evaluate(const Position* p) {
  static const int value[] = {0, 100, 320, 330, 500, 900, 0};
  int score = 0;
  for (int i = 0; i < 64; i++) {
    int file = i % 8, rank = i / 8;
    int piece = p->square[square_at(file, rank)];
    if (piece == kNone) continue;
    int black = !!(piece & kBlack);
    int kind = piece & kKind;
    int center = 6 - abs(2 * file - 7) / 2 - abs(2 * rank - 7) / 2;
    int bonus = kind == kPawn ? 4 * (black ? 6 - rank : rank - 1) : kind == kKing ? -2 * center : 3 * center;
    score += (black ? -1 : 1) * (value[kind] + bonus);
  }
  return p->black_to_move ? -score : score;
}

static int capture_value(const Position* p, Move m) { return (p->square[m.to] & kKind) * 8 + m.promotion; }

// Captures of big pieces first: alpha-beta prunes best when good moves come early. Insertion keeps it stable.
static void order_moves(const Position* p, MoveList* list) {
  for (int i = 1; i < list->count; i++) {
    Move m = list->move[i];
    int v = capture_value(p, m);
    int j = i;
    for (; j > 0 && capture_value(p, list->move[j - 1]) < v; j--) list->move[j] = list->move[j - 1];
    list->move[j] = m;
  }
}

static long searched;

static int alpha_beta(const Position* p, int depth, int ply, int alpha, int beta, Move* best) {
  searched++;
  if (depth <= 0 && ply > 0 && !is_attacked(p, p->king[p->black_to_move], !p->black_to_move)) {
    return evaluate(p);
  }
  if (ply > 24) return evaluate(p);
  MoveList list;
  Position next;
  Move ignored;
  int legal = 0;
  pseudo_moves(p, &list);
  order_moves(p, &list);
  for (int i = 0; i < list.count; i++) {
    if (!play(p, list.move[i], &next)) continue;
    int score = -alpha_beta(&next, depth - 1, ply + 1, -beta, -alpha, &ignored);
    if (!legal++) *best = list.move[i];
    if (score > alpha) {
      alpha = score;
      *best = list.move[i];
      if (alpha >= beta) break;
    }
  }
  if (legal) return alpha;
  return is_attacked(p, p->king[p->black_to_move], !p->black_to_move) ? ply - kMate : 0;
}

// ---- commands ---------------------------------------------------------------------------------------------

static void run_perft(const Position* p, int depth) {
  if (depth <= 2) {
    MoveList list;
    Position next;
    pseudo_moves(p, &list);
    for (int i = 0; i < list.count; i++) {
      if (play(p, list.move[i], &next)) printf("%s %ld\n", move_text(list.move[i]), perft(&next, depth - 1));
    }
  }
  printf("perft %d = %ld\n", depth, perft(p, depth));
}

static void run_best(const Position* p, int depth) {
  Move best = {0};
  searched = 0;
  int score = alpha_beta(p, depth, 0, -kInfinity, kInfinity, &best);
  if (!best.from) {
    printf("no move, %s\n", score ? "checkmate" : "stalemate");
  } else if (abs(score) > kMate - 100) {
    printf("best %s, %s in %d, %ld nodes\n", move_text(best), score > 0 ? "mates" : "mated",
           (kMate - abs(score) + 1) / 2, searched);
  } else {
    printf("best %s, score %d, %ld nodes\n", move_text(best), score, searched);
  }
}

static void run_moves(const Position* p) {
  MoveList list;
  Position next;
  int legal = 0;
  pseudo_moves(p, &list);
  for (int i = 0; i < list.count; i++) {
    if (play(p, list.move[i], &next)) printf("%s%s", legal++ ? " " : "", move_text(list.move[i]));
  }
  printf("%s%d legal\n", legal ? "\n" : "", legal);
}

static int run_command(char* line) {
  Position p;
  int depth = 0;
  char* rest = strchr(line, ' ');
  if (!rest) return 0;
  *rest++ = '\0';
  if (strcmp(line, "moves") != 0) {
    depth = (int)strtol(rest, &rest, 10);
    if (depth < 1 || depth > 8 || *rest++ != ' ') return 0;
  }
  if (!parse_fen(rest, &p)) return 0;
  if (is_attacked(&p, p.king[!p.black_to_move], p.black_to_move)) return 0;
  if (strcmp(line, "perft") == 0) {
    run_perft(&p, depth);
  } else if (strcmp(line, "best") == 0) {
    run_best(&p, depth);
  } else if (strcmp(line, "moves") == 0) {
    run_moves(&p);
  } else {
    return 0;
  }
  return 1;
}

int main(void) {
  char line[256];
  int failed = 0;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#') continue;
    if (!run_command(line)) {
      printf("malformed command or position\n");
      failed = 1;
    }
  }
  return failed;
}

// regex - searches lines for a regular expression, without backtracking.
//
// Usage: regex [-v] [-o] [-c] PATTERN. The pattern is compiled to a small program that a Pike virtual machine
// runs over each line in one pass, so the time is linear in the text whatever the pattern. It knows literals,
// '.', classes with ranges and negation, \d \w \s, groups, '|', '*', '+', '?', {m,n}, '^' and '$'. Matches
// are leftmost and greedy. -o prints the matched parts with their first group, -v inverts, -c counts. The
// exit status is 0 when something matched, 1 when nothing did, 2 when the pattern is malformed.

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxNodes = 512, kMaxProgram = 2048, kMaxRepeat = 32, kMaxLine = 1024, kSlots = 4 };

// ---- syntax tree ------------------------------------------------------------------------------------------

typedef enum { kEmpty, kSet, kBegin, kEnd, kConcat, kAlternate, kRepeat, kGroup } NodeKind;

typedef struct {
  NodeKind kind;
  int left, right;  // children
  int low, high;    // bounds of a repeat, high < 0 for no bound; number of a group
  int greedy;
  uint8_t set[32];  // a bit per byte value
} Node;

typedef struct {
  const char* at;
  const char* error;
  Node nodes[kMaxNodes];
  int node_count;
  int group_count;
} Parser;

static int fail(Parser* p, const char* message) {
  if (!p->error) p->error = message;
  return 0;
}

// Node 0 is a spare that is handed out once there was an error, so that callers need no checks.
static int new_node(Parser* p, NodeKind kind, int left, int right) {
  if (p->node_count == kMaxNodes) return fail(p, "pattern too long");
  Node* n = &p->nodes[p->node_count];
  memset(n, 0, sizeof *n);
  n->kind = kind;
  n->left = left;
  n->right = right;
  return p->node_count++;
}

static void set_add(uint8_t* set, int low, int high) {
  for (int c = low; c <= high; c++) set[c / 8] |= (uint8_t)(1 << c % 8);
}

static int set_has(const uint8_t* set, int c) { return set[c / 8] >> c % 8 & 1; }

static void set_invert(uint8_t* set) {
  for (int i = 0; i < 32; i++) set[i] = (uint8_t)~set[i];
}

// Adds the class \d, \w or \s (or its inverse in upper case); returns 0 when the letter names none.
static int add_named_class(uint8_t* set, int letter) {
  uint8_t named[32] = {0};
  switch (tolower(letter)) {
    case 'd':
      set_add(named, '0', '9');
      break;
    case 'w':
      set_add(named, '0', '9');
      set_add(named, 'A', 'Z');
      set_add(named, 'a', 'z');
      set_add(named, '_', '_');
      break;
    case 's':
      set_add(named, '\t', '\r');
      set_add(named, ' ', ' ');
      break;
    default:
      return 0;
  }
  if (isupper(letter)) set_invert(named);
  for (int i = 0; i < 32; i++) set[i] |= named[i];
  return 1;
}

static int escaped_char(int c) {
  if (c == 'n') return '\n';
  if (c == 't') return '\t';
  return c;
}

static int parse_class(Parser* p) {
  int n = new_node(p, kSet, 0, 0);
  uint8_t* set = p->nodes[n].set;
  int negate = *p->at == '^';
  if (negate) p->at++;
  for (int first = 1; first || *p->at != ']'; first = 0) {
    int low = (unsigned char)*p->at++;
    if (low == '\0') return fail(p, "class without ']'");
    if (low == '\\') {
      low = (unsigned char)*p->at++;
      if (low == '\0') return fail(p, "pattern ends in '\\'");
      if (add_named_class(set, low)) continue;
      low = escaped_char(low);
    }
    int high = low;
    if (p->at[0] == '-' && p->at[1] && p->at[1] != ']') {
      high = (unsigned char)p->at[1];
      p->at += 2;
      if (high < low) return fail(p, "range out of order");
    }
    set_add(set, low, high);
  }
  p->at++;
  if (negate) set_invert(set);
  return n;
}

static int parse_alternatives(Parser* p);

static int parse_atom(Parser* p) {
  int c = (unsigned char)*p->at++;
  int n;
  switch (c) {
    case '(': {
      int number = ++p->group_count;
      int body = parse_alternatives(p);
      if (p->error || *p->at != ')') return fail(p, "missing ')'");
      p->at++;
      n = new_node(p, kGroup, body, 0);
      p->nodes[n].low = number;
      return n;
    }
    case '[':
      return parse_class(p);
    case '^':
      return new_node(p, kBegin, 0, 0);
    case '$':
      return new_node(p, kEnd, 0, 0);
    case '.':
      n = new_node(p, kSet, 0, 0);
      set_add(p->nodes[n].set, 1, 255);
      return n;
    case '*':
    case '+':
    case '?':
    case '{':
      return fail(p, "nothing to repeat");
    case '\\':
      c = (unsigned char)*p->at++;
      if (c == '\0') return fail(p, "pattern ends in '\\'");
      n = new_node(p, kSet, 0, 0);
      if (!add_named_class(p->nodes[n].set, c)) {
        c = escaped_char(c);
        set_add(p->nodes[n].set, c, c);
      }
      return n;
    default:
      n = new_node(p, kSet, 0, 0);
      set_add(p->nodes[n].set, c, c);
      return n;
  }
}

static int parse_count(Parser* p) {
  int value = 0;
  if (!isdigit((unsigned char)*p->at)) return -1;
  while (isdigit((unsigned char)*p->at) && value <= kMaxRepeat) value = value * 10 + (*p->at++ - '0');
  return value;
}

static int parse_bounds(Parser* p, int* low, int* high) {
  *low = parse_count(p);
  *high = *low;
  if (*p->at == ',') {
    p->at++;
    *high = parse_count(p);
  }
  if (*low < 0 || *p->at != '}') return fail(p, "malformed repeat");
  if (*low > kMaxRepeat || *high > kMaxRepeat) return fail(p, "repeat too large");
  if (*high >= 0 && *high < *low) return fail(p, "repeat out of order");
  p->at++;
  return 1;
}

static int parse_repeat(Parser* p) {
  int n = parse_atom(p);
  while (!p->error && *p->at && strchr("*+?{", *p->at)) {
    int low = 0, high = -1;
    char op = *p->at++;
    if (op == '+') low = 1;
    if (op == '?') high = 1;
    if (op == '{' && !parse_bounds(p, &low, &high)) return 0;
    n = new_node(p, kRepeat, n, 0);
    p->nodes[n].low = low;
    p->nodes[n].high = high;
    p->nodes[n].greedy = *p->at != '?';
    if (*p->at == '?') p->at++;
  }
  return n;
}

static int parse_sequence(Parser* p) {
  int n = new_node(p, kEmpty, 0, 0);
  while (!p->error && *p->at && *p->at != '|' && *p->at != ')') {
    int next = parse_repeat(p);
    n = new_node(p, kConcat, n, next);
  }
  return n;
}

static int parse_alternatives(Parser* p) {
  int n = parse_sequence(p);
  while (!p->error && *p->at == '|') {
    p->at++;
    int other = parse_sequence(p);
    n = new_node(p, kAlternate, n, other);
  }
  return n;
}

// ---- program ----------------------------------------------------------------------------------------------

typedef enum { kMatchSet, kSplit, kJump, kSave, kAssertBegin, kAssertEnd, kAccept } Opcode;

typedef struct {
  Opcode op;
  int x, y;  // targets, the preferred one first; or the slot to save
  const uint8_t* set;
} Instruction;

typedef struct {
  Instruction code[kMaxProgram];
  int size;
  int overflow;
} Program;

static int emit(Program* g, Opcode op, int x, int y) {
  if (g->size == kMaxProgram) {
    g->overflow = 1;
    return 0;
  }
  g->code[g->size] = (Instruction){op, x, y, NULL};
  return g->size++;
}

static void compile(Program* g, const Node* nodes, int n);

// split L1, L2; L1: body; ... with the targets in order of preference.
static void set_split(Program* g, int at, int greedy, int into, int past) {
  g->code[at].x = greedy ? into : past;
  g->code[at].y = greedy ? past : into;
}

static void compile_repeat(Program* g, const Node* nodes, const Node* r) {
  int splits[kMaxRepeat];
  for (int i = 0; i < r->low; i++) compile(g, nodes, r->left);
  if (r->high < 0) {
    int split = emit(g, kSplit, 0, 0);
    compile(g, nodes, r->left);
    emit(g, kJump, split, 0);
    set_split(g, split, r->greedy, split + 1, g->size);
    return;
  }
  for (int i = r->low; i < r->high; i++) {
    splits[i] = emit(g, kSplit, 0, 0);
    compile(g, nodes, r->left);
  }
  for (int i = r->low; i < r->high; i++) set_split(g, splits[i], r->greedy, splits[i] + 1, g->size);
}

static void compile(Program* g, const Node* nodes, int n) {
  const Node* node = &nodes[n];
  switch (node->kind) {
    case kEmpty:
      break;
    case kSet: {
      int at = emit(g, kMatchSet, 0, 0);
      g->code[at].set = node->set;
      break;
    }
    case kBegin:
      emit(g, kAssertBegin, 0, 0);
      break;
    case kEnd:
      emit(g, kAssertEnd, 0, 0);
      break;
    case kConcat:
      compile(g, nodes, node->left);
      compile(g, nodes, node->right);
      break;
    case kAlternate: {
      int split = emit(g, kSplit, 0, 0);
      compile(g, nodes, node->left);
      int jump = emit(g, kJump, 0, 0);
      set_split(g, split, 1, split + 1, g->size);
      compile(g, nodes, node->right);
      g->code[jump].x = g->size;
      break;
    }
    case kRepeat:
      compile_repeat(g, nodes, node);
      break;
    case kGroup:
      // Only the first group is reported; others merely group.
      if (node->low == 1) emit(g, kSave, 2, 0);
      compile(g, nodes, node->left);
      if (node->low == 1) emit(g, kSave, 3, 0);
      break;
  }
}

// ---- matching ---------------------------------------------------------------------------------------------

typedef struct {
  int pc;
  int slot[kSlots];
} Thread;

typedef struct {
  Thread thread[kMaxProgram];
  int count;
} ThreadList;

typedef struct {
  const Program* program;
  const char* text;
  int size;
  int seen[kMaxProgram];  // the step at which an instruction was last added
  int step;
  ThreadList lists[2];
} Machine;

// Follows instructions that consume nothing. Order matters: earlier threads are preferred.
static void add_thread(Machine* m, ThreadList* list, int pc, const int* slot, int at) {
  if (m->seen[pc] == m->step) return;
  m->seen[pc] = m->step;
  const Instruction* i = &m->program->code[pc];
  switch (i->op) {
    case kJump:
      add_thread(m, list, i->x, slot, at);
      break;
    case kSplit:
      add_thread(m, list, i->x, slot, at);
      add_thread(m, list, i->y, slot, at);
      break;
    case kSave: {
      int changed[kSlots];
      memcpy(changed, slot, sizeof changed);
      changed[i->x] = at;
      add_thread(m, list, pc + 1, changed, at);
      break;
    }
    case kAssertBegin:
      if (at == 0) add_thread(m, list, pc + 1, slot, at);
      break;
    case kAssertEnd:
      if (at == m->size) add_thread(m, list, pc + 1, slot, at);
      break;
    default: {
      Thread* t = &list->thread[list->count++];
      t->pc = pc;
      memcpy(t->slot, slot, sizeof t->slot);
    }
  }
}

// Finds the leftmost match at or after `start`; fills the slots and returns 1 when there is one.
static int search(Machine* m, int start, int* slot) {
  int matched = 0;
  ThreadList* now = &m->lists[0];
  ThreadList* next = &m->lists[1];
  now->count = 0;
  m->step++;
  for (int at = start;; at++) {
    if (!matched) {
      const int fresh[kSlots] = {at, -1, -1, -1};
      add_thread(m, now, 0, fresh, at);
    }
    if (now->count == 0 && (matched || at == m->size)) break;
    m->step++;
    next->count = 0;
    for (int i = 0; i < now->count; i++) {
      const Thread* t = &now->thread[i];
      const Instruction* code = &m->program->code[t->pc];
      if (code->op == kAccept) {
        memcpy(slot, t->slot, sizeof t->slot);
        slot[1] = at;
        matched = 1;
        break;  // later threads are less preferred
      }
      if (at < m->size && set_has(code->set, (unsigned char)m->text[at])) {
        add_thread(m, next, t->pc + 1, t->slot, at + 1);
      }
    }
    if (at == m->size) break;
    ThreadList* swap = now;
    now = next;
    next = swap;
  }
  return matched;
}

// ---- command line -----------------------------------------------------------------------------------------

static void print_parts(Machine* m) {
  int slot[kSlots];
  int start = 0;
  while (start <= m->size && search(m, start, slot)) {
    printf("%d: %.*s", slot[0], slot[1] - slot[0], m->text + slot[0]);
    if (slot[3] >= 0) printf(" (%.*s)", slot[3] - slot[2], m->text + slot[2]);
    printf("\n");
    start = slot[1] > slot[0] ? slot[1] : slot[1] + 1;
  }
}

int main(int argc, char** argv) {
  static Parser parser;
  static Program program;
  static Machine machine;
  int invert = 0, only = 0, count = 0, arg = 1;
  for (; arg < argc && argv[arg][0] == '-' && argv[arg][1]; arg++) {
    if (strcmp(argv[arg], "-v") == 0) {
      invert = 1;
    } else if (strcmp(argv[arg], "-o") == 0) {
      only = 1;
    } else if (strcmp(argv[arg], "-c") == 0) {
      count = 1;
    } else {
      break;
    }
  }
  if (arg + 1 != argc) {
    printf("usage: regex [-v] [-o] [-c] PATTERN < text\n");
    return 2;
  }
  parser.at = argv[arg];
  parser.node_count = 1;
  int root = parse_alternatives(&parser);
  if (!parser.error && *parser.at == ')') fail(&parser, "unmatched ')'");
  if (parser.error) {
    printf("regex: %s at %d\n", parser.error, (int)(parser.at - argv[arg]));
    return 2;
  }
  compile(&program, parser.nodes, root);
  emit(&program, kAccept, 0, 0);
  if (program.overflow) {
    printf("regex: pattern too large\n");
    return 2;
  }
  machine.program = &program;
  char line[kMaxLine];
  int selected = 0;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    machine.text = line;
    machine.size = (int)strlen(line);
    int slot[kSlots];
    if (search(&machine, 0, slot) == invert) continue;
    selected++;
    if (count) continue;
    if (only && !invert) {
      print_parts(&machine);
    } else {
      printf("%s\n", line);
    }
  }
  if (count) printf("%d\n", selected);
  return selected == 0;
}

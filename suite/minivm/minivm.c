// minivm - a small language: compiler, bytecode, and virtual machine.
//
// Reads a program from standard input, compiles it in one pass to bytecode for a stack machine, and runs it.
// The language has 64-bit integers, strings, arrays, functions with recursion, while and for loops, and short
// circuits:
//
//   fn gcd(a, b) { while b != 0 { let t = a % b; a = b; b = t; } return a; }
//   print gcd(252, 105), "done";
//
// "-d" prints the bytecode instead of running it, "-O" runs a peephole pass over it first. Compile errors
// give the line and exit status 1; run-time errors (division by zero, bad index, wrong type, too deep) give
// the function and line and exit status 3.

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  kMaxSource = 1 << 16,
  kMaxCode = 1 << 14,
  kMaxConstants = 512,
  kMaxFunctions = 64,
  kMaxLocals = 64,
  kMaxGlobals = 64,
  kMaxStack = 4096,
  kMaxFrames = 256,
  kNameSize = 32,
};

// ---- values -----------------------------------------------------------------------------------------------

typedef enum { kInteger, kString, kArray } ValueKind;

typedef struct Object Object;

typedef struct {
  ValueKind kind;
  union {
    int64_t integer;
    Object* object;
  } as;
} Value;

// Strings and arrays. Marked from the roots and swept when enough were made since the last collection.
struct Object {
  Object* next;
  ValueKind kind;
  int marked;
  size_t size;
  union {
    char* text;
    Value* items;
  } as;
};

static Object* all_objects;
static size_t object_count;
static size_t collect_at = 256;
static unsigned collections;

_Noreturn static void out_of_memory(void) {
  fprintf(stderr, "minivm: out of memory\n");
  exit(4);
}

static Object* new_object(ValueKind kind, size_t size) {
  Object* o = calloc(1, sizeof *o);
  if (!o) out_of_memory();
  o->kind = kind;
  o->size = size;
  if (kind == kString) {
    o->as.text = calloc(size + 1, 1);
    if (!o->as.text) out_of_memory();
  } else {
    o->as.items = calloc(size + 1, sizeof(Value));
    if (!o->as.items) out_of_memory();
  }
  o->next = all_objects;
  all_objects = o;
  object_count++;
  return o;
}

static Value integer(int64_t i) { return (Value){kInteger, {.integer = i}}; }

static Value object(Object* o) { return (Value){o->kind, {.object = o}}; }

static Value string_value(const char* text, size_t size) {
  Object* o = new_object(kString, size);
  memcpy(o->as.text, text, size);
  return object(o);
}

static void free_object(Object* o) {
  if (o->kind == kString) {
    free(o->as.text);
  } else {
    free(o->as.items);
  }
  free(o);
  object_count--;
}

static void mark(Value v) {
  if (v.kind == kInteger || v.as.object->marked) return;
  v.as.object->marked = 1;
  if (v.kind != kArray) return;
  for (size_t i = 0; i < v.as.object->size; i++) mark(v.as.object->as.items[i]);
}

static void sweep(void) {
  Object** link = &all_objects;
  while (*link) {
    Object* o = *link;
    if (o->marked) {
      o->marked = 0;
      link = &o->next;
    } else {
      *link = o->next;
      free_object(o);
    }
  }
}

// ---- bytecode ---------------------------------------------------------------------------------------------

typedef enum {
  kPush,       // constant number
  kPushSmall,  // the integer itself
  kPop,
  kLoad,  // local slot
  kStore,
  kLoadGlobal,
  kStoreGlobal,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kNegate,
  kNot,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kJump,
  kJumpIfFalse,  // pops
  kJumpIfFalseKeep,
  kJumpIfTrueKeep,
  kCall,  // function number
  kReturn,
  kNewArray,  // length of the literal
  kMakeArray,
  kIndex,
  kSetIndex,
  kLength,
  kPrint,      // number of values
  kIncrement,  // local slot; made by the peephole pass
  kNop,
  kHalt,
} Opcode;

static const char* const kOpcodeNames[] = {
    "push",     "small",  "pop",    "load",      "store", "gload",  "gstore", "add",  "sub",
    "mul",      "div",    "mod",    "neg",       "not",   "eq",     "ne",     "lt",   "le",
    "jump",     "jfalse", "jfkeep", "jtkeep",    "call",  "return", "array",  "make", "index",
    "setindex", "length", "print",  "increment", "nop",   "halt",
};

typedef struct {
  uint8_t op;
  int16_t arg;
  int16_t line;
} Instruction;

typedef struct {
  char name[kNameSize];
  int start;
  int parameters;
  int locals;
  int defined;
} Function;

static Instruction code[kMaxCode];
static int code_size;
static Value constants[kMaxConstants];
static int constant_count;
static Function functions[kMaxFunctions];
static int function_count;
static Value globals[kMaxGlobals];

// ---- lexer ------------------------------------------------------------------------------------------------

typedef enum {
  kEndOfFile,
  kNumberToken,
  kStringToken,
  kName,
  kKeyword,
  kSymbol,
} TokenKind;

typedef struct {
  TokenKind kind;
  char text[128];  // name, keyword or symbol; decoded bytes of a string
  int64_t number;
  int line;
} Token;

typedef struct {
  const char* at;
  int line;
  Token token;
  // Scopes of local variables; a function body starts a new set.
  char locals[kMaxLocals][kNameSize];
  int local_count;
  int in_function;
  int most_locals;
  char globals[kMaxGlobals][kNameSize];
  int global_count;
} Compiler;

_Noreturn static void compile_error(const Compiler* c, const char* format, ...) {
  va_list args;
  va_start(args, format);
  printf("line %d: ", c->token.line);
  vprintf(format, args);
  printf("\n");
  va_end(args);
  exit(1);
}

static int is_keyword(const char* word) {
  static const char* const keywords[] = {"fn",    "let",   "if",     "else", "while", "for", "return",
                                         "print", "array", "length", "and",  "or",    "not"};
  for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
    if (strcmp(word, keywords[i]) == 0) return 1;
  }
  return 0;
}

static void skip_blanks(Compiler* c) {
  for (;; c->at++) {
    if (*c->at == '#') {
      while (*c->at && *c->at != '\n') c->at++;
    }
    if (*c->at == '\n') c->line++;
    if (!isspace((unsigned char)*c->at)) return;
  }
}

static void push_char(Compiler* c, size_t* used, char value) {
  if (*used + 1 >= sizeof c->token.text) compile_error(c, "token too long");
  c->token.text[(*used)++] = value;
  c->token.text[*used] = '\0';
}

static void lex_string(Compiler* c) {
  size_t used = 0;
  c->token.kind = kStringToken;
  for (c->at++; *c->at != '"'; c->at++) {
    char value = *c->at;
    if (value == '\0' || value == '\n') compile_error(c, "string without an end");
    if (value == '\\') {
      c->at++;
      value = *c->at;
      if (value == 'n') {
        value = '\n';
      } else if (value != '"' && value != '\\') {
        compile_error(c, "unknown escape in a string");
      }
    }
    push_char(c, &used, value);
  }
  c->at++;
}

static void lex_number(Compiler* c) {
  c->token.kind = kNumberToken;
  c->token.number = 0;
  while (isdigit((unsigned char)*c->at)) {
    int digit = *c->at++ - '0';
    if (c->token.number > (INT64_MAX - digit) / 10) compile_error(c, "number too large");
    c->token.number = c->token.number * 10 + digit;
  }
}

static void next_token(Compiler* c) {
  size_t used = 0;
  skip_blanks(c);
  c->token.line = c->line;
  c->token.text[0] = '\0';
  char first = *c->at;
  if (first == '\0') {
    c->token.kind = kEndOfFile;
    strcpy(c->token.text, "the end");
  } else if (isdigit((unsigned char)first)) {
    lex_number(c);
  } else if (first == '"') {
    lex_string(c);
  } else if (isalpha((unsigned char)first) || first == '_') {
    while (isalnum((unsigned char)*c->at) || *c->at == '_') push_char(c, &used, *c->at++);
    if (used >= kNameSize) compile_error(c, "name too long");
    c->token.kind = is_keyword(c->token.text) ? kKeyword : kName;
  } else {
    push_char(c, &used, *c->at++);
    if (*c->at == '=' && strchr("=!<>", first)) push_char(c, &used, *c->at++);
    c->token.kind = kSymbol;
  }
}

static int at_word(const Compiler* c, const char* text) {
  return (c->token.kind == kSymbol || c->token.kind == kKeyword) && strcmp(c->token.text, text) == 0;
}

static int accept(Compiler* c, const char* text) {
  if (!at_word(c, text)) return 0;
  next_token(c);
  return 1;
}

static void expect(Compiler* c, const char* text) {
  if (!accept(c, text)) compile_error(c, "expected '%s' before '%s'", text, c->token.text);
}

static void expect_name(Compiler* c, char* name) {
  if (c->token.kind != kName) compile_error(c, "expected a name before '%s'", c->token.text);
  strcpy(name, c->token.text);
  next_token(c);
}

// ---- compiler ---------------------------------------------------------------------------------------------

static int emit(Compiler* c, Opcode op, int arg) {
  if (code_size == kMaxCode) compile_error(c, "program too large");
  code[code_size] = (Instruction){(uint8_t)op, (int16_t)arg, (int16_t)c->token.line};
  return code_size++;
}

static int newest_target;  // where the latest forward jump lands

static void patch(int at) {
  code[at].arg = (int16_t)code_size;
  newest_target = code_size;
}

static int add_constant(Compiler* c, Value v) {
  for (int i = 0; i < constant_count; i++) {
    const Value* k = &constants[i];
    if (k->kind != v.kind) continue;
    if (v.kind == kInteger && k->as.integer == v.as.integer) return i;
    if (v.kind == kString && strcmp(k->as.object->as.text, v.as.object->as.text) == 0) return i;
  }
  if (constant_count == kMaxConstants) compile_error(c, "too many constants");
  constants[constant_count] = v;
  return constant_count++;
}

static void emit_number(Compiler* c, int64_t n) {
  if (n >= INT16_MIN && n <= INT16_MAX) {
    emit(c, kPushSmall, (int)n);
  } else {
    emit(c, kPush, add_constant(c, integer(n)));
  }
}

static int find(char names[][kNameSize], int count, const char* name) {
  for (int i = count - 1; i >= 0; i--) {
    if (strcmp(names[i], name) == 0) return i;
  }
  return -1;
}

static int declare(Compiler* c, const char* name) {
  int limit = c->in_function ? kMaxLocals : kMaxGlobals;
  int* count = c->in_function ? &c->local_count : &c->global_count;
  if (*count == limit) compile_error(c, "too many variables");
  strcpy((c->in_function ? c->locals : c->globals)[*count], name);
  if (c->in_function && *count + 1 > c->most_locals) c->most_locals = *count + 1;
  return (*count)++;
}

// Emits a load or a store of the variable; `store` selects which.
static void emit_variable(Compiler* c, const char* name, int store) {
  int slot = c->in_function ? find(c->locals, c->local_count, name) : -1;
  if (slot >= 0) {
    emit(c, store ? kStore : kLoad, slot);
    return;
  }
  slot = find(c->globals, c->global_count, name);
  if (slot < 0) compile_error(c, "unknown variable '%s'", name);
  emit(c, store ? kStoreGlobal : kLoadGlobal, slot);
}

// Functions may be called before they are defined; such entries are checked at the end.
static int function_named(Compiler* c, const char* name, int parameters) {
  for (int i = 0; i < function_count; i++) {
    if (strcmp(functions[i].name, name) != 0) continue;
    if (functions[i].parameters != parameters) {
      compile_error(c, "'%s' takes %d arguments, not %d", name, functions[i].parameters, parameters);
    }
    return i;
  }
  if (function_count == kMaxFunctions) compile_error(c, "too many functions");
  Function* f = &functions[function_count];
  strcpy(f->name, name);
  f->parameters = parameters;
  return function_count++;
}

static void expression(Compiler* c);

static int argument_list(Compiler* c, const char* close) {
  int count = 0;
  if (accept(c, close)) return 0;
  do {
    expression(c);
    count++;
  } while (accept(c, ","));
  expect(c, close);
  return count;
}

static void primary(Compiler* c) {
  char name[kNameSize];
  if (c->token.kind == kNumberToken) {
    emit_number(c, c->token.number);
    next_token(c);
  } else if (c->token.kind == kStringToken) {
    emit(c, kPush, add_constant(c, string_value(c->token.text, strlen(c->token.text))));
    next_token(c);
  } else if (c->token.kind == kName) {
    expect_name(c, name);
    if (accept(c, "(")) {
      int count = argument_list(c, ")");
      emit(c, kCall, function_named(c, name, count));
    } else {
      emit_variable(c, name, 0);
    }
  } else if (accept(c, "(")) {
    expression(c);
    expect(c, ")");
  } else if (accept(c, "[")) {
    int count = argument_list(c, "]");
    emit(c, kNewArray, count);
  } else if (at_word(c, "array") || at_word(c, "length")) {
    Opcode op = at_word(c, "array") ? kMakeArray : kLength;
    next_token(c);
    expect(c, "(");
    expression(c);
    expect(c, ")");
    emit(c, op, 0);
  } else {
    compile_error(c, "expected a value before '%s'", c->token.text);
  }
}

static void postfix(Compiler* c) {
  primary(c);
  while (accept(c, "[")) {
    expression(c);
    expect(c, "]");
    emit(c, kIndex, 0);
  }
}

static void unary(Compiler* c) {
  if (accept(c, "-")) {
    unary(c);
    emit(c, kNegate, 0);
  } else if (accept(c, "not")) {
    unary(c);
    emit(c, kNot, 0);
  } else {
    postfix(c);
  }
}

typedef struct {
  const char* text;
  int level;
  Opcode op;
  int swapped;  // a > b is compiled as !(a <= b), so that operands keep their order
} Operator;

static const Operator kOperators[] = {
    {"==", 1, kEqual, 0},    {"!=", 1, kNotEqual, 0}, {"<", 2, kLess, 0},   {"<=", 2, kLessEqual, 0},
    {">", 2, kLessEqual, 1}, {">=", 2, kLess, 1},     {"+", 3, kAdd, 0},    {"-", 3, kSubtract, 0},
    {"*", 4, kMultiply, 0},  {"/", 4, kDivide, 0},    {"%", 4, kModulo, 0},
};

static const Operator* operator_at(const Compiler* c, int level) {
  for (size_t i = 0; i < sizeof kOperators / sizeof kOperators[0]; i++) {
    if (kOperators[i].level >= level && at_word(c, kOperators[i].text)) return &kOperators[i];
  }
  return NULL;
}

static void binary(Compiler* c, int level) {
  unary(c);
  for (const Operator* o; (o = operator_at(c, level)) != NULL;) {
    next_token(c);
    binary(c, o->level + 1);
    emit(c, o->op, 0);
    if (o->swapped) emit(c, kNot, 0);
  }
}

static void conjunction(Compiler* c) {
  binary(c, 1);
  while (accept(c, "and")) {
    int jump = emit(c, kJumpIfFalseKeep, 0);
    binary(c, 1);
    patch(jump);
  }
}

static void expression(Compiler* c) {
  conjunction(c);
  while (accept(c, "or")) {
    int jump = emit(c, kJumpIfTrueKeep, 0);
    conjunction(c);
    patch(jump);
  }
}

static void statement(Compiler* c);

static void block(Compiler* c) {
  int locals = c->local_count;
  int globals_before = c->global_count;
  expect(c, "{");
  while (!at_word(c, "}") && c->token.kind != kEndOfFile) statement(c);
  expect(c, "}");
  c->local_count = locals;
  c->global_count = globals_before;
}

static void if_statement(Compiler* c) {
  expression(c);
  int to_else = emit(c, kJumpIfFalse, 0);
  block(c);
  if (!accept(c, "else")) {
    patch(to_else);
    return;
  }
  int to_end = emit(c, kJump, 0);
  patch(to_else);
  if (accept(c, "if")) {
    if_statement(c);
  } else {
    block(c);
  }
  patch(to_end);
}

static void while_statement(Compiler* c) {
  int start = code_size;
  expression(c);
  int exit_jump = emit(c, kJumpIfFalse, 0);
  block(c);
  emit(c, kJump, start);
  patch(exit_jump);
}

// for i = low, high { ... } counts upwards and evaluates high each time.
static void for_statement(Compiler* c) {
  char name[kNameSize];
  expect_name(c, name);
  expect(c, "=");
  expression(c);
  int locals = c->local_count;
  int globals_before = c->global_count;
  declare(c, name);
  emit_variable(c, name, 1);
  expect(c, ",");
  int start = code_size;
  emit_variable(c, name, 0);
  expression(c);
  emit(c, kLess, 0);
  int exit_jump = emit(c, kJumpIfFalse, 0);
  block(c);
  emit_variable(c, name, 0);
  emit(c, kPushSmall, 1);
  emit(c, kAdd, 0);
  emit_variable(c, name, 1);
  emit(c, kJump, start);
  patch(exit_jump);
  c->local_count = locals;
  c->global_count = globals_before;
}

static void function_definition(Compiler* c) {
  char name[kNameSize];
  char parameter[kNameSize];
  if (c->in_function) compile_error(c, "functions cannot be nested");
  expect_name(c, name);
  int over = emit(c, kJump, 0);
  int start = code_size;
  int parameters = 0;
  c->in_function = 1;
  c->local_count = c->most_locals = 0;
  expect(c, "(");
  if (!accept(c, ")")) {
    do {
      expect_name(c, parameter);
      declare(c, parameter);
      parameters++;
    } while (accept(c, ","));
    expect(c, ")");
  }
  Function* f = &functions[function_named(c, name, parameters)];
  if (f->defined) compile_error(c, "'%s' defined twice", name);
  f->defined = 1;
  f->start = start;
  block(c);
  emit(c, kPushSmall, 0);
  emit(c, kReturn, 0);
  f->locals = c->most_locals;
  c->in_function = 0;
  c->local_count = 0;
  patch(over);
}

// Assignment, element assignment, or an expression for its effects. All start with a postfix expression, so
// the code of a plain load at the end is turned into the matching store.
static void simple_statement(Compiler* c) {
  expression(c);
  if (!accept(c, "=")) {
    emit(c, kPop, 0);
    return;
  }
  // After a short circuit the end of the expression is a jump target, so its last load cannot be undone.
  Instruction target = code[--code_size];
  int assignable = target.op == kLoad || target.op == kLoadGlobal || target.op == kIndex;
  if (!assignable || newest_target == code_size + 1) compile_error(c, "cannot assign to this");
  expression(c);
  if (target.op == kIndex) {
    emit(c, kSetIndex, 0);
  } else {
    emit(c, target.op == kLoad ? kStore : kStoreGlobal, target.arg);
  }
}

static void statement(Compiler* c) {
  char name[kNameSize];
  if (accept(c, "fn")) {
    function_definition(c);
  } else if (accept(c, "if")) {
    if_statement(c);
  } else if (accept(c, "while")) {
    while_statement(c);
  } else if (accept(c, "for")) {
    for_statement(c);
  } else if (at_word(c, "{")) {
    block(c);
  } else {
    if (accept(c, "let")) {
      expect_name(c, name);
      expect(c, "=");
      expression(c);
      declare(c, name);
      emit_variable(c, name, 1);
    } else if (accept(c, "return")) {
      if (!c->in_function) compile_error(c, "return outside a function");
      if (at_word(c, ";")) {
        emit(c, kPushSmall, 0);
      } else {
        expression(c);
      }
      emit(c, kReturn, 0);
    } else if (accept(c, "print")) {
      int count = argument_list(c, ";");
      emit(c, kPrint, count);
      return;
    } else {
      simple_statement(c);
    }
    expect(c, ";");
  }
}

static void compile(const char* source) {
  static Compiler c;
  c.at = source;
  c.line = 1;
  next_token(&c);
  while (c.token.kind != kEndOfFile) statement(&c);
  emit(&c, kHalt, 0);
  for (int i = 0; i < function_count; i++) {
    if (!functions[i].defined) compile_error(&c, "'%s' is called but never defined", functions[i].name);
  }
}

// ---- peephole pass ----------------------------------------------------------------------------------------

static int is_jump(int op) { return op >= kJump && op <= kJumpIfTrueKeep; }

static void find_targets(uint8_t* is_target) {
  memset(is_target, 0, kMaxCode + 1);
  for (int i = 0; i < code_size; i++) {
    if (is_jump(code[i].op)) is_target[code[i].arg] = 1;
  }
  for (int i = 0; i < function_count; i++) is_target[functions[i].start] = 1;
}

static int no_target_between(const uint8_t* is_target, int at, int count) {
  for (int i = 1; i < count; i++) {
    if (is_target[at + i]) return 0;
  }
  return at + count <= code_size;
}

static int fold(int op, int a, int b, int* result) {
  if (op == kAdd) {
    *result = a + b;
  } else if (op == kSubtract) {
    *result = a - b;
  } else if (op == kMultiply) {
    *result = a * b;
  } else {
    return 0;
  }
  return *result >= INT16_MIN && *result <= INT16_MAX;
}

static void blank(int at, int count) {
  for (int i = 0; i < count; i++) code[at + i].op = kNop;
}

static int rewrite_once(const uint8_t* is_target) {
  int changed = 0;
  for (int i = 0; i < code_size; i++) {
    Instruction* p = &code[i];
    int value;
    if (no_target_between(is_target, i, 3) && p[0].op == kPushSmall && p[1].op == kPushSmall &&
        fold(p[2].op, p[0].arg, p[1].arg, &value)) {
      p[2].op = kPushSmall;
      p[2].arg = (int16_t)value;
      blank(i, 2);
      changed = 1;
    } else if (no_target_between(is_target, i, 4) && p[0].op == kLoad && p[1].op == kPushSmall &&
               p[1].arg == 1 && p[2].op == kAdd && p[3].op == kStore && p[3].arg == p[0].arg) {
      p[3].op = kIncrement;
      blank(i, 3);
      changed = 1;
    } else if (no_target_between(is_target, i, 2) && p[0].op == kPushSmall && p[1].op == kNegate &&
               p[0].arg != INT16_MIN) {
      p[1].op = kPushSmall;
      p[1].arg = (int16_t)-p[0].arg;
      blank(i, 1);
      changed = 1;
    } else if (p->op == kJump && code[p->arg].op == kJump && code[p->arg].arg != p->arg) {
      p->arg = code[p->arg].arg;
      changed = 1;
    }
  }
  return changed;
}

static void remove_nops(void) {
  static int16_t moved[kMaxCode + 1];
  int kept = 0;
  for (int i = 0; i < code_size; i++) {
    moved[i] = (int16_t)kept;
    if (code[i].op != kNop) code[kept++] = code[i];
  }
  moved[code_size] = (int16_t)kept;
  code_size = kept;
  for (int i = 0; i < code_size; i++) {
    if (is_jump(code[i].op)) code[i].arg = moved[code[i].arg];
  }
  for (int i = 0; i < function_count; i++) functions[i].start = moved[functions[i].start];
}

static void optimize(void) {
  static uint8_t is_target[kMaxCode + 1];
  int passes = 0;
  do {
    find_targets(is_target);
    if (!rewrite_once(is_target)) break;
    remove_nops();
  } while (++passes < 20);
}

static void disassemble(void) {
  for (int i = 0; i < code_size; i++) {
    for (int f = 0; f < function_count; f++) {
      if (functions[f].start == i) {
        printf("%s: %d parameters, %d locals\n", functions[f].name, functions[f].parameters,
               functions[f].locals);
      }
    }
    printf("%4d  %-9s", i, kOpcodeNames[code[i].op]);
    switch (code[i].op) {
      case kPush: {
        Value v = constants[code[i].arg];
        if (v.kind == kString) {
          printf(" \"%s\"", v.as.object->as.text);
        } else {
          printf(" %" PRId64, v.as.integer);
        }
        break;
      }
      case kCall:
        printf(" %s", functions[code[i].arg].name);
        break;
      case kPushSmall:
      case kLoad:
      case kStore:
      case kLoadGlobal:
      case kStoreGlobal:
      case kJump:
      case kJumpIfFalse:
      case kJumpIfFalseKeep:
      case kJumpIfTrueKeep:
      case kNewArray:
      case kPrint:
      case kIncrement:
        printf(" %d", code[i].arg);
        break;
      default:
        break;
    }
    printf("\n");
  }
}

// ---- virtual machine --------------------------------------------------------------------------------------

typedef struct {
  int function;  // -1 for the main program
  int return_to;
  int base;  // stack index of local 0
} Frame;

typedef struct {
  Value stack[kMaxStack];
  int top;
  Frame frames[kMaxFrames];
  int depth;
  int pc;
} Machine;

_Noreturn static void runtime_error(const Machine* m, const char* message) {
  int function = m->frames[m->depth].function;
  printf("%s, line %d: %s\n", function < 0 ? "main" : functions[function].name, code[m->pc].line, message);
  exit(3);
}

static void collect(Machine* m) {
  if (object_count < collect_at) return;
  for (int i = 0; i < m->top; i++) mark(m->stack[i]);
  for (int i = 0; i < kMaxGlobals; i++) mark(globals[i]);
  for (int i = 0; i < constant_count; i++) mark(constants[i]);
  sweep();
  collections++;
  collect_at = object_count < 128 ? 256 : 2 * object_count;
}

static void push(Machine* m, Value v) {
  if (m->top == kMaxStack) runtime_error(m, "stack overflow");
  m->stack[m->top++] = v;
}

static Value pop(Machine* m) { return m->stack[--m->top]; }

static int64_t pop_integer(Machine* m) {
  Value v = pop(m);
  if (v.kind != kInteger) runtime_error(m, "integer wanted");
  return v.as.integer;
}

static int is_true(Value v) { return v.kind == kInteger ? v.as.integer != 0 : v.as.object->size > 0; }

static int compare_values(const Machine* m, Value a, Value b) {
  if (a.kind != b.kind || a.kind == kArray) runtime_error(m, "values cannot be ordered");
  if (a.kind == kInteger) return (a.as.integer > b.as.integer) - (a.as.integer < b.as.integer);
  int c = strcmp(a.as.object->as.text, b.as.object->as.text);
  return (c > 0) - (c < 0);
}

static int equal_values(Value a, Value b) {
  if (a.kind != b.kind) return 0;
  if (a.kind == kInteger) return a.as.integer == b.as.integer;
  if (a.as.object->size != b.as.object->size) return 0;
  if (a.kind == kString) return memcmp(a.as.object->as.text, b.as.object->as.text, a.as.object->size) == 0;
  for (size_t i = 0; i < a.as.object->size; i++) {
    if (!equal_values(a.as.object->as.items[i], b.as.object->as.items[i])) return 0;
  }
  return 1;
}

static void print_value(Value v) {
  switch (v.kind) {
    case kInteger:
      printf("%" PRId64, v.as.integer);
      break;
    case kString:
      printf("%s", v.as.object->as.text);
      break;
    case kArray:
      printf("[");
      for (size_t i = 0; i < v.as.object->size; i++) {
        if (i > 0) printf(", ");
        print_value(v.as.object->as.items[i]);
      }
      printf("]");
      break;
  }
}

// "+" adds integers, and joins strings, arrays, and a string with an integer. The operands stay on the stack
// until the result exists, so that a collection cannot take them.
static Value join(Machine* m, Value a, Value b) {
  char digits[2][32];
  const char* text[2];
  Value both[2] = {a, b};
  if (a.kind == kArray && b.kind == kArray) {
    size_t n = a.as.object->size;
    Object* o = new_object(kArray, n + b.as.object->size);
    memcpy(o->as.items, a.as.object->as.items, sizeof(Value) * n);
    memcpy(o->as.items + n, b.as.object->as.items, sizeof(Value) * b.as.object->size);
    return object(o);
  }
  for (int i = 0; i < 2; i++) {
    if (both[i].kind == kArray) runtime_error(m, "cannot add these");
    snprintf(digits[i], sizeof digits[i], "%" PRId64, both[i].kind == kInteger ? both[i].as.integer : 0);
    text[i] = both[i].kind == kInteger ? digits[i] : both[i].as.object->as.text;
  }
  size_t n = strlen(text[0]), k = strlen(text[1]);
  Object* o = new_object(kString, n + k);
  memcpy(o->as.text, text[0], n);
  memcpy(o->as.text + n, text[1], k);
  return object(o);
}

// Arithmetic wraps around, as unsigned arithmetic does.
static void arithmetic(Machine* m, int op) {
  Value vb = m->stack[m->top - 1], va = m->stack[m->top - 2];
  if (op == kAdd && (va.kind != kInteger || vb.kind != kInteger)) {
    Value joined = join(m, va, vb);
    m->top -= 2;
    push(m, joined);
    collect(m);
    return;
  }
  int64_t b = pop_integer(m);
  int64_t a = pop_integer(m);
  int64_t r = 0;
  switch (op) {
    case kAdd:
      r = (int64_t)((uint64_t)a + (uint64_t)b);
      break;
    case kSubtract:
      r = (int64_t)((uint64_t)a - (uint64_t)b);
      break;
    case kMultiply:
      r = (int64_t)((uint64_t)a * (uint64_t)b);
      break;
    default:
      if (b == 0) runtime_error(m, "division by zero");
      if (b == -1) {
        r = op == kDivide ? (int64_t)(0 - (uint64_t)a) : 0;  // INT64_MIN / -1 would trap
      } else {
        r = op == kDivide ? a / b : a % b;
      }
  }
  push(m, integer(r));
}

static void call(Machine* m, int number) {
  const Function* f = &functions[number];
  if (m->depth + 1 == kMaxFrames) runtime_error(m, "calls too deep");
  Frame* frame = &m->frames[++m->depth];
  frame->function = number;
  frame->return_to = m->pc + 1;
  frame->base = m->top - f->parameters;
  for (int i = f->parameters; i < f->locals; i++) push(m, integer(0));
  m->pc = f->start;
}

static void return_from(Machine* m) {
  Value result = pop(m);
  Frame* frame = &m->frames[m->depth--];
  m->top = frame->base;
  m->pc = frame->return_to;
  push(m, result);
}

static void make_array(Machine* m) {
  int64_t size = pop_integer(m);
  if (size < 0 || size > 1000000) runtime_error(m, "bad array length");
  push(m, object(new_object(kArray, (size_t)size)));
  collect(m);
}

static void array_literal(Machine* m, int count) {
  Object* o = new_object(kArray, (size_t)count);
  m->top -= count;
  memcpy(o->as.items, m->stack + m->top, sizeof(Value) * (size_t)count);
  push(m, object(o));
  collect(m);
}

static size_t checked_index(const Machine* m, Value container, int64_t index) {
  if (container.kind == kInteger) runtime_error(m, "not an array");
  if (index < 0 || (uint64_t)index >= container.as.object->size) runtime_error(m, "index out of range");
  return (size_t)index;
}

static void get_element(Machine* m) {
  int64_t index = pop_integer(m);
  Value container = pop(m);
  size_t i = checked_index(m, container, index);
  if (container.kind == kString) {
    push(m, string_value(container.as.object->as.text + i, 1));
    collect(m);
  } else {
    push(m, container.as.object->as.items[i]);
  }
}

static void set_element(Machine* m) {
  Value value = pop(m);
  int64_t index = pop_integer(m);
  Value container = pop(m);
  size_t i = checked_index(m, container, index);
  if (container.kind != kArray) runtime_error(m, "strings cannot be changed");
  container.as.object->as.items[i] = value;
}

static void print_values(Machine* m, int count) {
  m->top -= count;
  for (int i = 0; i < count; i++) {
    if (i > 0) printf(" ");
    print_value(m->stack[m->top + i]);
  }
  printf("\n");
}

static void run(Machine* m) {
  m->frames[0] = (Frame){-1, 0, 0};
  for (;;) {
    const Instruction* i = &code[m->pc];
    Value* local = &m->stack[m->frames[m->depth].base];
    Value a, b;
    int jump = -1;
    switch ((Opcode)i->op) {
      case kPush:
        push(m, constants[i->arg]);
        break;
      case kPushSmall:
        push(m, integer(i->arg));
        break;
      case kPop:
        pop(m);
        break;
      case kLoad:
        push(m, local[i->arg]);
        break;
      case kStore:
        local[i->arg] = pop(m);
        break;
      case kLoadGlobal:
        push(m, globals[i->arg]);
        break;
      case kStoreGlobal:
        globals[i->arg] = pop(m);
        break;
      case kAdd:
      case kSubtract:
      case kMultiply:
      case kDivide:
      case kModulo:
        arithmetic(m, i->op);
        break;
      case kNegate:
        push(m, integer((int64_t)(0 - (uint64_t)pop_integer(m))));
        break;
      case kNot:
        push(m, integer(!is_true(pop(m))));
        break;
      case kEqual:
      case kNotEqual:
        b = pop(m);
        a = pop(m);
        push(m, integer(equal_values(a, b) == (i->op == kEqual)));
        break;
      case kLess:
      case kLessEqual:
        b = pop(m);
        a = pop(m);
        push(m, integer(compare_values(m, a, b) < (i->op == kLessEqual)));
        break;
      case kJump:
        jump = i->arg;
        break;
      case kJumpIfFalse:
        if (!is_true(pop(m))) jump = i->arg;
        break;
      case kJumpIfFalseKeep:
      case kJumpIfTrueKeep:
        if (is_true(m->stack[m->top - 1]) == (i->op == kJumpIfTrueKeep)) {
          jump = i->arg;
        } else {
          pop(m);
        }
        break;
      case kCall:
        call(m, i->arg);
        continue;
      case kReturn:
        return_from(m);
        continue;
      case kNewArray:
        array_literal(m, i->arg);
        break;
      case kMakeArray:
        make_array(m);
        break;
      case kIndex:
        get_element(m);
        break;
      case kSetIndex:
        set_element(m);
        break;
      case kLength:
        a = pop(m);
        if (a.kind == kInteger) runtime_error(m, "integers have no length");
        push(m, integer((int64_t)a.as.object->size));
        break;
      case kPrint:
        print_values(m, i->arg);
        break;
      case kIncrement:
        push(m, local[i->arg]);
        push(m, integer(1));
        arithmetic(m, kAdd);
        local[i->arg] = pop(m);
        break;
      case kNop:
        break;
      case kHalt:
        return;
    }
    m->pc = jump >= 0 ? jump : m->pc + 1;
  }
}

int main(int argc, char** argv) {
  static char source[kMaxSource];
  static Machine machine;
  int dump = 0, fast = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-d") == 0) {
      dump = 1;
    } else if (strcmp(argv[i], "-O") == 0) {
      fast = 1;
    } else {
      printf("usage: minivm [-d] [-O] < program\n");
      return 2;
    }
  }
  size_t size = fread(source, 1, sizeof source - 1, stdin);
  source[size] = '\0';
  compile(source);
  if (fast) optimize();
  if (dump) {
    disassemble();
  } else {
    run(&machine);
    printf("%u collections\n", collections);
  }
  while (all_objects) {
    Object* o = all_objects;
    all_objects = o->next;
    free_object(o);
  }
  return 0;
}

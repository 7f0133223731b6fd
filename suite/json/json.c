// json - parses JSON, prints it again, and looks things up in it.
//
// "json" pretty-prints standard input with object keys in their order; "json -c" prints it compactly with
// keys sorted; "json PATH..." prints the values at paths such as /servers/0/name (RFC 6901 pointers). Errors
// give line and column with exit status 1; a path that leads nowhere gives "null" with exit status 3.

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxDepth = 200 };

typedef enum { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject } Kind;

typedef struct {
  char* data;
  size_t size;
  size_t capacity;
} Text;

// Children of arrays and objects form a linked list; members of objects also have a key.
typedef struct Value {
  Kind kind;
  double number;
  Text string;
  Text key;
  struct Value* first;
  struct Value* last;
  struct Value* next;
  size_t count;
} Value;

typedef struct {
  const char* at;
  const char* end;
  const char* begin;
  const char* error;
  int depth;
} Parser;

static void* checked(void* p) {
  if (!p) {
    fprintf(stderr, "json: out of memory\n");
    exit(4);
  }
  return p;
}

static void text_append(Text* t, const char* data, size_t size) {
  if (t->size + size + 1 > t->capacity) {
    while (t->size + size + 1 > t->capacity) t->capacity = t->capacity ? 2 * t->capacity : 16;
    t->data = checked(realloc(t->data, t->capacity));
  }
  memcpy(t->data + t->size, data, size);
  t->size += size;
  t->data[t->size] = '\0';
}

static void text_push(Text* t, char c) { text_append(t, &c, 1); }

static Value* new_value(Kind kind) {
  Value* v = checked(calloc(1, sizeof *v));
  v->kind = kind;
  return v;
}

static void free_value(Value* v) {
  while (v) {
    Value* next = v->next;
    free_value(v->first);
    free(v->string.data);
    free(v->key.data);
    free(v);
    v = next;
  }
}

static void add_child(Value* parent, Value* child) {
  if (parent->last) {
    parent->last->next = child;
  } else {
    parent->first = child;
  }
  parent->last = child;
  parent->count++;
}

// ---- parsing ----------------------------------------------------------------------------------------------

static int fail(Parser* p, const char* message) {
  if (!p->error) p->error = message;
  return 0;
}

static void skip_space(Parser* p) {
  while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r')) p->at++;
}

static int peek(const Parser* p) { return p->at < p->end ? (unsigned char)*p->at : -1; }

static int accept(Parser* p, char c) {
  if (peek(p) != c) return 0;
  p->at++;
  return 1;
}

static int accept_word(Parser* p, const char* word) {
  size_t n = strlen(word);
  if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0) return fail(p, "unknown word");
  p->at += n;
  return 1;
}

static void append_utf8(Text* t, unsigned long point) {
  if (point < 0x80) {
    text_push(t, (char)point);
  } else if (point < 0x800) {
    text_push(t, (char)(0xC0 | point >> 6));
    text_push(t, (char)(0x80 | (point & 0x3F)));
  } else if (point < 0x10000) {
    text_push(t, (char)(0xE0 | point >> 12));
    text_push(t, (char)(0x80 | (point >> 6 & 0x3F)));
    text_push(t, (char)(0x80 | (point & 0x3F)));
  } else {
    text_push(t, (char)(0xF0 | point >> 18));
    text_push(t, (char)(0x80 | (point >> 12 & 0x3F)));
    text_push(t, (char)(0x80 | (point >> 6 & 0x3F)));
    text_push(t, (char)(0x80 | (point & 0x3F)));
  }
}

static int parse_hex4(Parser* p, unsigned long* out) {
  unsigned long value = 0;
  for (int i = 0; i < 4; i++) {
    int c = peek(p);
    if (c < 0 || !isxdigit(c)) return fail(p, "bad \\u escape");
    value = value * 16 + (unsigned long)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
    p->at++;
  }
  *out = value;
  return 1;
}

static int parse_unicode_escape(Parser* p, Text* out) {
  unsigned long point, low;
  if (!parse_hex4(p, &point)) return 0;
  if (point >= 0xDC00 && point < 0xE000) return fail(p, "lone low surrogate");
  if (point >= 0xD800 && point < 0xDC00) {
    if (!accept(p, '\\') || !accept(p, 'u')) return fail(p, "lone high surrogate");
    if (!parse_hex4(p, &low)) return 0;
    if (low < 0xDC00 || low >= 0xE000) return fail(p, "lone high surrogate");
    point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
  }
  append_utf8(out, point);
  return 1;
}

static int parse_escape(Parser* p, Text* out) {
  static const char from[] = "\"\\/bfnrt";
  static const char to[] = "\"\\/\b\f\n\r\t";
  if (accept(p, 'u')) return parse_unicode_escape(p, out);
  int c = peek(p);
  const char* found = c > 0 ? strchr(from, c) : NULL;
  if (!found) return fail(p, "unknown escape");
  text_push(out, to[found - from]);
  p->at++;
  return 1;
}

static int parse_string(Parser* p, Text* out) {
  if (!accept(p, '"')) return fail(p, "expected a string");
  text_append(out, "", 0);
  for (;;) {
    int c = peek(p);
    if (c < 0) return fail(p, "string without an end");
    if (c < 0x20) return fail(p, "control character in a string");
    p->at++;
    if (c == '"') return 1;
    if (c == '\\') {
      if (!parse_escape(p, out)) return 0;
    } else {
      text_push(out, (char)c);
    }
  }
}

static int skip_digits(Parser* p) {
  const char* start = p->at;
  while (peek(p) >= '0' && peek(p) <= '9') p->at++;
  return p->at > start;
}

// strtod accepts more than JSON does, so the shape is checked first.
static int parse_number(Parser* p, Value* v) {
  const char* start = p->at;
  accept(p, '-');
  if (!accept(p, '0') && !skip_digits(p)) return fail(p, "expected a value");
  if (accept(p, '.') && !skip_digits(p)) return fail(p, "digits wanted after the point");
  if (accept(p, 'e') || accept(p, 'E')) {
    if (!accept(p, '+')) accept(p, '-');
    if (!skip_digits(p)) return fail(p, "digits wanted in the exponent");
  }
  text_append(&v->string, start, (size_t)(p->at - start));
  v->number = strtod(v->string.data, NULL);
  if (isinf(v->number)) return fail(p, "number too large");
  return 1;
}

static Value* parse_value(Parser* p);

static int parse_array(Parser* p, Value* array) {
  skip_space(p);
  if (accept(p, ']')) return 1;
  do {
    Value* item = parse_value(p);
    if (!item) return 0;
    add_child(array, item);
    skip_space(p);
  } while (accept(p, ','));
  return accept(p, ']') || fail(p, "expected ',' or ']'");
}

static Value* find_member(const Value* object, const char* key, size_t size) {
  for (Value* m = object->first; m; m = m->next) {
    if (m->key.size == size && memcmp(m->key.data, key, size) == 0) return m;
  }
  return NULL;
}

static int parse_object(Parser* p, Value* object) {
  skip_space(p);
  if (accept(p, '}')) return 1;
  do {
    Text key = {0};
    skip_space(p);
    Value* member = NULL;
    if (parse_string(p, &key)) {
      skip_space(p);
      if (find_member(object, key.data, key.size)) {
        fail(p, "key given twice");
      } else if (!accept(p, ':')) {
        fail(p, "expected ':'");
      } else {
        member = parse_value(p);
      }
    }
    if (!member) {
      free(key.data);
      return 0;
    }
    member->key = key;
    add_child(object, member);
    skip_space(p);
  } while (accept(p, ','));
  return accept(p, '}') || fail(p, "expected ',' or '}'");
}

static Value* parse_value(Parser* p) {
  if (++p->depth > kMaxDepth) {
    fail(p, "nested too deeply");
    return NULL;
  }
  skip_space(p);
  int good = 0;
  Value* v = new_value(kNull);
  switch (peek(p)) {
    case 'n':
      good = accept_word(p, "null");
      break;
    case 't':
      v->kind = kTrue;
      good = accept_word(p, "true");
      break;
    case 'f':
      v->kind = kFalse;
      good = accept_word(p, "false");
      break;
    case '"':
      v->kind = kString;
      good = parse_string(p, &v->string);
      break;
    case '[':
      p->at++;
      v->kind = kArray;
      good = parse_array(p, v);
      break;
    case '{':
      p->at++;
      v->kind = kObject;
      good = parse_object(p, v);
      break;
    default:
      v->kind = kNumber;
      good = parse_number(p, v);
  }
  p->depth--;
  if (good) return v;
  free_value(v);
  return NULL;
}

static Value* parse_document(Parser* p) {
  Value* v = parse_value(p);
  skip_space(p);
  if (v && p->at < p->end) {
    fail(p, "more text after the value");
    free_value(v);
    return NULL;
  }
  return v;
}

static void print_error(const Parser* p) {
  int line = 1, column = 1;
  for (const char* c = p->begin; c < p->at; c++) {
    column = *c == '\n' ? 1 : column + 1;
    line += *c == '\n';
  }
  printf("json: line %d, column %d: %s\n", line, column, p->error);
}

// ---- printing ---------------------------------------------------------------------------------------------

static void print_string(const Text* t) {
  putchar('"');
  for (size_t i = 0; i < t->size; i++) {
    unsigned char c = (unsigned char)t->data[i];
    switch (c) {
      case '"':
      case '\\':
        printf("\\%c", c);
        break;
      case '\n':
        printf("\\n");
        break;
      case '\t':
        printf("\\t");
        break;
      default:
        if (c < 0x20) {
          printf("\\u%04x", c);
        } else {
          putchar(c);
        }
    }
  }
  putchar('"');
}

// Integers print as such; anything else keeps the spelling it had, which loses nothing.
static void print_number(const Value* v) {
  if (v->number == floor(v->number) && fabs(v->number) < 1e15) {
    printf("%.0f", v->number + 0.0);
  } else {
    printf("%s", v->string.data);
  }
}

static void new_line(int indent) {
  if (indent < 0) return;
  putchar('\n');
  for (int i = 0; i < indent; i++) printf("  ");
}

static void print_value(const Value* v, int indent);

static void print_members(const Value* v, char open, char close, int indent) {
  int inner = indent < 0 ? -1 : indent + 1;
  putchar(open);
  for (const Value* m = v->first; m; m = m->next) {
    new_line(inner);
    if (v->kind == kObject) {
      print_string(&m->key);
      printf(indent < 0 ? ":" : ": ");
    }
    print_value(m, inner);
    if (m->next) putchar(',');
  }
  if (v->first) new_line(indent);
  putchar(close);
}

static void print_value(const Value* v, int indent) {
  switch (v->kind) {
    case kNull:
      printf("null");
      break;
    case kFalse:
      printf("false");
      break;
    case kTrue:
      printf("true");
      break;
    case kNumber:
      print_number(v);
      break;
    case kString:
      print_string(&v->string);
      break;
    case kArray:
      print_members(v, '[', ']', indent);
      break;
    case kObject:
      print_members(v, '{', '}', indent);
      break;
  }
}

// ---- sorting keys -----------------------------------------------------------------------------------------

static int compare_keys(const void* a, const void* b) {
  const Text* x = &(*(Value* const*)a)->key;
  const Text* y = &(*(Value* const*)b)->key;
  size_t n = x->size < y->size ? x->size : y->size;
  int c = memcmp(x->data, y->data, n);
  return c ? c : (x->size > y->size) - (x->size < y->size);
}

static void sort_keys(Value* v) {
  for (Value* m = v->first; m; m = m->next) sort_keys(m);
  if (v->kind != kObject || v->count < 2) return;
  Value** members = checked(malloc(sizeof *members * v->count));
  size_t n = 0;
  for (Value* m = v->first; m; m = m->next) members[n++] = m;
  qsort(members, n, sizeof *members, compare_keys);
  v->first = v->last = NULL;
  v->count = 0;
  for (size_t i = 0; i < n; i++) {
    members[i]->next = NULL;
    add_child(v, members[i]);
  }
  free(members);
}

// ---- pointers ---------------------------------------------------------------------------------------------

static Value* find_item(const Value* array, const char* digits, size_t size) {
  size_t index = 0;
  if (size == 0 || size > 6) return NULL;
  for (size_t i = 0; i < size; i++) {
    if (!isdigit((unsigned char)digits[i])) return NULL;
    index = index * 10 + (size_t)(digits[i] - '0');
  }
  Value* item = array->first;
  while (item && index-- > 0) item = item->next;
  return item;
}

static const Value* resolve(const Value* v, const char* path) {
  while (v && *path == '/') {
    Text part = {0};
    text_append(&part, "", 0);
    for (path++; *path && *path != '/'; path++) {
      if (path[0] == '~' && (path[1] == '0' || path[1] == '1')) {
        text_push(&part, path[1] == '0' ? '~' : '/');
        path++;
      } else {
        text_push(&part, *path);
      }
    }
    if (v->kind == kObject) {
      v = find_member(v, part.data, part.size);
    } else {
      v = v->kind == kArray ? find_item(v, part.data, part.size) : NULL;
    }
    free(part.data);
  }
  return *path ? NULL : v;
}

int main(int argc, char** argv) {
  Text input = {0};
  text_append(&input, "", 0);
  char chunk[4096];
  size_t got;
  while ((got = fread(chunk, 1, sizeof chunk, stdin)) > 0) text_append(&input, chunk, got);

  Parser parser = {.at = input.data, .end = input.data + input.size, .begin = input.data};
  Value* document = parse_document(&parser);
  int status = 0;
  if (!document) {
    print_error(&parser);
    status = 1;
  } else if (argc == 1) {
    print_value(document, 0);
    putchar('\n');
  } else if (argc == 2 && strcmp(argv[1], "-c") == 0) {
    sort_keys(document);
    print_value(document, -1);
    putchar('\n');
  } else {
    for (int i = 1; i < argc; i++) {
      const Value* found = resolve(document, argv[i]);
      if (found) {
        print_value(found, -1);
      } else {
        printf("null");
        status = 3;
      }
      putchar('\n');
    }
  }
  free_value(document);
  free(input.data);
  return status;
}

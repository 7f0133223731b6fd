#include "json.h"

#include "board.h"

enum { kMostDepth = 16 };

struct Reader {
  const char *start, *at;
  struct JsonReport* report;
  int depth;
};

static bool value(struct Reader* in);

static bool wrong(struct Reader* in, const char* what) {
  if (!*in->report->error) {
    in->report->error = what;
    in->report->at = (size_t)(in->at - in->start);
  }
  return false;
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static void space(struct Reader* in) {
  while (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r') ++in->at;
}

static bool word(struct Reader* in, const char* text, enum JsonKind kind) {
  const size_t length = strlen(text);
  for (size_t i = 0; i < length; ++i) {
    if (in->at[i] != text[i]) return wrong(in, "an unknown word");
  }
  in->at += length;
  ++in->report->count[kind];
  return true;
}

static bool string(struct Reader* in) {
  for (++in->at; *in->at != '"'; ++in->at) {
    if ((unsigned char)*in->at < ' ') return wrong(in, "a string without an end");
    if (*in->at != '\\') continue;
    switch (*++in->at) {
      case '"':
      case '\\':
      case '/':
      case 'b':
      case 'f':
      case 'n':
      case 'r':
      case 't':
        break;
      case 'u':
        for (int i = 0; i < 4; ++i) {
          if (!isHex(*++in->at)) return wrong(in, "four hexadecimal digits are wanted");
        }
        break;
      default:
        return wrong(in, "an unknown escape");
    }
  }
  ++in->at;
  return true;
}

static bool digits(struct Reader* in, long* value) {
  if (!isDigit(*in->at)) return wrong(in, "a digit is wanted");
  for (; isDigit(*in->at); ++in->at) *value = *value * 10 + (*in->at - '0');
  return true;
}

static bool number(struct Reader* in) {
  const bool minus = *in->at == '-';
  if (minus) ++in->at;
  long whole = 0, ignored = 0;
  bool exact = true;
  if (*in->at == '0' && isDigit(in->at[1])) return wrong(in, "a zero in front");
  if (!digits(in, &whole)) return false;
  if (*in->at == '.') {
    exact = false;
    ++in->at;
    if (!digits(in, &ignored)) return false;
  }
  if (*in->at == 'e' || *in->at == 'E') {
    exact = false;
    ++in->at;
    if (*in->at == '+' || *in->at == '-') ++in->at;
    if (!digits(in, &ignored)) return false;
  }
  ++in->report->count[kNumber];
  if (exact) in->report->sum += minus ? -whole : whole;
  return true;
}

static bool members(struct Reader* in, bool named, char end) {
  if (++in->depth > kMostDepth) return wrong(in, "too deep");
  if (in->depth > in->report->depth) in->report->depth = in->depth;
  ++in->at;
  space(in);
  if (*in->at == end) {
    ++in->at;
    --in->depth;
    return true;
  }
  for (;;) {
    space(in);
    if (named) {
      if (*in->at != '"') return wrong(in, "a name is wanted");
      if (!string(in)) return false;
      space(in);
      if (*in->at != ':') return wrong(in, "a colon is wanted");
      ++in->at;
    }
    if (!value(in)) return false;
    space(in);
    if (*in->at == end) break;
    if (*in->at != ',') return wrong(in, "a comma or an end is wanted");
    ++in->at;
  }
  ++in->at;
  --in->depth;
  return true;
}

static bool value(struct Reader* in) {
  space(in);
  switch (*in->at) {
    case 'n':
      return word(in, "null", kNull);
    case 't':
      return word(in, "true", kBool);
    case 'f':
      return word(in, "false", kBool);
    case '"':
      ++in->report->count[kString];
      return string(in);
    case '[':
      ++in->report->count[kArray];
      return members(in, false, ']');
    case '{':
      ++in->report->count[kObject];
      return members(in, true, '}');
    default:
      return number(in);
  }
}

void json_read(const char* text, struct JsonReport* report) {
  struct Reader in = {text, text, report, 0};
  memset(report, 0, sizeof *report);
  report->error = "";
  if (!value(&in)) return;
  space(&in);
  if (*in.at) wrong(&in, "something behind the value");
}

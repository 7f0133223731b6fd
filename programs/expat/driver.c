// Parses standard input as XML ROUNDS times; says how much there is of what, and a sum over all names and
// text.
#include "../driver.h"

#include "src/expat/lib/expat.h"

struct Seen {
  unsigned long elements, attributes, characters, deepest, depth, sum;
};

static void add(struct Seen* seen, const char* text, size_t length) {
  for (size_t i = 0; i < length; ++i) seen->sum = (seen->sum ^ (unsigned char)text[i]) * 0x100000001b3;
}

static void begin(void* data, const XML_Char* name, const XML_Char** attributes) {
  struct Seen* const seen = data;
  ++seen->elements;
  if (++seen->depth > seen->deepest) seen->deepest = seen->depth;
  add(seen, name, strlen(name));
  for (; *attributes; attributes += 2, ++seen->attributes) add(seen, attributes[1], strlen(attributes[1]));
}

static void end(void* data, const XML_Char* name) {
  (void)name;
  --((struct Seen*)data)->depth;
}

static void text(void* data, const XML_Char* characters, int length) {
  ((struct Seen*)data)->characters += (unsigned)length;
  add(data, characters, (size_t)length);
}

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 1);
  size_t size;
  const char* const data = (const char*)read_all(&size);
  struct Seen seen = {0, 0, 0, 0, 0, 0xcbf29ce484222325};
  for (int round = 0; round < rounds; ++round) {
    const XML_Parser parser = XML_ParserCreate(NULL);
    check(parser != NULL, "beginning");
    XML_SetHashSalt(parser, 1);
    XML_SetUserData(parser, &seen);
    XML_SetElementHandler(parser, begin, end);
    XML_SetCharacterDataHandler(parser, text);
    const enum XML_Status status = XML_Parse(parser, data, (int)size, 1);
    check(status == XML_STATUS_OK, XML_ErrorString(XML_GetErrorCode(parser)));
    XML_ParserFree(parser);
  }
  printf("%lu elements, %lu deep, %lu attributes, %lu characters, %lx\n", seen.elements, seen.deepest,
         seen.attributes, seen.characters, seen.sum);
  return 0;
}

// Files: what is written is an event, and what is read is the text of the input.
#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "llvm/execution/library_checks.h"

namespace ordo::execution {
namespace {

constexpr std::uintptr_t kStandardOutput = 1;

std::uintptr_t streamOf(const void* file) { return at(file); }

// No std::string: a run that is given up jumps out without destructors.
struct Formatted {
  std::array<char, 4096> text;
  std::size_t size = 0;  // without the zero behind

  std::string_view view() const { return {text.data(), size}; }
};

// The run is void if it is more than fits.
Formatted formatted(const char* format, std::va_list arguments) {
  Formatted result;
  const int size = std::vsnprintf(result.text.data(), result.text.size(), format, arguments);
  if (size < 0 || static_cast<std::size_t>(size) >= result.text.size())
    Machine::current().giveUp("prints too much at once");
  result.size = static_cast<std::size_t>(size);
  return result;
}

int printTo(std::uintptr_t file, const char* format, std::va_list arguments) {
  const Formatted whole = formatted(format, arguments);
  // The sign of a NaN is nobody's promise.
  Formatted written;
  for (std::string_view rest = whole.view(); !rest.empty(); rest.remove_prefix(1)) {
    if (rest.starts_with("-nan")) rest.remove_prefix(1);
    written.text[written.size++] = rest.front();
  }
  Machine::current().wrote(file, written.view());
  return static_cast<int>(whole.size);
}

// Arguments of the watched are read by the C library itself: what was never written is not noticed.
// NOLINTBEGIN(cert-dcl50-cpp): these are what C calls.
int print(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int size = printTo(kStandardOutput, format, arguments);
  va_end(arguments);
  return size;
}
int printToFile(void* file, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int size = printTo(streamOf(file), format, arguments);
  va_end(arguments);
  return size;
}
int printToString(char* to, std::size_t size, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(to, size, format, arguments);
  va_end(arguments);
  return length;
}
int printToStringWatched(char* to, std::size_t size, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const Formatted made = formatted(format, arguments);
  va_end(arguments);
  if (size > 0) {
    const std::size_t written = std::min(size - 1, made.size);
    writes(to, written + 1);
    std::memcpy(to, made.text.data(), written);
    to[written] = '\0';
  }
  return static_cast<int>(made.size);
}
int printToLongString(char* to, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = std::vsprintf(to, format, arguments);
  va_end(arguments);
  return length;
}
int printToLongStringWatched(char* to, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const Formatted made = formatted(format, arguments);
  va_end(arguments);
  writes(to, made.size + 1);
  std::memcpy(to, made.text.data(), made.size + 1);
  return static_cast<int>(made.size);
}
// NOLINTEND(cert-dcl50-cpp)

int putLine(const char* text) {
  Machine::current().wrote(kStandardOutput, text);
  Machine::current().wrote(kStandardOutput, "\n");
  return 1;
}
int putLineWatched(const char* text) {
  readsString(text);
  return putLine(text);
}
int putCharacterTo(int character, void* file) {
  const char byte = static_cast<char>(character);
  Machine::current().wrote(streamOf(file), {&byte, 1});
  return static_cast<unsigned char>(byte);
}
int putCharacter(int character) {
  const char byte = static_cast<char>(character);
  Machine::current().wrote(kStandardOutput, {&byte, 1});
  return static_cast<unsigned char>(byte);
}
int putString(const char* text, void* file) {
  Machine::current().wrote(streamOf(file), text);
  return 1;
}
int putStringWatched(const char* text, void* file) {
  readsString(text);
  return putString(text, file);
}
std::size_t putBytes(const void* bytes, std::size_t size, std::size_t count, void* file) {
  Machine::current().wrote(streamOf(file), {static_cast<const char*>(bytes), size * count});
  return size == 0 ? 0 : count;
}
std::size_t putBytesWatched(const void* bytes, std::size_t size, std::size_t count, void* file) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(size, count, &all)) Machine::current().giveUp("writes too much");
  reads(bytes, all);
  return putBytes(bytes, size, count, file);
}
int flush(void*) { return 0; }

// Input: every stream has the text of the machine, from its beginning.

int getCharacter(void* file) {
  Machine& machine = Machine::current();
  const std::string_view rest = machine.unread(streamOf(file));
  if (rest.empty()) return EOF;
  machine.took(streamOf(file), 1);
  return static_cast<unsigned char>(rest.front());
}
int getStandardCharacter() { return getCharacter(nullptr); }

// How much of a file fgets() takes.
std::size_t lineOf(std::string_view rest, int size) {
  const std::size_t line = rest.find('\n');
  return std::min(line == std::string_view::npos ? rest.size() : line + 1,
                  static_cast<std::size_t>(size) - 1);
}
char* getLine(char* to, int size, void* file) {
  Machine& machine = Machine::current();
  const std::string_view rest = machine.unread(streamOf(file));
  if (size < 2) machine.giveUp("reads a line into nothing");
  if (rest.empty()) return nullptr;
  const std::size_t taken = lineOf(rest, size);
  std::memcpy(to, rest.data(), taken);
  to[taken] = '\0';
  machine.took(streamOf(file), taken);
  return to;
}
char* getLineWatched(char* to, int size, void* file) {
  const std::string_view rest = Machine::current().unread(streamOf(file));
  if (size > 1 && !rest.empty()) writes(to, lineOf(rest, size) + 1);
  return getLine(to, size, file);
}
std::size_t getBytes(void* to, std::size_t size, std::size_t count, void* file) {
  Machine& machine = Machine::current();
  const std::string_view rest = machine.unread(streamOf(file));
  if (size == 0 || count == 0) return 0;
  const std::size_t whole = std::min(count, rest.size() / size);
  // The end of a file takes a part of an element with it.
  const std::size_t bytes = whole < count ? rest.size() : whole * size;
  std::memcpy(to, rest.data(), bytes);
  machine.took(streamOf(file), bytes);
  return whole;
}
std::size_t getBytesWatched(void* to, std::size_t size, std::size_t count, void* file) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(size, count, &all)) Machine::current().giveUp("reads too much");
  writes(to, std::min(all, Machine::current().unread(streamOf(file)).size()));
  return getBytes(to, size, count, file);
}
int atEnd(void* file) { return Machine::current().unread(streamOf(file)).empty() ? 1 : 0; }
int noError(void*) { return 0; }
void* noFile(const char*, const char*) { return nullptr; }

}  // namespace

std::vector<LibraryFunction> streamFunctions() {
  return {both("printf", print),
          both("fprintf", printToFile),
          {"snprintf", code(printToString), code(printToStringWatched)},
          {"sprintf", code(printToLongString), code(printToLongStringWatched)},
          {"puts", code(putLine), code(putLineWatched)},
          both("putchar", putCharacter),
          both("putchar_unlocked", putCharacter),
          both("fputc", putCharacterTo),
          both("putc", putCharacterTo),
          {"fputs", code(putString), code(putStringWatched)},
          {"fwrite", code(putBytes), code(putBytesWatched)},
          both("getchar", getStandardCharacter),
          both("fgetc", getCharacter),
          both("getc", getCharacter),
          {"fgets", code(getLine), code(getLineWatched)},
          {"fread", code(getBytes), code(getBytesWatched)},
          both("feof", atEnd),
          both("ferror", noError),
          both("fclose", noError),
          both("fopen", noFile),
          both("fflush", flush)};
}

}  // namespace ordo::execution

// runCompiler() is the order of things: what is not to be captured becomes the plain compiler. Else
// Unit::make() runs clang twice, from source to bitcode and from that to the object, so that the build goes
// on with code made of the very bitcode that is kept. If either fails, the plain command runs after all. Each
// unit in the root leaves a record, named by a hash of its object and source, also where it has no bitcode.
// Of commands that link, the units are captured first, and then the command runs as it is.
#include "capture/capture.h"

#include <elf.h>
#include <errno.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "capture/command.h"
#include "support/child.h"
#include "support/files.h"
#include "support/hash.h"
#include "support/json.h"

namespace ordo::capture {
namespace fs = std::filesystem;
namespace {

using Words = std::vector<std::string>;

fs::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

Words compiler(bool cxx, const Words& arguments) {
  Words words{cxx ? "clang++-22" : "clang-22"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

// Becomes the compiler. The exit status of a shell that finds no program, if there is none.
int become(const Words& words) {
  ::execvp(words[0].c_str(), pointers(words).data());
  fmt::print(stderr, "ordo-capture: cannot run {}: {}\n", words[0], std::strerror(errno));
  return 127;
}

// Runs the compiler, and gives its exit status; 255 if there is none.
int run(const Words& words) {
  const Result<int> child = startBeside(words);
  const std::optional<int> status = child ? awaitEnd(*child) : std::nullopt;
  return status && WIFEXITED(*status) ? WEXITSTATUS(*status) : 255;
}

// `path` as everybody sees it who has the same sources.
std::string canonical(std::string_view path, const Places& places) {
  const fs::path absolute = (places.cwd / path).lexically_normal();
  return absolute.lexically_relative(places.root).string();
}

void replaceAll(std::string& text, const std::string& from, std::string_view to) {
  if (from.empty()) return;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// The capture of one input of a command.
class Unit {
 public:
  Unit(const Command& command, const Input& input, const Places& places, const fs::path& out, bool cxx)
      : command_(command), input_(input), places_(places), cxx_(cxx) {
    record_.source = canonical(input.path, places);
    record_.object = canonical(command.object.empty() ? input.path + ".o" : command.object, places);
    record_.language = input.language;
    record_.flags = command.meaning;
    for (std::string& flag : record_.flags) {
      replaceAll(flag, places.root.string(), ".");
      replaceAll(flag, places.sysroot.string(), "");
    }
    // The same object compiled again replaces what was captured before.
    base_ = out / hashBytes(record_.object + '\n' + record_.source).hex();
  }

  // Only what lies in the root has a name that means something elsewhere.
  bool isOurs() const { return !record_.source.starts_with("..") && !record_.source.empty(); }

  // Bitcode and, at `object`, machine code of it. False if the front end or the code generator failed.
  bool make(const std::string& object) {
    const std::string bitcode = base_.string() + ".bc";
    if (run(compiler(cxx_, bitcodeArguments(command_, input_, places_, bitcode))) != 0) {
      return failed("does not compile to bitcode");
    }
    if (run(compiler(cxx_, objectArguments(command_, bitcode, object))) != 0) {
      return failed("the code generator rejects the bitcode");
    }
    const Result<std::string> bytes = readFile(object);
    if (!bytes) return failed("the object cannot be read");
    const ObjectFacts facts = inspectObject(*bytes, places_.root.string());
    if (!facts.has_function) record_.error = "has no function with a body";
    if (facts.has_needle) record_.error = "holds the name of the folder it was built in";
    if (!record_.error.empty()) ::unlink(bitcode.c_str());
    save();
    return true;
  }

 private:
  bool failed(std::string why) {
    record_.error = std::move(why);
    ::unlink((base_.string() + ".bc").c_str());
    save();
    return false;
  }

  // A record that cannot be written is a module less; the build must go on.
  void save() const {
    if (std::FILE* file = std::fopen((base_.string() + ".json").c_str(), "w")) {
      fmt::print(file, "{}\n", writeRecord(record_));
      std::fclose(file);
    }
  }

  const Command& command_;
  const Input& input_;
  const Places& places_;
  const bool cxx_;
  Record record_;
  fs::path base_;
};

// A command that compiles and links: its objects are nobody's business, so they are thrown away.
void captureLinked(const Command& command, const Places& places, const fs::path& out, bool cxx) {
  for (const Input& input : command.inputs) {
    Unit unit(command, input, places, out, cxx);
    if (!unit.isOurs()) continue;
    const std::string object = (out / fmt::format("linked-{}.o", ::getpid())).string();
    unit.make(object);
    ::unlink(object.c_str());
  }
}

}  // namespace

std::string writeRecord(const Record& record) {
  return writeJson(Json{{"source", record.source},
                        {"object", record.object},
                        {"language", record.language},
                        {"flags", record.flags},
                        {"error", record.error}});
}

Result<Record> readRecord(std::string_view text, const std::string& name) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, name));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, name));
  ORDO_TRY(object.onlyHas({"source", "object", "language", "flags", "error"}));
  Record record;
  ORDO_TRY_ASSIGN(record.source, object.get<std::string>("source"));
  ORDO_TRY_ASSIGN(record.object, object.get<std::string>("object"));
  ORDO_TRY_ASSIGN(record.language, object.get<std::string>("language"));
  ORDO_TRY_ASSIGN(record.flags, object.get<std::vector<std::string>>("flags"));
  ORDO_TRY_ASSIGN(record.error, object.get<std::string>("error"));
  return record;
}

ObjectFacts inspectObject(std::string_view object, std::string_view needle) {
  ObjectFacts facts;
  facts.has_needle = !needle.empty() && object.find(needle) != std::string_view::npos;
  Elf64_Ehdr header;
  if (object.size() < sizeof header) return facts;
  std::memcpy(&header, object.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return facts;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    const std::size_t at = header.e_shoff + i * sizeof section;
    if (at > object.size() || object.size() - at < sizeof section) return facts;
    std::memcpy(&section, object.data() + at, sizeof section);
    if (section.sh_type != SHT_SYMTAB) continue;
    if (section.sh_offset > object.size() || object.size() - section.sh_offset < section.sh_size)
      return facts;
    for (std::size_t offset = 0; offset + sizeof(Elf64_Sym) <= section.sh_size; offset += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, object.data() + section.sh_offset + offset, sizeof symbol);
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF) {
        facts.has_function = true;
        return facts;
      }
    }
  }
  return facts;
}

int runCompiler(int argc, char** argv) {
  const bool cxx = std::string_view(argv[0]).ends_with("++");
  const Words arguments(argv + 1, argv + argc);
  const Places places{fs::current_path(), variable(kRootVariable), variable(kSysrootVariable)};
  const Words plain = compiler(cxx, plainArguments(arguments, cxx, places));
  const fs::path out = variable(kOutVariable);
  if (out.empty() || places.root.empty()) return become(plain);
  const Command command = parseCommand(arguments);
  if (command.inputs.empty()) return become(plain);
  if (command.object.empty()) {
    captureLinked(command, places, out, cxx);
    return become(plain);
  }
  Unit unit(command, command.inputs[0], places, out, cxx);
  if (unit.isOurs() && unit.make(command.object)) return 0;
  return become(plain);
}

}  // namespace ordo::capture

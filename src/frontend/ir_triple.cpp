// targetOf() follows the bitstream only so far: past a wrapper and over whole blocks to the module's, and
// there over blocks and definitions to the records of triple and layout. Definitions of abbreviations are
// skipped, not learned, so it ends at the first record that uses one. Past the end Bits gives zeros and is no
// longer ok(), which is all that loops have to check. meansSame() is not symmetric: what the module's triple
// leaves open fits any target, but not the other way round.
#include "frontend/ir_triple.h"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace ordo::frontend {
namespace {

// Of the bitstream format (https://llvm.org/docs/BitCodeFormat.html), which is the same in all versions.
constexpr std::uint32_t kWrapper = 0x0B17C0DE;
constexpr std::uint32_t kMagic = 0xDEC04342;  // "BC" C0 DE
constexpr unsigned kTopWidth = 2;
constexpr std::uint64_t kSubBlock = 1, kDefineAbbreviation = 2, kRecord = 3;
constexpr std::uint64_t kModuleBlock = 8, kTripleRecord = 2, kLayoutRecord = 3;

// Bits of a stream, lowest first. Past its end they are zeros, and ok() is false.
class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  std::size_t bitsLeft() const { return bytes_.size() * 8 - at_; }

  std::uint64_t read(unsigned width) {
    if (width > bitsLeft()) {
      ok_ = false;
      at_ = bytes_.size() * 8;
      return 0;
    }
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i, ++at_) {
      const auto byte = static_cast<unsigned char>(bytes_[at_ / 8]);
      value |= static_cast<std::uint64_t>(byte >> (at_ % 8) & 1) << i;
    }
    return value;
  }

  // A number in groups of `width` bits, of which the highest says that there are more.
  std::uint64_t readVariable(unsigned width) {
    const std::uint64_t more = std::uint64_t{1} << (width - 1);
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += width - 1) {
      const std::uint64_t group = read(width);
      value |= (group & (more - 1)) << shift;
      if ((group & more) == 0) return value;
    }
    ok_ = false;
    return 0;
  }

  void toWord() { skip((32 - at_ % 32) % 32); }
  void skip(std::size_t bits) {
    ok_ = ok_ && bits <= bitsLeft();
    at_ += std::min(bits, bitsLeft());
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

struct Block {
  std::uint64_t id;
  unsigned width;  // of the abbreviations in it
  std::size_t bits;
};

// The head of a block, after its kSubBlock.
Block readHead(Bits& stream) {
  Block block{};
  block.id = stream.readVariable(8);
  block.width = static_cast<unsigned>(std::min<std::uint64_t>(stream.readVariable(4), 32));
  stream.toWord();
  block.bits = stream.read(32) * 32;
  return block;
}

void skipDefinition(Bits& stream) {
  constexpr std::uint64_t kFixed = 1, kVariable = 2;
  for (std::uint64_t operands = stream.readVariable(5); operands > 0 && stream.ok(); --operands) {
    if (stream.read(1) != 0) {
      stream.readVariable(8);  // a literal
      continue;
    }
    const std::uint64_t encoding = stream.read(3);
    if (encoding == kFixed || encoding == kVariable) stream.readVariable(5);
  }
}

// Within a module's block, after its head. LLVM writes both before any record that is abbreviated.
ModuleTarget targetInModule(Bits& stream, unsigned width) {
  ModuleTarget target;
  while (stream.ok()) {
    const std::uint64_t what = stream.read(width);
    if (what == kSubBlock) {
      stream.skip(readHead(stream).bits);
    } else if (what == kDefineAbbreviation) {
      skipDefinition(stream);
    } else if (what == kRecord) {
      const std::uint64_t code = stream.readVariable(6);
      std::string text;
      for (std::uint64_t count = stream.readVariable(6); count > 0 && stream.ok(); --count) {
        const std::uint64_t value = stream.readVariable(6);
        if (code == kTripleRecord || code == kLayoutRecord) text += static_cast<char>(value);
      }
      if (!stream.ok()) break;
      if (code == kTripleRecord) target.triple = std::move(text);
      if (code == kLayoutRecord) target.layout = std::move(text);
    } else {
      break;  // the block's end, or a record that is abbreviated
    }
  }
  return target;
}

std::string_view withoutWrapper(std::string_view bitcode) {
  Bits head(bitcode);
  if (head.read(32) != kWrapper) return bitcode;
  head.skip(32);  // the version
  const std::uint64_t offset = head.read(32), size = head.read(32);
  return offset < bitcode.size() ? bitcode.substr(offset, size) : std::string_view();
}

// What of a triple decides about code.
struct Platform {
  std::string_view machine, system, environment;
};

Platform platformOf(std::string_view triple) {
  std::array<std::string_view, 4> parts{};
  for (std::size_t i = 0; i < parts.size() && !triple.empty(); ++i) {
    const std::size_t dash = i + 1 < parts.size() ? std::min(triple.find('-'), triple.size()) : triple.size();
    parts[i] = triple.substr(0, dash);
    triple.remove_prefix(std::min(dash + 1, triple.size()));
  }
  // Debian's, and of those who write it by hand: without a vendor.
  if (parts[1].starts_with("linux") && parts[3].empty()) return {parts[0], parts[1], parts[2]};
  return {parts[0], parts[2], parts[3]};
}

std::string_view machineOf(std::string_view name) {
  if (name == "amd64") return "x86_64";
  const bool old_pc = name.size() == 4 && name.starts_with('i') && name.ends_with("86");
  return old_pc ? "i386" : name;
}

bool isOpen(std::string_view part) { return part.empty() || part == "unknown" || part == "none"; }

// "linux" of "linux5.4"
std::string_view withoutVersion(std::string_view part) {
  while (!part.empty() && (part.back() == '.' || (part.back() >= '0' && part.back() <= '9')))
    part.remove_suffix(1);
  return part;
}

bool agree(std::string_view part, std::string_view other) {
  return isOpen(part) || withoutVersion(part) == withoutVersion(other);
}

}  // namespace

ModuleTarget targetOf(std::string_view bitcode) {
  Bits stream(withoutWrapper(bitcode));
  if (stream.read(32) != kMagic) return {};
  while (stream.ok() && stream.read(kTopWidth) == kSubBlock) {
    const Block block = readHead(stream);
    if (block.id == kModuleBlock) return targetInModule(stream, block.width);
    stream.skip(block.bits);
  }
  return {};
}

bool meansSame(std::string_view triple, std::string_view target) {
  const Platform of = platformOf(triple), to = platformOf(target);
  // "elf" is what a system that is not named has.
  const bool bare = isOpen(of.system) && of.environment == "elf";
  return machineOf(of.machine) == machineOf(to.machine) && agree(of.system, to.system) &&
         (bare || agree(of.environment, to.environment));
}

bool isX86(std::string_view triple) {
  const std::string_view machine = machineOf(platformOf(triple).machine);
  return machine == "x86_64" || machine == "i386";
}

bool runsHere(std::string_view triple) {
  utsname host{};
  if (::uname(&host) != 0) return false;
  const Platform of = platformOf(triple);
  const std::string_view here = host.machine, machine = machineOf(of.machine);
  // The same kernel, but not its linker and libraries, or pointers of another size.
  for (const std::string_view foreign : {"android", "ohos", "gnux32", "muslx32", "gnu_ilp32"})
    if (of.environment.starts_with(foreign)) return false;
  return of.system.starts_with("linux") && (machine == here || (machine == "i386" && here == "x86_64"));
}

}  // namespace ordo::frontend

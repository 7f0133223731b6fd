// textPieces() reads one object: sections as pieces, tail calls by their relocations and the opcodes before
// them, and unwind records, where the one kind (FDE) is each function's own and the other (CIE) is kept by
// its content, because an assembler writes equal ones once. TextLayout::add() puts each piece behind what its
// section has, aligned. Sizes do not show which jumps an assembler would shorten: nearJump() errs on the safe
// side and names any that might be.
#include "llvm/ir/text_layout.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/DataExtractor.h>

#include <algorithm>

namespace ordo::ir {
namespace {

using llvm::object::ELF64LEObjectFile;
using llvm::object::ELFSectionRef;
using llvm::object::RelocationRef;
using llvm::object::SectionRef;

std::uint64_t alignTo(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

std::string symbolName(const RelocationRef& relocation) {
  llvm::Expected<llvm::StringRef> name = relocation.getSymbol()->getName();
  if (name) return name->str();
  llvm::consumeError(name.takeError());
  return {};
}

// The byte before a relocated displacement tells: e9 is jmp, 0f 8x jcc.
void addJumps(llvm::StringRef name, llvm::StringRef code, const SectionRef& relocations, TextPieces& out) {
  for (const RelocationRef& relocation : relocations.relocations()) {
    const std::uint64_t at = relocation.getOffset();
    if (at < 1 || at > code.size() || relocation.getSymbol() == relocation.getObject()->symbol_end())
      continue;
    const auto byte = [&](std::uint64_t back) { return static_cast<std::uint8_t>(code[at - back]); };
    if (byte(1) == 0xe9 || (at >= 2 && byte(2) == 0x0f && (byte(1) & 0xf0) == 0x80))
      out.jumps.push_back({name.str(), at, symbolName(relocation)});
  }
}

// The records of .eh_frame: a CIE (id 0) says how to read the FDEs of functions, which share it. The
// format is that of the Linux Standard Base, "Exception Frames". The last record is padded to 8
// bytes, others to 4; what a function adds is taken as if something followed it.
Status addUnwind(const ELFSectionRef& section, llvm::StringRef bytes,
                 const std::map<std::uint64_t, std::string>& targets, TextPieces& out) {
  const llvm::DataExtractor data(bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  std::uint64_t at = 0;
  while (at + 8 <= bytes.size()) {
    const std::uint64_t start = at;
    const std::uint64_t length = data.getU32(&at);
    if (length == 0 || length >= 0xfffffff0 || start + 4 + length > bytes.size())
      return fail(ErrorCode::kCorrupt, "record of {} bytes at {} of {}", length, start,
                  section.getName()->str());
    const std::uint64_t id = data.getU32(&at);
    std::uint64_t size = length + 4;
    const std::uint64_t end = start + size;
    if (id == 0) {
      // Which personality routine it names is in the relocations.
      std::string key = bytes.substr(start, size).str();
      for (auto target = targets.lower_bound(start); target != targets.end() && target->first < end; ++target)
        key += target->second;
      out.common.emplace(std::move(key), size);
    } else {
      at += 8;  // begin and length of the function
      const std::uint64_t augmentation = data.getULEB128(&at);
      at += augmentation;
      std::uint64_t used = end;
      while (used > at && bytes[used - 1] == 0) --used;
      size = alignTo(std::max(used, at) - start, 4);
      out.unwind += size;
    }
    at = end;
  }
  return {};
}

}  // namespace

Result<TextPieces> textPieces(std::string_view object, std::uint64_t align) {
  const llvm::MemoryBufferRef buffer(llvm::StringRef(object.data(), object.size()), "object");
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(buffer);
  if (!file) return fail(ErrorCode::kCorrupt, "not an object file: {}", llvm::toString(file.takeError()));
  const auto* elf = llvm::dyn_cast<ELF64LEObjectFile>(file->get());
  if (elf == nullptr || elf->getArch() != llvm::Triple::x86_64)
    return fail(ErrorCode::kUnsupported, "not an ELF object for x86-64");

  std::map<std::uint64_t, SectionRef> relocations;  // by index of the section they are for
  for (const SectionRef& section : elf->sections()) {
    if (llvm::Expected<llvm::object::section_iterator> target = section.getRelocatedSection()) {
      if (*target != elf->section_end()) relocations.emplace((*target)->getIndex(), section);
    } else {
      llvm::consumeError(target.takeError());
    }
  }

  TextPieces out;
  for (const ELFSectionRef section : elf->sections()) {
    if (!section.isBerkeleyText()) continue;
    llvm::Expected<llvm::StringRef> name = section.getName();
    llvm::Expected<llvm::StringRef> bytes = section.getContents();
    if (!name || !bytes) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(bytes.takeError());
      return fail(ErrorCode::kCorrupt, "a section of the object cannot be read");
    }
    if (name->contains(llvm::StringRef(kAside.data(), kAside.size()))) continue;
    const auto relocated = relocations.find(section.getIndex());
    if (*name == ".eh_frame") {
      std::map<std::uint64_t, std::string> targets;
      if (relocated != relocations.end()) {
        for (const RelocationRef& relocation : relocated->second.relocations())
          targets.emplace(relocation.getOffset(), symbolName(relocation));
      }
      ORDO_TRY(addUnwind(section, *bytes, targets, out));
      continue;
    }
    // A section of code is aligned to 4 whatever its functions want.
    out.pieces.push_back({name->str(), section.getSize(),
                          section.isText() ? align : section.getAlignment().value(), section.isText()});
    if (section.isText() && relocated != relocations.end()) addJumps(*name, *bytes, relocated->second, out);
  }
  for (const llvm::object::ELFSymbolRef symbol : elf->symbols()) {
    if (symbol.getELFType() != llvm::ELF::STT_FUNC || symbol.getBinding() != llvm::ELF::STB_LOCAL) continue;
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    llvm::Expected<llvm::object::section_iterator> section = symbol.getSection();
    llvm::Expected<std::uint64_t> offset = symbol.getValue();
    ORDO_CHECK(name && section && offset, "a symbol of an object that LLVM has just written");
    out.local_functions.push_back({llvm::cantFail((*section)->getName()).str(), *offset, name->str()});
  }
  return out;
}

void TextPieces::dropFiller(std::size_t bytes) {
  if (bytes == 0) return;
  for (Piece& piece : pieces) {
    if (piece.section != ".rodata") continue;
    piece.size -= bytes;
    piece.align = 1;  // it is where it belongs
  }
}

void TextLayout::add(const TextPieces& pieces) {
  std::map<std::string, std::uint64_t> starts;
  for (const TextPieces::Piece& piece : pieces.pieces) {
    std::uint64_t& end = sections_[piece.section];
    if (piece.code) code_.insert(piece.section);
    if (piece.size == 0) continue;
    const std::uint64_t start = starts[piece.section] = alignTo(end, piece.align);
    end = start + piece.size;
  }
  const auto address = [&](const TextPieces::Place& place) {
    return Address{place.section, starts[place.section] + place.offset, additions_};
  };
  for (const TextPieces::Place& function : pieces.local_functions)
    functions_[function.symbol] = address(function);
  for (const TextPieces::Place& jump : pieces.jumps) jumps_.emplace_back(address(jump), jump.symbol);
  common_.insert(pieces.common.begin(), pieces.common.end());
  unwind_ += pieces.unwind;
  ++additions_;
}

std::uint64_t TextLayout::end(const std::string& section) const {
  const auto found = sections_.find(section);
  return found == sections_.end() ? 0 : found->second;
}

TextSizes TextLayout::sizes() const {
  std::uint64_t unwind = unwind_;
  for (const auto& [key, size] : common_) unwind += size;
  TextSizes sizes{.text = alignTo(unwind, 8), .code = 0};
  for (const auto& [name, end] : sections_) {
    sizes.text += end;
    if (code_.contains(name)) sizes.code += end;
  }
  return sizes;
}

std::optional<std::pair<std::size_t, std::size_t>> TextLayout::nearJump() const {
  // A short jump reaches 127 bytes and is 3 (4, if conditional) shorter than a long one, which may
  // bring others near.
  const std::uint64_t near = 127 + 5 + 4 * jumps_.size();
  for (const auto& [from, symbol] : jumps_) {
    const auto to = functions_.find(symbol);
    if (to == functions_.end() || to->second.section != from.section) continue;
    const auto [first, last] = std::minmax(from.offset, to->second.offset);
    if (last - first < near) return std::minmax({from.addition, to->second.addition});
  }
  return std::nullopt;
}

}  // namespace ordo::ir

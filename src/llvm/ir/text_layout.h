// The text_bytes of an object from those of its functions: what each adds to each section, and how
// an assembler lays that out. For ELF on x86-64.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/error.h"

namespace ordo::ir {

// Part of the name of sections that do not count: see isolateFunctions().
inline constexpr std::string_view kAside = "ordo_aside.";

// What some functions, one after the other, or the globals of a module add to the sections that
// llvm-size counts as text.
struct TextPieces {
  struct Piece {
    std::string section;
    std::uint64_t size = 0;
    std::uint64_t align = 1;
    bool code = false;  // it is executed
  };
  struct Place {
    std::string section;
    std::uint64_t offset = 0;  // in its piece
    std::string symbol;
  };
  std::vector<Piece> pieces;                    // all sections but .eh_frame
  std::vector<Place> local_functions;           // where they begin
  std::vector<Place> jumps;                     // to functions elsewhere: tail calls
  std::uint64_t unwind = 0;                     // bytes of unwind information of their own
  std::map<std::string, std::uint64_t> common;  // bytes of that which functions share, by content

  // Takes the `bytes` away that isolateGlobals() put in front.
  void dropFiller(std::size_t bytes);
};

// Of an object that holds nothing else; all its functions are aligned to `align`.
// kUnsupported if the object is not ELF for x86-64, kCorrupt if it is none.
Result<TextPieces> textPieces(std::string_view object, std::uint64_t align = 1);

// Of what llvm-size counts as text: all of it, and what is executed.
struct TextSizes {
  std::uint64_t text = 0, code = 0;

  bool operator==(const TextSizes&) const = default;
};

// Lays pieces out in the order of their addition, as an assembler does.
class TextLayout {
 public:
  void add(const TextPieces& pieces);

  // What the next piece in `section` would be behind, not counting padding.
  std::uint64_t end(const std::string& section) const;

  TextSizes sizes() const;

  // Two additions, the earlier first, with a jump from one to the other that an assembler who sees
  // both may have shortened: sizes() may be too much. Nothing if there are none.
  std::optional<std::pair<std::size_t, std::size_t>> nearJump() const;

 private:
  struct Address {
    std::string section;
    std::uint64_t offset = 0;
    std::size_t addition = 0;
  };
  std::size_t additions_ = 0;
  std::map<std::string, std::uint64_t> sections_;  // to their ends
  std::set<std::string> code_;                     // those of them that are executed
  std::map<std::string, std::uint64_t> common_;
  std::map<std::string, Address> functions_;
  std::vector<std::pair<Address, std::string>> jumps_;  // from, to
  std::uint64_t unwind_ = 0;
};

}  // namespace ordo::ir

// splitIr() goes by the shape of lines alone ("define " to "}") and needs no parser. diffIr() pairs functions
// by name and compares keys, which are lines without their numbers (withoutNumbers()); shown are the lines as
// they are, and of two that count as the same the new one. A function that only one side has is compared with
// nothing, and what is outside of functions comes last.
#include "shell/ir_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <span>

#include "shell/line_diff.h"
#include "support/symbol.h"

namespace ordo::shell {
namespace {

constexpr std::size_t kContext = 3;

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "main" of `define dso_local i32 @main(ptr %0) {`, "a b" of `@"a b"(`. A name of a type, or an attribute,
// that stands before it has its '@' in quotes.
std::string nameOf(std::string_view define) {
  bool quoted = false;
  for (std::size_t at = 0; at < define.size(); ++at) {
    if (define[at] == '"') quoted = !quoted;
    if (define[at] == '@' && !quoted) return symbolOfIr(define.substr(at + 1));
  }
  return "?";
}

// The line without the numbers of unnamed things: "%_ = add i32 %_, 4, !dbg !_". A label loses its number
// too, and the comment about its predecessors its place.
std::string withoutNumbers(std::string_view line) {
  std::string text;
  if (!line.empty() && isDigit(line[0])) {
    const std::size_t end = line.find_first_not_of("0123456789");
    if (end != std::string_view::npos && line[end] == ':') {
      text = "_";
      line.remove_prefix(end);
    }
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ' ' && i > 0 && line[i - 1] == ' ') continue;
    text += line[i];
    if ((line[i] == '%' || line[i] == '#' || line[i] == '!') && i + 1 < line.size() && isDigit(line[i + 1])) {
      text += '_';
      while (i + 1 < line.size() && isDigit(line[i + 1])) ++i;
    }
  }
  return text;
}

// The places [first, last) of `lines` to show around its changes.
std::vector<std::pair<std::size_t, std::size_t>> hunksOf(const std::vector<EditLine>& lines) {
  std::vector<std::pair<std::size_t, std::size_t>> hunks;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].edit == Edit::kKeep) continue;
    const std::size_t first = i > kContext ? i - kContext : 0;
    const std::size_t last = std::min(i + kContext + 1, lines.size());
    if (!hunks.empty() && first <= hunks.back().second)
      hunks.back().second = last;
    else
      hunks.emplace_back(first, last);
  }
  return hunks;
}

class Differ {
 public:
  Differ(const IrDiffOptions& options, const Style& style) : options_(options), style_(style) {}

  void compare(const IrPart& before, const IrPart& after) {
    const std::vector<EditLine> lines = diffLines(keys(before), keys(after));
    IrDiff::Part part;
    part.name = before.lines.empty() ? after.name : before.name;
    for (const EditLine& line : lines) {
      part.added += line.edit == Edit::kInsert ? 1 : 0;
      part.removed += line.edit == Edit::kDelete ? 1 : 0;
    }
    if (part.added + part.removed == 0) return;
    for (const auto& [first, last] : hunksOf(lines)) {
      std::size_t old_lines = 0, new_lines = 0;
      for (std::size_t i = first; i < last; ++i) {
        old_lines += lines[i].edit != Edit::kInsert ? 1 : 0;
        new_lines += lines[i].edit != Edit::kDelete ? 1 : 0;
      }
      write(part, paint(style_, Color::kCyan,
                        fmt::format("@@ -{},{} +{},{} @@", lines[first].before + 1, old_lines,
                                    lines[first].after + 1, new_lines)));
      for (std::size_t i = first; i < last; ++i) writeLine(part, lines[i], before, after);
    }
    diff_.parts.push_back(std::move(part));
  }

  IrDiff take() { return std::move(diff_); }

 private:
  std::vector<std::string> keys(const IrPart& part) const {
    std::vector<std::string> keys;
    for (const std::string_view line : part.lines) {
      keys.push_back(options_.exact ? std::string(line) : withoutNumbers(line));
    }
    return keys;
  }

  void writeLine(IrDiff::Part& part, const EditLine& line, const IrPart& before, const IrPart& after) {
    if (line.edit == Edit::kKeep)
      write(part, fmt::format(" {}", after.lines[line.after]));
    else if (line.edit == Edit::kDelete)
      write(part, paint(style_, Color::kRed, fmt::format("-{}", before.lines[line.before])));
    else
      write(part, paint(style_, Color::kGreen, fmt::format("+{}", after.lines[line.after])));
  }

  void write(IrDiff::Part& part, const std::string& line) {
    if (options_.max_lines != 0 && written_ == options_.max_lines) {
      ++diff_.lines_left_out;
      return;
    }
    ++written_;
    part.text += line;
    part.text += '\n';
  }

  const IrDiffOptions& options_;
  const Style& style_;
  IrDiff diff_;
  std::size_t written_ = 0;
};

// What is outside of functions without metadata, which comes and goes with the instructions that refer to it.
IrPart visible(const IrPart& outside, const IrDiffOptions& options) {
  IrPart part = outside;
  if (!options.exact) std::erase_if(part.lines, [](std::string_view line) { return line.starts_with('!'); });
  return part;
}

}  // namespace

std::vector<IrPart> splitIr(std::string_view text) {
  std::vector<IrPart> parts{{"", {}}};
  std::vector<std::string_view> comments;  // which belong to what comes next
  bool inside = false;
  for (const std::string_view line : linesOf(text)) {
    if (inside) {
      parts.back().lines.push_back(line);
      inside = line != "}";
    } else if (line.starts_with("define ")) {
      parts.push_back({nameOf(line), std::move(comments)});
      parts.back().lines.push_back(line);
      comments.clear();
      inside = true;
    } else if (line.starts_with(';')) {
      comments.push_back(line);
    } else if (!line.empty()) {
      std::vector<std::string_view>& outside = parts.front().lines;
      outside.insert(outside.end(), comments.begin(), comments.end());
      comments.clear();
      outside.push_back(line);
    }
  }
  parts.front().lines.insert(parts.front().lines.end(), comments.begin(), comments.end());
  return parts;
}

IrDiff diffIr(std::string_view before, std::string_view after, const IrDiffOptions& options,
              const Style& style) {
  Differ differ(options, style);
  const std::vector<IrPart> old_parts = splitIr(before);
  const std::vector<IrPart> new_parts = splitIr(after);
  std::map<std::string_view, const IrPart*> matching;
  for (const IrPart& part : new_parts) matching[part.name] = &part;
  const IrPart outside = visible(old_parts.front(), options);
  const IrPart new_outside = visible(new_parts.front(), options);
  matching.erase("");
  for (const IrPart& part : std::span(old_parts).subspan(1)) {
    const auto found = matching.find(part.name);
    differ.compare(part, found == matching.end() ? IrPart{part.name, {}} : *found->second);
    if (found != matching.end()) matching.erase(found);
  }
  for (const IrPart& part : new_parts) {
    if (matching.contains(part.name)) differ.compare({part.name, {}}, part);
  }
  differ.compare(outside, new_outside);  // last, for most of it follows from the functions
  return differ.take();
}

}  // namespace ordo::shell

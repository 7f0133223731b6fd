// LLVM's remarks are documents of YAML in a form that is always the same: a key and its value on each line,
// and below `Args:` a list of such lines whose values are put together to the message. Values are plain or
// quoted; long ones go on in lines that are indented further.
#include "agent/remarks.h"

#include <algorithm>

#include "engine/stock.h"
#include "frontend/opt.h"
#include "support/files.h"

namespace ordo::agent {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \r") - begin + 1);
}

// A scalar without its quotes.
std::string valueOf(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != text.back() || (text.front() != '\'' && text.front() != '"'))
    return std::string(text);
  const bool escapes = text.front() == '"';
  std::string value;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (!escapes && text[i] == '\'' && text[i + 1] == '\'') ++i;
    if (escapes && text[i] == '\\' && i + 2 < text.size()) {
      ++i;
      value += text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i];
      continue;
    }
    value += text[i];
  }
  return value;
}

// Whether a quoted scalar goes on in the next line.
bool isOpen(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || (text.front() != '\'' && text.front() != '"')) return false;
  return text.size() == 1 || text.back() != text.front();
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // The next line, and what a quoted value goes on with.
  bool next(std::string& line) {
    std::string_view piece;
    if (!take(piece)) return false;
    line = piece;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) return true;
    while (isOpen(std::string_view(line).substr(colon + 2)) && take(piece))
      line += fmt::format(" {}", trimmed(piece));
    return true;
  }

 private:
  bool take(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Remark> parseRemarks(std::string_view yaml) {
  std::vector<Remark> remarks;
  Reader reader(yaml);
  bool inside = false, in_args = false;
  std::string line;
  while (reader.next(line)) {
    if (line.starts_with("--- !")) {
      std::string kind(trimmed(std::string_view(line).substr(5)));
      std::ranges::transform(kind, kind.begin(),
                             [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      remarks.push_back({std::move(kind), "", "", ""});
      inside = true;
      in_args = false;
      continue;
    }
    if (line.starts_with("...")) inside = false;
    if (!inside) continue;
    Remark& remark = remarks.back();
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string_view key = trimmed(std::string_view(line).substr(0, colon));
    const std::string_view value = std::string_view(line).substr(colon + 1);
    if (line.front() != ' ') in_args = key == "Args";
    if (in_args && key.starts_with("- ")) {
      remark.message += valueOf(value);
    } else if (key == "Pass") {
      remark.pass = valueOf(value);
    } else if (key == "Function") {
      remark.function = valueOf(value);
    }
  }
  return remarks;
}

Result<std::vector<Remark>> remarksOf(const engine::Input& input, std::string bitcode,
                                      const std::vector<env::Action>& actions) {
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  const std::filesystem::path file = dir.path() / "remarks.yaml";
  std::vector<Remark> remarks;
  for (frontend::Pipeline run : engine::stockRuns(actions)) {
    run.opt_flags.push_back("-pass-remarks-output=" + file.string());
    ORDO_TRY_ASSIGN(bitcode, frontend::runOpt(bitcode, run, input.codegen));
    // A run without remarks writes an empty file.
    ORDO_TRY_ASSIGN(const std::string yaml, readFile(file));
    std::ranges::move(parseRemarks(yaml), std::back_inserter(remarks));
  }
  return remarks;
}

}  // namespace ordo::agent

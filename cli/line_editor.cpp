#include "cli/line_editor.h"

#include <fmt/format.h>
#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>

#include "support/files.h"

namespace ordo::cli {
namespace {

constexpr int kRemembered = 1000;

// In columns as wide as the terminal has room for, below the line being edited.
void printColumns(const std::vector<std::string>& words, std::size_t width) {
  constexpr std::size_t kMost = 60;
  std::size_t widest = 0;
  const std::size_t shown = std::min(words.size(), kMost);
  for (std::size_t i = 0; i < shown; ++i) widest = std::max(widest, words[i].size() + 2);
  const std::size_t columns = std::max<std::size_t>(width / widest, 1);
  const std::size_t rows = (shown + columns - 1) / columns;
  fmt::print("\n");
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t at = row; at < shown; at += rows) fmt::print("{:{}}", words[at], widest);
    fmt::print("\n");
  }
  if (shown < words.size()) fmt::print("and {} more\n", words.size() - shown);
  std::fflush(stdout);
}

}  // namespace

struct LineEditor::Terminal {
  EditLine* edit = nullptr;
  History* history = nullptr;
  HistEvent event{};
  std::filesystem::path file;
  std::string prompt;
  Suggest suggest;

  static Terminal& of(EditLine* edit) {
    Terminal* self = nullptr;
    el_get(edit, EL_CLIENTDATA, &self);
    return *self;
  }

  static char* promptOf(EditLine* edit) { return of(edit).prompt.data(); }

  // For the tab key.
  static unsigned char complete(EditLine* edit, int) {
    const LineInfo* info = el_line(edit);
    const std::string_view line(info->buffer, static_cast<std::size_t>(info->cursor - info->buffer));
    const Suggestions found = of(edit).suggest(line);
    const std::size_t typed = line.size() - found.begin;
    if (found.words.empty()) return CC_ERROR;
    std::string rest = commonBeginning(found.words).substr(typed);
    if (found.words.size() == 1) rest += ' ';
    if (rest.empty()) {
      int width = 80;
      int height = 0;
      el_get(edit, EL_GETTC, "co", &width, nullptr);
      el_get(edit, EL_GETTC, "li", &height, nullptr);
      printColumns(found.words, static_cast<std::size_t>(std::max(width, 20)));
      return CC_REDISPLAY;
    }
    return el_insertstr(edit, rest.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  }
};

LineEditor::LineEditor(const std::filesystem::path& history, Suggest suggest) {
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) return;
  terminal_ = new Terminal;
  terminal_->file = history;
  terminal_->suggest = std::move(suggest);
  EditLine* edit = terminal_->edit = el_init_fd("ordo", stdin, stdout, stderr, 0, 1, 2);
  el_set(edit, EL_CLIENTDATA, terminal_);
  el_set(edit, EL_PROMPT, &Terminal::promptOf);
  el_set(edit, EL_EDITOR, "emacs");
  terminal_->history = history_init();
  ::history(terminal_->history, &terminal_->event, H_SETSIZE, kRemembered);
  ::history(terminal_->history, &terminal_->event, H_SETUNIQUE, 1);
  ::history(terminal_->history, &terminal_->event, H_LOAD, history.c_str());
  el_set(edit, EL_HIST, &::history, terminal_->history);
  el_set(edit, EL_ADDFN, "ordo-complete", "complete the word", &Terminal::complete);
  el_set(edit, EL_BIND, "^I", "ordo-complete", nullptr);
  el_set(edit, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(edit, nullptr);  // ~/.editrc, for those who have one
}

LineEditor::~LineEditor() {
  if (terminal_ == nullptr) return;
  makePrivateFolders(terminal_->file.parent_path());
  ::history(terminal_->history, &terminal_->event, H_SAVE, terminal_->file.c_str());
  history_end(terminal_->history);
  el_end(terminal_->edit);
  delete terminal_;
}

LineEditor::Input LineEditor::read(const std::string& prompt, std::string& line) {
  if (terminal_ == nullptr) return std::getline(std::cin, line) ? Input::kLine : Input::kEnd;
  terminal_->prompt = prompt;
  int count = 0;
  errno = 0;
  const char* text = el_gets(terminal_->edit, &count);
  if (text == nullptr || count <= 0) {
    const bool interrupted = errno == EINTR;
    if (interrupted) el_reset(terminal_->edit);
    fmt::print("\n");
    return interrupted ? Input::kBreak : Input::kEnd;
  }
  line.assign(text, static_cast<std::size_t>(count));
  while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
  if (line.find_first_not_of(" \t") != std::string::npos)
    ::history(terminal_->history, &terminal_->event, H_ENTER, line.c_str());
  return Input::kLine;
}

std::string commonBeginning(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  std::string common = words[0];
  for (const std::string& word : words) {
    const auto end = std::mismatch(common.begin(), common.end(), word.begin(), word.end()).first;
    common.erase(end, common.end());
  }
  return common;
}

}  // namespace ordo::cli

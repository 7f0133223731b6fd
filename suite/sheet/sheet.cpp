// sheet - a spreadsheet without a screen.
//
// Input lines set cells ("B2 = SUM(A1:A9) * 2", "A1 = 17.5", "C1 = \"total\"", "D1 =" to clear) or are
// commands: "show A1:D5" prints a table, "explain B2" prints a formula and what it depends on, "trace" counts
// how many cells each recalculation touched. Formulas have numbers, text, comparisons, + - * / ^ &, ranges
// and a dozen functions. Only cells that depend on a change are computed again, in dependency order. Errors
// such as #DIV, #REF, #TYPE and #CYCLE are values that spread; a line that cannot be parsed prints its column
// and makes the exit status 1.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace {

// ---- values -----------------------------------------------------------------------------------------------

struct CellError {
  std::string code;
  bool operator==(const CellError&) const = default;
};

using Value = std::variant<std::monostate, double, std::string, CellError>;

// Thrown during evaluation; becomes the value of the cell.
class EvaluationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ParseError : public std::runtime_error {
 public:
  ParseError(const std::string& what, size_t column) : std::runtime_error(what), column_(column) {}
  size_t column() const { return column_; }

 private:
  size_t column_;
};

std::string format_number(double x) {
  char text[64];
  double rounded = std::round(x * 1e4) / 1e4;
  if (std::fabs(rounded) >= 1e12) {
    std::snprintf(text, sizeof text, "%.4e", x);
    return text;
  }
  std::snprintf(text, sizeof text, "%.4f", rounded + 0.0);
  std::string s = text;
  s.erase(s.find_last_not_of('0') + 1);
  if (s.back() == '.') s.pop_back();
  return s;
}

std::string to_text(const Value& v) {
  struct Printer {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(double x) const { return format_number(x); }
    std::string operator()(const std::string& s) const { return s; }
    std::string operator()(const CellError& e) const { return "#" + e.code; }
  };
  return std::visit(Printer{}, v);
}

double to_number(const Value& v) {
  if (std::holds_alternative<std::monostate>(v)) return 0.0;
  if (const double* x = std::get_if<double>(&v)) return *x;
  if (const CellError* e = std::get_if<CellError>(&v)) throw EvaluationError(e->code);
  throw EvaluationError("TYPE");
}

// ---- addresses --------------------------------------------------------------------------------------------

struct Address {
  int column = 0;
  int row = 0;
  auto operator<=>(const Address&) const = default;

  std::string str() const {
    std::string letters;
    for (int c = column + 1; c > 0; c = (c - 1) / 26)
      letters.insert(letters.begin(), static_cast<char>('A' + (c - 1) % 26));
    return letters + std::to_string(row + 1);
  }
};

// Parses an address at the start of the text and removes it from there.
std::optional<Address> take_address(std::string_view& text) {
  size_t i = 0;
  int column = 0, row = 0;
  while (i < text.size() && i < 2 && std::isupper(static_cast<unsigned char>(text[i]))) {
    column = column * 26 + (text[i++] - 'A' + 1);
  }
  size_t digits = i;
  while (i < text.size() && i - digits < 3 && std::isdigit(static_cast<unsigned char>(text[i]))) {
    row = row * 10 + (text[i++] - '0');
  }
  if (digits == 0 || i == digits || row == 0) return std::nullopt;
  text.remove_prefix(i);
  return Address{column - 1, row - 1};
}

struct Range {
  Address low, high;

  static Range between(Address a, Address b) {
    return {{std::min(a.column, b.column), std::min(a.row, b.row)},
            {std::max(a.column, b.column), std::max(a.row, b.row)}};
  }

  template <typename Visit>
  void each(Visit visit) const {
    for (int row = low.row; row <= high.row; row++) {
      for (int column = low.column; column <= high.column; column++) visit(Address{column, row});
    }
  }
};

// ---- expressions ------------------------------------------------------------------------------------------

using Lookup = std::function<Value(Address)>;

class Expression {
 public:
  virtual ~Expression() = default;
  virtual Value evaluate(const Lookup& lookup) const = 0;
  virtual void collect(std::set<Address>& uses) const = 0;
  virtual std::string str() const = 0;
  // Only ranges hand over more than one value.
  virtual void expand(const Lookup& lookup, std::vector<Value>& out) const {
    out.push_back(evaluate(lookup));
  }
};

using ExpressionPtr = std::unique_ptr<Expression>;

class Constant : public Expression {
 public:
  explicit Constant(Value value) : value_(std::move(value)) {}
  Value evaluate(const Lookup&) const override { return value_; }
  void collect(std::set<Address>&) const override {}
  std::string str() const override {
    return std::holds_alternative<std::string>(value_) ? "\"" + to_text(value_) + "\"" : to_text(value_);
  }

 private:
  Value value_;
};

class Reference : public Expression {
 public:
  explicit Reference(Address at) : at_(at) {}
  Value evaluate(const Lookup& lookup) const override { return lookup(at_); }
  void collect(std::set<Address>& uses) const override { uses.insert(at_); }
  std::string str() const override { return at_.str(); }

 private:
  Address at_;
};

class RangeReference : public Expression {
 public:
  explicit RangeReference(Range range) : range_(range) {}
  Value evaluate(const Lookup&) const override { throw EvaluationError("TYPE"); }
  void collect(std::set<Address>& uses) const override {
    range_.each([&](Address at) { uses.insert(at); });
  }
  std::string str() const override { return range_.low.str() + ":" + range_.high.str(); }
  void expand(const Lookup& lookup, std::vector<Value>& out) const override {
    range_.each([&](Address at) { out.push_back(lookup(at)); });
  }

 private:
  Range range_;
};

class Unary : public Expression {
 public:
  explicit Unary(ExpressionPtr operand) : operand_(std::move(operand)) {}
  Value evaluate(const Lookup& lookup) const override { return -to_number(operand_->evaluate(lookup)); }
  void collect(std::set<Address>& uses) const override { operand_->collect(uses); }
  std::string str() const override { return "-" + operand_->str(); }

 private:
  ExpressionPtr operand_;
};

class Binary : public Expression {
 public:
  Binary(std::string op, ExpressionPtr left, ExpressionPtr right)
      : op_(std::move(op)), left_(std::move(left)), right_(std::move(right)) {}

  Value evaluate(const Lookup& lookup) const override {
    Value a = left_->evaluate(lookup);
    Value b = right_->evaluate(lookup);
    for (const Value* v : {&a, &b}) {
      if (const CellError* e = std::get_if<CellError>(v)) throw EvaluationError(e->code);
    }
    if (op_ == "&") return to_text(a) + to_text(b);
    if (op_ == "=" || op_ == "<>" || op_ == "<" || op_ == "<=" || op_ == ">" || op_ == ">=")
      return compare(a, b);
    return arithmetic(to_number(a), to_number(b));
  }

  void collect(std::set<Address>& uses) const override {
    left_->collect(uses);
    right_->collect(uses);
  }

  std::string str() const override { return "(" + left_->str() + " " + op_ + " " + right_->str() + ")"; }

 private:
  Value compare(const Value& a, const Value& b) const {
    int order;
    if (std::holds_alternative<std::string>(a) || std::holds_alternative<std::string>(b)) {
      order = to_text(a).compare(to_text(b));
    } else {
      double x = to_number(a), y = to_number(b);
      order = (x > y) - (x < y);
    }
    bool result = op_ == "="    ? order == 0
                  : op_ == "<>" ? order != 0
                  : op_ == "<"  ? order < 0
                  : op_ == "<=" ? order <= 0
                  : op_ == ">"  ? order > 0
                                : order >= 0;
    return result ? 1.0 : 0.0;
  }

  double arithmetic(double a, double b) const {
    switch (op_[0]) {
      case '+':
        return a + b;
      case '-':
        return a - b;
      case '*':
        return a * b;
      case '/':
        if (b == 0.0) throw EvaluationError("DIV");
        return a / b;
      default: {
        double r = std::pow(a, b);
        if (!std::isfinite(r)) throw EvaluationError("NUM");
        return r;
      }
    }
  }

  std::string op_;
  ExpressionPtr left_, right_;
};

// ---- functions --------------------------------------------------------------------------------------------

using Arguments = std::vector<Value>;

std::vector<double> numbers_of(const Arguments& arguments) {
  std::vector<double> out;
  for (const Value& v : arguments) {
    if (std::holds_alternative<double>(v)) out.push_back(std::get<double>(v));
    if (const CellError* e = std::get_if<CellError>(&v)) throw EvaluationError(e->code);
  }
  return out;
}

double sum_of(const std::vector<double>& numbers) {
  double total = 0.0;
  for (double x : numbers) total += x;
  return total;
}

double median_of(std::vector<double> numbers) {
  if (numbers.empty()) throw EvaluationError("NUM");
  std::sort(numbers.begin(), numbers.end());
  size_t middle = numbers.size() / 2;
  return numbers.size() % 2 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

double deviation_of(const std::vector<double>& numbers) {
  if (numbers.size() < 2) throw EvaluationError("DIV");
  double mean = sum_of(numbers) / static_cast<double>(numbers.size());
  double squares = 0.0;
  for (double x : numbers) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / static_cast<double>(numbers.size() - 1));
}

const Value& argument(const Arguments& arguments, size_t i) {
  if (i >= arguments.size()) throw EvaluationError("ARGS");
  return arguments[i];
}

const std::map<std::string, std::function<Value(const Arguments&)>, std::less<>>& function_table() {
  static const std::map<std::string, std::function<Value(const Arguments&)>, std::less<>> table = {
      {"SUM", [](const Arguments& a) -> Value { return sum_of(numbers_of(a)); }},
      {"COUNT", [](const Arguments& a) -> Value { return static_cast<double>(numbers_of(a).size()); }},
      {"AVERAGE",
       [](const Arguments& a) -> Value {
         std::vector<double> n = numbers_of(a);
         if (n.empty()) throw EvaluationError("DIV");
         return sum_of(n) / static_cast<double>(n.size());
       }},
      {"MIN",
       [](const Arguments& a) -> Value {
         std::vector<double> n = numbers_of(a);
         return n.empty() ? 0.0 : *std::min_element(n.begin(), n.end());
       }},
      {"MAX",
       [](const Arguments& a) -> Value {
         std::vector<double> n = numbers_of(a);
         return n.empty() ? 0.0 : *std::max_element(n.begin(), n.end());
       }},
      {"MEDIAN", [](const Arguments& a) -> Value { return median_of(numbers_of(a)); }},
      {"STDEV", [](const Arguments& a) -> Value { return deviation_of(numbers_of(a)); }},
      {"ABS", [](const Arguments& a) -> Value { return std::fabs(to_number(argument(a, 0))); }},
      {"ROUND",
       [](const Arguments& a) -> Value {
         double scale = a.size() > 1 ? std::pow(10.0, to_number(a[1])) : 1.0;
         return std::round(to_number(argument(a, 0)) * scale) / scale;
       }},
      {"SQRT",
       [](const Arguments& a) -> Value {
         double x = to_number(argument(a, 0));
         if (x < 0.0) throw EvaluationError("NUM");
         return std::sqrt(x);
       }},
      {"LEN",
       [](const Arguments& a) -> Value { return static_cast<double>(to_text(argument(a, 0)).size()); }},
      {"UPPER",
       [](const Arguments& a) -> Value {
         std::string s = to_text(argument(a, 0));
         for (char& c : s) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
         return s;
       }},
      {"JOIN",
       [](const Arguments& a) -> Value {
         std::string joined;
         for (size_t i = 1; i < a.size(); i++) joined += (i > 1 ? to_text(a[0]) : "") + to_text(a[i]);
         return joined;
       }},
      {"DISTINCT",
       [](const Arguments& a) -> Value {
         std::set<std::string> seen;
         for (const Value& v : a) {
           if (!std::holds_alternative<std::monostate>(v)) seen.insert(to_text(v));
         }
         return static_cast<double>(seen.size());
       }},
  };
  return table;
}

// IF and IFERROR choose what to evaluate, so they are handled here and not in the table.
class Call : public Expression {
 public:
  Call(std::string name, std::vector<ExpressionPtr> arguments)
      : name_(std::move(name)), arguments_(std::move(arguments)) {}

  Value evaluate(const Lookup& lookup) const override {
    if (name_ == "IF") {
      if (arguments_.size() != 3) throw EvaluationError("ARGS");
      return arguments_[to_number(arguments_[0]->evaluate(lookup)) != 0.0 ? 1 : 2]->evaluate(lookup);
    }
    if (name_ == "IFERROR") {
      if (arguments_.size() != 2) throw EvaluationError("ARGS");
      try {
        Value v = arguments_[0]->evaluate(lookup);
        if (!std::holds_alternative<CellError>(v)) return v;
      } catch (const EvaluationError&) {
      }
      return arguments_[1]->evaluate(lookup);
    }
    auto found = function_table().find(name_);
    if (found == function_table().end()) throw EvaluationError("NAME");
    Arguments values;
    for (const auto& a : arguments_) a->expand(lookup, values);
    return found->second(values);
  }

  void collect(std::set<Address>& uses) const override {
    for (const auto& a : arguments_) a->collect(uses);
  }

  std::string str() const override {
    std::string s = name_ + "(";
    for (size_t i = 0; i < arguments_.size(); i++) s += (i ? ", " : "") + arguments_[i]->str();
    return s + ")";
  }

 private:
  std::string name_;
  std::vector<ExpressionPtr> arguments_;
};

// ---- parser -----------------------------------------------------------------------------------------------

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), rest_(text) {}

  ExpressionPtr parse() {
    ExpressionPtr e = binary(0);
    skip_spaces();
    if (!rest_.empty()) fail("unexpected text");
    return e;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw ParseError(what, text_.size() - rest_.size() + 1);
  }

  void skip_spaces() {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
  }

  bool accept(std::string_view symbol) {
    skip_spaces();
    if (!rest_.starts_with(symbol)) return false;
    rest_.remove_prefix(symbol.size());
    return true;
  }

  std::optional<std::string> accept_operator(int level) {
    static const std::vector<std::vector<std::string>> kLevels = {
        {"<>", "<=", ">=", "<", ">", "="}, {"&"}, {"+", "-"}, {"*", "/"}};
    for (const std::string& op : kLevels[static_cast<size_t>(level)]) {
      if (accept(op)) return op;
    }
    return std::nullopt;
  }

  ExpressionPtr binary(int level) {
    if (level == 4) return power();
    ExpressionPtr left = binary(level + 1);
    while (auto op = accept_operator(level)) {
      ExpressionPtr right = binary(level + 1);
      left = std::make_unique<Binary>(*op, std::move(left), std::move(right));
    }
    return left;
  }

  // Binds to the right, and tighter than a minus in front of it.
  ExpressionPtr power() {
    if (accept("-")) return std::make_unique<Unary>(power());
    ExpressionPtr base = primary();
    if (!accept("^")) return base;
    ExpressionPtr exponent = power();
    return std::make_unique<Binary>("^", std::move(base), std::move(exponent));
  }

  ExpressionPtr primary() {
    skip_spaces();
    if (rest_.empty()) fail("formula ends early");
    if (accept("(")) {
      ExpressionPtr e = binary(0);
      if (!accept(")")) fail("expected ')'");
      return e;
    }
    if (rest_[0] == '"') return text_constant();
    if (std::isdigit(static_cast<unsigned char>(rest_[0])) || rest_[0] == '.') return number();
    std::string_view before = rest_;
    if (auto at = take_address(rest_)) return reference(*at);
    rest_ = before;
    return call();
  }

  ExpressionPtr text_constant() {
    size_t end = rest_.find('"', 1);
    if (end == std::string_view::npos) fail("text without an end");
    std::string s(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return std::make_unique<Constant>(s);
  }

  ExpressionPtr number() {
    std::string digits;
    while (!rest_.empty() && (std::isdigit(static_cast<unsigned char>(rest_[0])) || rest_[0] == '.')) {
      digits += rest_[0];
      rest_.remove_prefix(1);
    }
    size_t used = 0;
    double x = 0.0;
    try {
      x = std::stod(digits, &used);
    } catch (const std::logic_error&) {
      fail("malformed number");
    }
    if (used != digits.size()) fail("malformed number");
    return std::make_unique<Constant>(x);
  }

  ExpressionPtr reference(Address first) {
    if (!accept(":")) return std::make_unique<Reference>(first);
    skip_spaces();
    auto second = take_address(rest_);
    if (!second) fail("expected the end of a range");
    return std::make_unique<RangeReference>(Range::between(first, *second));
  }

  ExpressionPtr call() {
    std::string name;
    while (!rest_.empty() && std::isupper(static_cast<unsigned char>(rest_[0]))) {
      name += rest_[0];
      rest_.remove_prefix(1);
    }
    if (name.empty()) fail("expected a value");
    if (!accept("(")) fail("expected '(' after " + name);
    std::vector<ExpressionPtr> arguments;
    if (!accept(")")) {
      do arguments.push_back(binary(0));
      while (accept(","));
      if (!accept(")")) fail("expected ',' or ')'");
    }
    return std::make_unique<Call>(std::move(name), std::move(arguments));
  }

  std::string_view text_;
  std::string_view rest_;
};

// ---- sheet ------------------------------------------------------------------------------------------------

class Sheet {
 public:
  void set(Address at, ExpressionPtr formula) {
    Cell& cell = cells_[at];
    for (Address used : cell.uses) users_[used].erase(at);
    cell.uses.clear();
    cell.formula = std::move(formula);
    if (cell.formula) cell.formula->collect(cell.uses);
    for (Address used : cell.uses) users_[used].insert(at);
    recalculate(at);
  }

  Value value(Address at) const {
    auto found = cells_.find(at);
    return found == cells_.end() ? Value{} : found->second.value;
  }

  void explain(Address at) const {
    auto found = cells_.find(at);
    if (found == cells_.end() || !found->second.formula) {
      std::cout << at.str() << " is empty\n";
      return;
    }
    const Cell& cell = found->second;
    std::cout << at.str() << " = " << cell.formula->str() << " = " << to_text(cell.value) << "\n";
    print_list("  uses", cell.uses);
    auto users = users_.find(at);
    if (users != users_.end()) print_list("  used by", users->second);
  }

  void show(const Range& range) const {
    std::map<int, size_t> widths;
    range.each([&](Address at) {
      size_t& width = widths[at.column];
      width = std::max({width, to_text(value(at)).size(), size_t{3}});
    });
    for (int row = range.low.row; row <= range.high.row; row++) {
      std::string line = std::to_string(row + 1);
      line.resize(4, ' ');
      for (const auto& [column, width] : widths) {
        Value v = value({column, row});
        std::string text = to_text(v);
        std::string padding(width - text.size(), ' ');
        line += "| " + (std::holds_alternative<double>(v) ? padding + text : text + padding) + " ";
      }
      line.erase(line.find_last_not_of(' ') + 1);
      std::cout << line << "\n";
    }
  }

  int last_recalculated() const { return last_recalculated_; }

 private:
  struct Cell {
    ExpressionPtr formula;
    std::set<Address> uses;
    Value value;
  };

  static void print_list(const char* title, const std::set<Address>& list) {
    if (list.empty()) return;
    std::cout << title;
    for (Address at : list) std::cout << " " << at.str();
    std::cout << "\n";
  }

  // Everything that depends on the cell, in an order in which each comes after what it uses.
  void recalculate(Address start) {
    std::map<Address, int> waiting;  // how many of a cell's inputs are still to be computed
    std::vector<Address> todo{start};
    std::set<Address> affected{start};
    while (!todo.empty()) {
      Address at = todo.back();
      todo.pop_back();
      for (Address user : users_[at]) {
        waiting[user]++;
        if (affected.insert(user).second) todo.push_back(user);
      }
    }
    last_recalculated_ = 0;
    if (waiting[start] == 0) todo.push_back(start);
    while (!todo.empty()) {
      Address at = todo.back();
      todo.pop_back();
      affected.erase(at);
      compute(at);
      for (Address user : users_[at]) {
        if (--waiting[user] == 0) todo.push_back(user);
      }
    }
    // What is left depends on itself.
    for (Address at : affected) cells_[at].value = CellError{"CYCLE"};
  }

  void compute(Address at) {
    Cell& cell = cells_[at];
    last_recalculated_++;
    if (!cell.formula) {
      cell.value = std::monostate{};
      return;
    }
    try {
      cell.value = cell.formula->evaluate([this](Address used) { return value(used); });
      if (const double* x = std::get_if<double>(&cell.value); x && !std::isfinite(*x)) {
        throw EvaluationError("NUM");
      }
    } catch (const EvaluationError& e) {
      cell.value = CellError{e.what()};
    }
  }

  std::map<Address, Cell> cells_;
  std::map<Address, std::set<Address>> users_;
  int last_recalculated_ = 0;
};

// ---- commands ---------------------------------------------------------------------------------------------

class Session {
 public:
  void run_line(const std::string& line) {
    std::string_view rest = line;
    if (rest.empty() || rest[0] == '#') return;
    if (rest.starts_with("show ")) {
      rest.remove_prefix(5);
      sheet_.show(take_range(line, rest));
    } else if (rest.starts_with("explain ")) {
      rest.remove_prefix(8);
      sheet_.explain(take_range(line, rest).low);
    } else if (rest == "trace") {
      tracing_ = true;
    } else {
      assign(line, rest);
    }
  }

 private:
  static size_t column_of(const std::string& line, std::string_view rest) {
    return line.size() - rest.size() + 1;
  }

  static Range take_range(const std::string& line, std::string_view rest) {
    auto first = take_address(rest);
    if (!first) throw ParseError("expected a cell", column_of(line, rest));
    if (rest.empty() || rest[0] != ':') return {*first, *first};
    rest.remove_prefix(1);
    auto second = take_address(rest);
    if (!second || !rest.empty()) throw ParseError("expected a range", column_of(line, rest));
    return Range::between(*first, *second);
  }

  void assign(const std::string& line, std::string_view rest) {
    auto at = take_address(rest);
    if (!at) throw ParseError("expected a cell or a command", column_of(line, rest));
    while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
    if (rest.empty() || rest[0] != '=') throw ParseError("expected '='", column_of(line, rest));
    rest.remove_prefix(1);
    size_t offset = line.size() - rest.size();
    ExpressionPtr formula;
    if (rest.find_first_not_of(' ') != std::string_view::npos) {
      try {
        formula = Parser(rest).parse();
      } catch (const ParseError& e) {
        throw ParseError(e.what(), e.column() + offset);
      }
    }
    sheet_.set(*at, std::move(formula));
    if (tracing_) std::cout << at->str() << ": " << sheet_.last_recalculated() << " computed\n";
  }

  Sheet sheet_;
  bool tracing_ = false;
};

}  // namespace

int main() {
  Session session;
  int status = 0;
  int number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    number++;
    try {
      session.run_line(line);
    } catch (const ParseError& e) {
      std::cout << "line " << number << ", column " << e.column() << ": " << e.what() << "\n";
      status = 1;
    }
  }
  return status;
}

// The steps are taken once more, one by one; what each is in the dialect depends on where the schedule
// stands. Handles are %h0, %h1, …; that of the operation which is dealt with is `handle_`.
#include "mlir/model/transform_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ordo::model {
namespace {

constexpr std::string_view kOp = "!transform.any_op";

// "(!transform.any_op, …)", or without parentheses for one.
std::string results(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", kOp);
  return count == 1 ? text : "(" + text + ")";
}

// As a string of MLIR.
std::string escaped(std::string_view name) {
  std::string text;
  for (const char letter : name) {
    if (letter == '"' || letter == '\\' || letter < ' ' || letter > '~')
      text += fmt::format("\\{:02X}", static_cast<unsigned char>(letter));
    else
      text += letter;
  }
  return text;
}

class Writer {
 public:
  explicit Writer(const Schedule& schedule)
      : goal_(schedule), now_(std::make_shared<const Kernel>(schedule.kernel())) {}

  std::string write() {
    begin();
    for (const Step& step : goal_.steps()) {
      if (step.type != StepType::kInterchange) interchange();
      add(step);
      now_.apply(step);
    }
    interchange();
    if (vectorized_) finish();
    return whole();
  }

  // Nothing but what takes aggregates apart.
  std::string writeDecomposition() {
    findFunction();
    return whole();
  }

 private:
  std::string whole() const {
    return fmt::format(
        "module attributes {{transform.with_named_sequence}} {{\n"
        "  transform.named_sequence @__transform_main(%root: {0} {{transform.readonly}}) {{\n"
        "{1}    transform.yield\n  }}\n}}\n",
        kOp, text_);
  }

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += "    " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  std::string fresh() { return fmt::format("%h{}", handles_++); }

  void findFunction() {
    const Kernel& kernel = now_.kernel();
    line(
        "%func = transform.structured.match ops{{[\"func.func\"]}} attributes{{sym_name = \"{}\"}} in %root "
        ": ({}) -> {}",
        escaped(kernel.function), kOp, kOp);
    if (!kernel.aggregates) return;
    const std::string found = fresh(), parts = fresh();
    line("{} = transform.structured.match ops{{[\"linalg.softmax\"]}} in %func : ({}) -> {}", found, kOp,
         kOp);
    line("{} = transform.structured.decompose_interface {} : ({}) -> {}", parts, found, kOp, kOp);
  }

  void begin() {
    findFunction();
    const Kernel& kernel = now_.kernel();
    if (kernel.operations.empty()) return;
    line("%all = transform.structured.match interface{{LinalgOp}} in %func : ({}) -> {}", kOp, kOp);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kernel.operations.size(); ++i) names.push_back(fmt::format("%op{}", i));
    line("{} = transform.split_handle %all : ({}) -> {}", fmt::join(names, ", "), kOp, results(names.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
      line("transform.annotate %op{} \"ordo.op{}\" : {}", i, i, kOp);
  }

  // The handle of the current operation, found by its mark when it is first needed.
  const std::string& handle() {
    if (!matched_) {
      handle_ = fresh();
      line("{} = transform.structured.match attributes{{ordo.op{}}} in %func : ({}) -> {}", handle_,
           *now_.current(), kOp, kOp);
      matched_ = true;
    }
    return handle_;
  }

  // The marks of operations that are replaced go with them.
  void replace(std::string handle) {
    handle_ = std::move(handle);
    line("transform.annotate {} \"ordo.op{}\" : {}", handle_, *now_.current(), kOp);
  }

  // Pointers that follow each other are one change of the order.
  void interchange() {
    if (!now_.current()) return;
    interchangeTo(now_.progress(*now_.current()).order);
  }
  void interchangeTo(const std::vector<std::size_t>& order) {
    if (interchanged_ || std::ranges::is_sorted(order)) return;
    interchanged_ = true;
    const std::string generic = fresh(), moved = fresh();
    line("{} = transform.structured.generalize {} : ({}) -> {}", generic, handle(), kOp, kOp);
    line("{} = transform.structured.interchange {} iterator_interchange = [{}] : ({}) -> {}", moved, generic,
         fmt::join(order, ", "), kOp, kOp);
    replace(moved);
  }

  // Loops `sizes` (0: none) by their place in the operation as it is now. Returns them, the innermost last.
  std::vector<std::string> tile(std::string_view verb, const std::vector<std::int64_t>& sizes) {
    std::vector<std::int64_t> placed;
    for (const std::size_t loop : now_.progress(*now_.current()).order) placed.push_back(sizes[loop]);
    const auto count = std::ranges::count_if(sizes, [](auto size) { return size > 0; });
    const std::string tiled = fresh(), old = handle();
    std::vector<std::string> loops;
    for (std::ptrdiff_t i = 0; i < count; ++i) loops.push_back(fresh());
    line("{}, {} = transform.structured.{} {} tile_sizes [{}] : ({}) -> {}", tiled, fmt::join(loops, ", "),
         verb, old, fmt::join(placed, ", "), kOp, results(loops.size() + 1));
    handle_ = tiled;
    return loops;
  }
  void tileOne(std::string_view verb, const Step& step) {
    std::vector<std::int64_t> sizes(now_.kernel().operations[*now_.current()].loops());
    sizes[static_cast<std::size_t>(step.numbers[0])] = step.numbers[1];
    tile(verb, sizes);
  }

  // A tensor that is padded by nothing, and not folded away for that, becomes a copy.
  void pack(std::int64_t input) {
    const Operation& operation = now_.kernel().operations[*now_.current()];
    std::vector<int> kept(operation.inputs.size() + 1), dimensions(operation.loops());
    kept[static_cast<std::size_t>(input)] = 1;
    std::iota(dimensions.begin(), dimensions.end(), 0);
    const std::string padded = fresh(), pads = fresh(), copies = fresh(), made = fresh();
    line(
        "{}, {}, {} = transform.structured.pad {} {{padding_dimensions = [{}], nofold_flags = [{}], "
        "copy_back_op = \"none\"}} : ({}) -> {}",
        padded, pads, copies, handle(), fmt::join(dimensions, ", "), fmt::join(kept, ", "), kOp, results(3));
    line("{} = transform.structured.rewrite_in_destination_passing_style {} : ({}) -> {}", made, pads, kOp,
         kOp);
    replace(padded);
  }

  void decompose() {
    const std::string small = fresh();
    line("{} = transform.structured.decompose {} : ({}) -> {}", small, handle(), kOp, kOp);
    replace(small);
  }

  // A part of an operation that one size of registers fits: all, or what is left at an edge.
  struct Part {
    std::string handle;
    std::vector<std::int64_t> whole, registers;  // by loop
  };

  // What of its rows, columns and sums across does not fill registers are operations of their own, of static
  // sizes as well; sums go on from those before.
  std::vector<Part> partsOf(const Operation& operation, const Step& step) {
    const Progress& progress = now_.progress(*now_.current());
    std::vector<Part> parts = {{handle(), progress.tile, registerTile(operation, step)}};
    for (const std::optional<std::size_t> loop :
         {rowLoop(operation), columnLoop(operation), depthLoop(operation)}) {
      if (!loop || progress.tile[*loop] % parts.front().registers[*loop] == 0) continue;
      const std::int64_t rest = progress.tile[*loop] % parts.front().registers[*loop];
      const auto place = std::ranges::find(progress.order, *loop) - progress.order.begin();
      for (std::size_t i = parts.size(); i-- > 0;) {
        const std::string both = fresh(), first = fresh(), second = fresh();
        line("{} = transform.structured.split {} after {} {{dimension = {}}} : {}", both, parts[i].handle,
             progress.tile[*loop] - rest, place, kOp);
        line("{}, {} = transform.split_handle {} : ({}) -> {}", first, second, both, kOp, results(2));
        Part edge = parts[i];
        edge.handle = second;
        edge.whole[*loop] = edge.registers[*loop] = rest;
        parts[i].handle = first;
        parts[i].whole[*loop] -= rest;
        parts.push_back(std::move(edge));
      }
    }
    return parts;
  }

  // Loops over what is kept come before loops that sum up, so that sums stay in registers: what these loops
  // read and write again and again is taken out of them in the end (finish()).
  void vectorize(const Step& step) {
    const Operation& operation = now_.kernel().operations[*now_.current()];
    const bool decomposed = now_.progress(*now_.current()).decomposed;
    for (const Part& part : partsOf(operation, step)) {
      handle_ = part.handle;
      std::string innermost;
      for (const bool reduces : {false, true}) {
        std::vector<std::int64_t> sizes(operation.loops());
        for (std::size_t loop = 0; loop < sizes.size(); ++loop) {
          if (operation.reductions[loop] == reduces && part.whole[loop] != part.registers[loop])
            sizes[loop] = part.registers[loop];
        }
        if (std::ranges::all_of(sizes, [](std::int64_t size) { return size == 0; })) continue;
        const std::vector<std::string> loops = tile("tile_using_for", sizes);
        innermost = loops.back();
        for (const std::string& loop : loops) {
          if (reduces) line("transform.annotate {} \"ordo.sum\" : {}", loop, kOp);
        }
      }
      if (operation.windowed() && !decomposed) decompose();
      line("transform.structured.vectorize {} : {}", handle_, kOp);
      // The first part is all but the edges.
      if (!vectorized_here_) innermost_ = innermost;
      vectorized_here_ = true;
    }
    vectorized_ = true;
  }

  void add(const Step& step) {
    switch (step.type) {
      case StepType::kInterchange:
        break;
      case StepType::kParallel:
        tileOne("tile_using_forall", step);
        break;
      case StepType::kFuse:
        tileOne("fuse", step);
        // The producers as they were are marked, too, and nobody reads them any more.
        line("transform.apply_dce to %func : {}", kOp);
        break;
      case StepType::kTile:
        tileOne("tile_using_for", step);
        break;
      case StepType::kPack:
        pack(step.numbers[0]);
        break;
      case StepType::kDecompose:
        decompose();
        break;
      case StepType::kVectorize:
        vectorize(step);
        break;
      case StepType::kUnroll:
        line("transform.loop.unroll {} {{factor = {}}} : {}", innermost_, step.numbers[0], kOp);
        break;
      case StepType::kStop:
        next();
        break;
      case StepType::kGreedy:  // never among the steps of a schedule
        break;
      case StepType::kFair:
        fair();
        break;
    }
  }

  void next() {
    matched_ = interchanged_ = vectorized_here_ = false;
    innermost_.clear();
  }

  void fair() {
    Schedule done = now_;
    done.apply({StepType::kFair, {}});
    while (now_.current()) {
      interchangeTo(done.progress(*now_.current()).order);
      next();
      now_.apply({StepType::kStop, {}});
    }
  }

  // Reads and writes of vectors go through slices straight to the tensors, and sums out of their loops.
  void finish() {
    line("transform.apply_patterns to %func {{");
    for (const char* patterns :
         {"vector.reduction_to_contract", "vector.transfer_permutation_patterns", "vector.sink_ops"})
      line("  transform.apply_patterns.{}", patterns);
    line("}} : {}", kOp);
    line("transform.apply_patterns to %func {{");
    line("  transform.apply_patterns.canonicalization");
    line("  transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers");
    line("}} : {}", kOp);
    const std::string sums = fresh(), loops = fresh();
    line("{} = transform.structured.match ops{{[\"scf.for\"]}} attributes{{ordo.sum}} in %func : ({}) -> {}",
         sums, kOp, kOp);
    line("transform.loop.hoist_loop_invariant_subsets {} : {}", sums, kOp);
    line("{} = transform.structured.match ops{{[\"scf.for\"]}} in %func : ({}) -> {}", loops, kOp, kOp);
    line("transform.apply_licm to {} : {}", loops, kOp);
  }

  const Schedule& goal_;
  Schedule now_;
  std::string text_;
  unsigned handles_ = 0;
  std::string handle_;
  std::string innermost_;  // loop around the vectors of the current operation
  bool matched_ = false, interchanged_ = false;
  bool vectorized_here_ = false, vectorized_ = false;  // the current operation; any
};

}  // namespace

std::string transformText(const Schedule& schedule) { return Writer(schedule).write(); }

std::string decompositionText(const Kernel& kernel) {
  return Writer(Schedule(std::make_shared<const Kernel>(kernel))).writeDecomposition();
}

}  // namespace ordo::model

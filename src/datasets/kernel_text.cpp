#include "datasets/kernel_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ordo::datasets {
namespace {

std::string typeOf(const KernelText::Shape& shape) {
  return fmt::format("tensor<{}xf32>", fmt::join(shape, "x"));
}

std::string names(const std::vector<KernelText::Value>& values) {
  std::vector<std::string> all;
  for (const KernelText::Value& value : values) all.push_back(value.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string types(const std::vector<KernelText::Value>& values) {
  std::vector<std::string> all;
  for (const KernelText::Value& value : values) all.push_back(typeOf(value.shape));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string spaced(std::string_view letters) {
  std::vector<std::string> all;
  for (const char letter : letters) all.emplace_back(1, letter);
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

std::string KernelText::type(const Shape& shape) {
  empty_ = empty_ || std::ranges::any_of(shape, [](std::int64_t size) { return size < 1; });
  return typeOf(shape);
}

KernelText::Value KernelText::input(const Shape& shape) {
  const std::string written = type(shape);
  inputs_.push_back({fmt::format("%in{}", inputs_.size()), shape});
  parameters_.push_back(fmt::format("{}: {}", inputs_.back().name, written));
  return inputs_.back();
}

std::string KernelText::constant(std::string_view number) {
  const std::string name = fresh();
  body_ += fmt::format("  {} = arith.constant {} : f32\n", name, number);
  return name;
}

KernelText::Value KernelText::full(const Shape& shape, std::string_view number) {
  const std::string scalar = constant(number), empty = fresh(), made = fresh();
  body_ += fmt::format("  {0} = tensor.empty() : {1}\n", empty, type(shape));
  body_ += fmt::format("  {0} = linalg.fill ins({1} : f32) outs({2} : {3}) -> {3}\n", made, scalar, empty,
                       type(shape));
  return {made, shape};
}

KernelText::Value KernelText::named(std::string_view operation, const std::vector<Value>& inputs,
                                    const Value& out, std::string_view attributes) {
  const std::string made = fresh();
  body_ += fmt::format("  {} = linalg.{} {}ins({} : {})\n    outs({} : {}) -> {}\n", made, operation,
                       attributes, names(inputs), types(inputs), out.name, type(out.shape), type(out.shape));
  return {made, out.shape};
}

KernelText::Value KernelText::generic(std::string_view indices, const std::vector<Value>& inputs,
                                      const Value& out, std::string_view body) {
  std::string loops;
  for (const char letter : indices) {
    if (letter >= 'a' && letter <= 'z' && loops.find(letter) == std::string::npos) loops += letter;
  }
  std::ranges::sort(loops);
  const std::string_view result = indices.substr(indices.find('>') + 1);
  std::vector<std::string> maps, iterators, arguments;
  std::string_view left = indices.substr(0, indices.find('-'));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t end = std::min(left.find(','), left.size());
    maps.push_back(fmt::format("affine_map<({}) -> ({})>", spaced(loops), spaced(left.substr(0, end))));
    arguments.push_back(fmt::format("%{}: f32", i));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  maps.push_back(fmt::format("affine_map<({}) -> ({})>", spaced(loops), spaced(result)));
  arguments.emplace_back("%out: f32");
  for (const char loop : loops)
    iterators.emplace_back(result.find(loop) == std::string_view::npos ? "\"reduction\"" : "\"parallel\"");
  const std::string made = fresh();
  body_ += fmt::format(
      "  {} = linalg.generic {{indexing_maps = [{}],\n    iterator_types = [{}]}}\n    ins({} : {}) "
      "outs({} : {}) {{\n  ^bb0({}):\n{}    linalg.yield %r : f32\n  }} -> {}\n",
      made, fmt::join(maps, ", "), fmt::join(iterators, ", "), names(inputs), types(inputs), out.name,
      type(out.shape), fmt::join(arguments, ", "), body, type(out.shape));
  return {made, out.shape};
}

KernelText::Value KernelText::elementwise(std::string_view indices, const std::vector<Value>& inputs,
                                          const Shape& shape, std::string_view body) {
  const std::string empty = fresh();
  body_ += fmt::format("  {} = tensor.empty() : {}\n", empty, type(shape));
  return generic(indices, inputs, {empty, shape}, body);
}

KernelText::Value KernelText::product(std::string_view indices, const Value& a, const Value& b,
                                      const Shape& shape) {
  return generic(indices, {a, b}, full(shape, "0.0"),
                 "    %p = arith.mulf %0, %1 : f32\n    %r = arith.addf %out, %p : f32\n");
}

Result<std::string> KernelText::write(std::string_view name, const std::vector<Value>& results) const {
  if (empty_)
    return fail(ErrorCode::kInvalidArgument, "{} of these sizes has a tensor without elements", name);
  return fmt::format("func.func @{}({}) -> ({}) {{\n{}  return {} : {}\n}}\n", name,
                     fmt::join(parameters_, ", "), types(results), body_, names(results), types(results));
}

}  // namespace ordo::datasets

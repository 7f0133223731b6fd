// Rows of `logits` are actions, the last of them kStop; columns of whatever reads the features are features,
// whose groups grew each at its own end.
#include "policy/grown.h"

#include <algorithm>

#include "policy/schema.h"

namespace ordo::policy {
namespace {

// For each of the new features, the old one that it was, or -1.
std::vector<std::ptrdiff_t> oldColumns(const Encoder& before, const Encoder& after) {
  const std::vector<FeatureGroup> olds = groupsOf(before.schema()), news = groupsOf(after.schema());
  ORDO_CHECK(olds.size() == news.size(), "{} groups of features and {}", olds.size(), news.size());
  std::vector<std::ptrdiff_t> columns;
  std::ptrdiff_t begin = 0;
  for (std::size_t i = 0; i < news.size(); ++i) {
    for (std::size_t k = 0; k < news[i].width; ++k)
      columns.push_back(k < olds[i].width ? begin + static_cast<std::ptrdiff_t>(k) : -1);
    begin += static_cast<std::ptrdiff_t>(olds[i].width);
  }
  return columns;
}

void widen(Tensor& tensor, const std::vector<std::ptrdiff_t>& columns) {
  const std::size_t rows = tensor.shape[0], width = tensor.shape[1];
  std::vector<float> values;
  values.reserve(rows * columns.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (const std::ptrdiff_t column : columns)
      values.push_back(column < 0 ? 0.0f : tensor.values[row * width + static_cast<std::size_t>(column)]);
  tensor.shape[1] = columns.size();
  tensor.values = std::move(values);
}

void addRows(Tensor& tensor, std::size_t rows) {
  const std::size_t before = tensor.shape[0], width = tensor.values.size() / before;
  std::vector<float> mean(width);
  for (std::size_t k = 0; k < width; ++k) {
    double sum = 0;
    for (std::size_t row = 0; row + 1 < before; ++row) sum += tensor.values[row * width + k];
    mean[k] = static_cast<float>(sum / static_cast<double>(std::max<std::size_t>(before - 1, 1)));
  }
  const auto stop = static_cast<std::ptrdiff_t>((before - 1) * width);
  for (std::size_t row = before; row < rows; ++row)
    tensor.values.insert(tensor.values.begin() + stop, mean.begin(), mean.end());
  tensor.shape[0] = rows;
}

}  // namespace

Result<std::vector<Tensor>> grown(const Policy& policy, std::vector<Tensor> tensors,
                                  std::span<const std::string> actions) {
  const std::span<const std::string> known =
      std::span(policy.info().actions).first(policy.info().actions.size() - 1);
  const bool grew = actions.size() > known.size() && actions.back() == kStop &&
                    std::ranges::equal(known, actions.first(known.size()));
  if (!grew)
    return fail(ErrorCode::kInvalidArgument, "the actions of the weights are no beginning of the other ones");
  const Encoder encoder(actions.size() - 1);
  const std::vector<std::ptrdiff_t> columns = oldColumns(policy.encoder(), encoder);
  const bool linear = policy.info().architecture == Architecture::kLinear;
  for (Tensor& tensor : tensors) {
    const bool reads = linear ? tensor.name == "logits.weight" || tensor.name == "value.weight"
                              : tensor.name == "input.weight";
    if (reads) widen(tensor, columns);
    if (tensor.name.starts_with("logits.")) addRows(tensor, actions.size());
  }
  return tensors;
}

}  // namespace ordo::policy

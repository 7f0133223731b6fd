// Policies for Python: to look at what a file holds, to ask it as the compiler does, and to write one that
// was trained elsewhere. Arrays are NumPy's, rows are states.
#include "policy/policy.h"

#include <nanobind/stl/map.h>

#include "python/bindings/bindings.h"
#include "python/bindings/features.h"
#include "support/files.h"

namespace ordo::python {
namespace {

using Matrix = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Row = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Tensor = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

void evaluate(const policy::Policy& policy, const Rows& features, const Matrix& logits, const Row& values) {
  const policy::NetworkShape& shape = policy.network().shape();
  const std::size_t rows = features.shape(0);
  if (features.shape(1) != shape.inputs || logits.shape(0) != rows || logits.shape(1) != shape.actions ||
      values.shape(0) != rows)
    raise({ErrorCode::kInvalidArgument,
           fmt::format("this policy has {} features and {} logits", shape.inputs, shape.actions)});
  policy::Network::Scratch scratch;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto output = policy.evaluate({features.data() + row * shape.inputs, shape.inputs}, scratch);
    std::ranges::copy(output.logits, logits.data() + row * shape.actions);
    values.data()[row] = output.value;
  }
}

nb::dict info(const policy::Policy& policy) {
  const policy::PolicyInfo& what = policy.info();
  nb::dict result;
  result["architecture"] = std::string(name(what.architecture));
  result["hidden"] = policy.network().shape().hidden;
  result["blocks"] = policy.network().shape().blocks;
  result["space"] = what.space;
  result["space_hash"] = what.space_hash.hex();
  result["actions"] = what.actions;
  result["backend_version"] = what.backend_version;
  result["provenance"] = what.provenance;
  return result;
}

// Writes the file, and reads it as the compiler will.
void writePolicy(const std::string& path, const std::map<std::string, std::string>& about,
                 std::vector<std::string> actions, const std::map<std::string, Tensor>& tensors) {
  const auto text = [&](const char* key) {
    const auto found = about.find(key);
    if (found == about.end()) raise({ErrorCode::kInvalidArgument, fmt::format("a policy needs its {}", key)});
    return found->second;
  };
  policy::PolicyInfo info;
  info.architecture = value(policy::architectureOf(text("architecture")));
  info.space = text("space");
  const std::optional<Hash128> hash = Hash128::fromHex(text("space_hash"));
  if (!hash) raise({ErrorCode::kInvalidArgument, "space_hash is not 32 hexadecimal digits"});
  info.space_hash = *hash;
  info.backend_version = text("backend_version");
  info.provenance = text("provenance");
  info.schema_hash = policy::Encoder(actions.size()).schemaHash();
  info.actions = std::move(actions);
  info.actions.emplace_back(policy::kStop);
  std::vector<policy::Tensor> all;
  for (const auto& [name, tensor] : tensors) {
    policy::Tensor& one = all.emplace_back(policy::Tensor{name, {}, {}});
    for (std::size_t i = 0; i < tensor.ndim(); ++i) one.shape.push_back(tensor.shape(i));
    one.values.assign(tensor.data(), tensor.data() + tensor.size());
  }
  const std::string bytes = policy::writePolicy(info, std::move(all));
  static_cast<void>(value(policy::Policy::parse(bytes, path)));
  check(writeFile(path, bytes));
}

nb::dict weights(const std::string& path) {
  const std::string bytes = value(readFile(path));
  policy::SafeTensors file = value(policy::parseSafetensors(bytes, path));
  nb::dict result;
  for (policy::Tensor& tensor : file.tensors) {
    auto* copy = new std::vector<float>(std::move(tensor.values));
    const nb::capsule owner(copy, [](void* data) noexcept { delete static_cast<std::vector<float>*>(data); });
    const std::vector<std::size_t> shape(tensor.shape.begin(), tensor.shape.end());
    result[tensor.name.c_str()] =
        nb::cast(nb::ndarray<nb::numpy, float>(copy->data(), shape.size(), shape.data(), owner));
  }
  return result;
}

}  // namespace

void bindPolicy(nb::module_& module) {
  nb::class_<policy::Policy>(module, "Policy", "A learned policy, as the compiler asks it.")
      .def_static("load", [](const std::string& path) { return value(policy::Policy::load(path)); })
      .def_prop_ro("info", info)
      .def("evaluate", evaluate, nb::arg("features"), nb::arg("logits"), nb::arg("values"),
           "Fills `logits` and `values` with what the network says of each row of `features`.");
  module.def("policy_weights", weights, nb::arg("path"), "The tensors of a policy's file, by name.");
  module.def("write_policy", writePolicy, nb::arg("path"), nb::arg("about"), nb::arg("actions"),
             nb::arg("tensors"), "Writes docs/formats/weights.md. `actions` is without stop.");
  nb::class_<Features>(module, "Features", "What a policy sees of the episodes of one vector.")
      .def_static(
          "make",
          [](const Environment& environment, const std::vector<std::string>& actions, std::string objective,
             std::uint32_t max_length, bool only) {
            return value(
                Features::create(environment.episodes, actions, std::move(objective), max_length, only));
          },
          nb::arg("environment"), nb::kw_only(), nb::arg("actions"), nb::arg("objective"),
          nb::arg("max_length"), nb::arg("only"))
      .def_prop_ro("width", [](const Features& self) { return self.encoder().width(); })
      .def_prop_ro("actions", &Features::actions);
}

}  // namespace ordo::python

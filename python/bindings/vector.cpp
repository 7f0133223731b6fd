// PyVector::recv() lays an env::Batch over arrays of Python's. Columns of one type come as one array, one
// after the other, in an order that python/ordo/vector.py repeats. All sizes are checked before, because
// VectorEnv writes through bare pointers. Calls work without the GIL, and recv() lets signals be heard while
// it waits. STATUSES and ENDINGS are the names of the enumerations by number; their loops name the last
// member of each, so a new last one has to be put there.
#include "env/vector_env.h"
#include "python/bindings/bindings.h"
#include "python/bindings/features.h"

namespace ordo::python {
namespace {

template <typename T>
using Column = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using AnyArray = nb::ndarray<nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class PyVector {
 public:
  PyVector(std::shared_ptr<Environment> environment, std::uint32_t environments, std::uint32_t batch,
           std::vector<std::string> programs, bool cycle, std::uint64_t seed, const std::string& autoreset)
      : environment_(std::move(environment)) {
    env::VectorSpec spec;
    spec.environments = environments;
    spec.batch = batch;
    spec.seed = seed;
    spec.programs = std::move(programs);
    spec.order = cycle ? env::ProgramOrder::kCycle : env::ProgramOrder::kRandom;
    spec.autoreset = autoreset == "NextStep"   ? env::Autoreset::kNextStep
                     : autoreset == "SameStep" ? env::Autoreset::kSameStep
                                               : env::Autoreset::kDisabled;
    vector_ =
        value(env::VectorEnv::create(environment_->episodes, std::move(spec), environment_->programs.get()));
  }

  void reset(const std::vector<std::uint32_t>& which, std::optional<std::uint64_t> seed) {
    const Turn turn(taken_);
    Status status;
    {
      const nb::gil_scoped_release free;
      status = vector_->reset(which, seed);
    }
    check(status);
  }

  void send(const Numbers& actions, const std::optional<Indices>& environments) {
    const Turn turn(taken_);
    std::span<const std::int32_t> which;
    if (environments) which = {environments->data(), environments->size()};
    Status status;
    {
      const nb::gil_scoped_release free;
      status = vector_->send({actions.data(), actions.size()}, which);
    }
    check(status);
  }

  // The arrays have a row for each environment of a batch; see env::Batch for what they hold.
  std::uint32_t recv(const std::vector<AnyArray>& observations, const std::vector<AnyArray>& finals,
                     const nb::ndarray<std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& masks,
                     const Column<std::int32_t>& environments, const Column<double>& rewards,
                     const Column<std::uint8_t>& flags, const Column<double>& numbers,
                     const Column<std::int64_t>& counts) {
    const Turn turn(taken_);
    const std::size_t rows = vector_->spec().batch;
    // Of the columns that come in blocks: terminated, truncated, status, ending, changed; metric, seconds,
    // return; steps, program.
    const bool fits = masks.shape(0) >= rows && masks.shape(1) == vector_->episodes().choices() &&
                      environments.size() >= rows && rewards.size() >= rows && flags.size() >= 5 * rows &&
                      numbers.size() >= 3 * rows && counts.size() >= 2 * rows && sized(observations, rows) &&
                      (finals.empty() || sized(finals, rows));
    if (!fits) raise({ErrorCode::kInvalidArgument, "an array is too small for the batch"});
    env::Batch batch;
    for (const AnyArray& array : observations)
      batch.observations.push_back(static_cast<std::byte*>(array.data()));
    for (const AnyArray& array : finals)
      batch.final_observations.push_back(static_cast<std::byte*>(array.data()));
    batch.masks = masks.data();
    batch.environments = environments.data();
    batch.rewards = rewards.data();
    batch.terminated = flags.data();
    batch.truncated = flags.data() + rows;
    batch.status = flags.data() + 2 * rows;
    batch.ending = flags.data() + 3 * rows;
    batch.changed = flags.data() + 4 * rows;
    batch.metric = numbers.data();
    batch.seconds = numbers.data() + rows;
    batch.returns = numbers.data() + 2 * rows;
    batch.steps = counts.data();
    batch.programs = counts.data() + rows;
    Result<std::uint32_t> received = 0u;
    bool interrupted = false;
    {
      const nb::gil_scoped_release free;
      received = vector_->recv(batch, [&] { return !(interrupted = !goOn()); });
    }
    if (interrupted) throw nb::python_error();
    return value(std::move(received));
  }

  // What a policy sees of the states that these environments are in now, a row each.
  void encode(Features& features, const Indices& environments,
              const nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>& rows) {
    const Turn turn(taken_);
    const std::size_t width = features.encoder().width();
    if (rows.shape(0) < environments.size() || rows.shape(1) != width)
      raise({ErrorCode::kInvalidArgument, fmt::format("rows should be {} numbers wide", width)});
    for (std::size_t i = 0; i < environments.size(); ++i) {
      const std::int32_t number = environments.data()[i];
      if (number < 0 || static_cast<std::uint32_t>(number) >= vector_->spec().environments)
        throw nb::index_error();
      check(features.encode(vector_->episode(static_cast<std::uint32_t>(number)), number,
                            {rows.data() + i * width, width}));
    }
  }

  std::vector<std::pair<std::string, std::string>> skipped() {
    const Turn turn(taken_);
    std::vector<std::pair<std::string, std::string>> result;
    for (const env::SkippedProgram& one : vector_->skipped()) result.emplace_back(one.uri, one.reason);
    return result;
  }

  std::vector<std::string> actions(std::uint32_t environment) {
    const Turn turn(taken_);
    if (environment >= vector_->spec().environments) throw nb::index_error();
    std::vector<std::string> names;
    for (const env::ActionIndex action : vector_->episode(environment).actions())
      names.push_back(vector_->episodes().actions[action].name);  // vectors do not fork
    return names;
  }

 private:
  bool sized(const std::vector<AnyArray>& arrays, std::size_t rows) const {
    const std::vector<env::Sensor>& sensors = vector_->episodes().sensors;
    if (arrays.size() != sensors.size()) return false;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (arrays[i].nbytes() < rows * sensors[i].bytes()) return false;
    }
    return true;
  }

  std::shared_ptr<Environment> environment_;
  std::unique_ptr<env::VectorEnv> vector_;
  std::atomic_flag taken_;  // a call is under way
};

}  // namespace

void bindVector(nb::module_& module) {
  nb::class_<PyVector>(module, "VectorEnv", "Many episodes at once; see env/vector_env.h.")
      .def(nb::init<std::shared_ptr<Environment>, std::uint32_t, std::uint32_t, std::vector<std::string>,
                    bool, std::uint64_t, const std::string&>(),
           nb::arg("environment"), nb::kw_only(), nb::arg("num_envs"), nb::arg("batch_size"),
           nb::arg("programs"), nb::arg("cycle"), nb::arg("seed"), nb::arg("autoreset"))
      .def("reset", &PyVector::reset, nb::arg("which"), nb::arg("seed").none())
      .def("send", &PyVector::send, nb::arg("actions"), nb::arg("environments").none())
      .def("recv", &PyVector::recv, nb::arg("observations"), nb::arg("finals"), nb::arg("masks"),
           nb::arg("environments"), nb::arg("rewards"), nb::arg("flags"), nb::arg("numbers"),
           nb::arg("counts"))
      .def("encode", &PyVector::encode, nb::arg("features"), nb::arg("environments"), nb::arg("rows"))
      .def_prop_ro("skipped", &PyVector::skipped)
      .def("actions", &PyVector::actions, nb::arg("environment"));
  nb::list statuses;
  for (int i = 0; i <= static_cast<int>(env::StepStatus::kOutOfMemory); ++i)
    statuses.append(std::string(env::name(static_cast<env::StepStatus>(i))));
  module.attr("STATUSES") = statuses;
  nb::list endings;
  for (int i = 0; i <= static_cast<int>(env::Ending::kBroken); ++i)
    endings.append(std::string(env::name(static_cast<env::Ending>(i))));
  module.attr("ENDINGS") = endings;
}

}  // namespace ordo::python

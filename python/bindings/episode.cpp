// Methods of PyEpisode take a Turn, wait for workers without the GIL, and make Python objects only once they
// have it again. finish() waits in short pieces, so that signals are heard. Ctrl-C leaves the step under way;
// the next call waits for its end in settle() and drops what it says. Observations of fixed size are copied
// into the caller's arrays by report(); others become new objects, which own a copy (toPython()).
#include "env/episode.h"

#include "python/bindings/bindings.h"

namespace ordo::python {
namespace {

// How often somebody who waits can press Ctrl-C.
constexpr double kIdleSeconds = 0.1;

// Where the fixed-size observations of a step go: one array per sensor, or None where it has no fixed size.
using Arrays = std::vector<std::optional<nb::ndarray<nb::c_contig, nb::device::cpu>>>;
using Mask = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// An array of a copy of the bytes, which Python owns; bytes for text.
nb::object toPython(const env::Observation& observation) {
  if (observation.dtype == DType::kBytes)
    return nb::bytes(observation.bytes.data(), observation.bytes.size());
  auto* copy = new std::vector<std::byte>(observation.bytes.begin(), observation.bytes.end());
  const nb::capsule owner(copy,
                          [](void* data) noexcept { delete static_cast<std::vector<std::byte>*>(data); });
  std::vector<std::size_t> shape(observation.shape.begin(), observation.shape.end());
  const nb::dlpack::dtype dtype = observation.dtype == DType::kInt64     ? nb::dtype<std::int64_t>()
                                  : observation.dtype == DType::kFloat32 ? nb::dtype<float>()
                                                                         : nb::dtype<double>();
  return nb::cast(nb::ndarray<nb::numpy>(copy->data(), shape.size(), shape.data(), owner, nullptr, dtype));
}

class PyEpisode {
 public:
  explicit PyEpisode(std::shared_ptr<Environment> environment)
      : environment_(std::move(environment)),
        episode_(std::make_unique<env::Episode>(environment_->episodes)) {}

  nb::tuple reset(const std::string& uri, bool forget, const Arrays& arrays, const Mask& mask) {
    const Turn turn(taken_);
    settle();
    if (forget) episode_->forget();
    Status begun;
    {
      const nb::gil_scoped_release free;
      begun = [&]() -> Status {
        Result<std::shared_ptr<const env::EpisodeProgram>> loaded = [&] {
          const std::lock_guard lock(environment_->loading);
          return environment_->programs->load(uri);
        }();
        ORDO_TRY_ASSIGN(std::shared_ptr<const env::EpisodeProgram> program, std::move(loaded));
        return episode_->beginReset(std::move(program));
      }();
    }
    check(begun);
    return finish(arrays, mask);
  }

  nb::tuple step(std::int64_t action, const Arrays& arrays, const Mask& mask) {
    const Turn turn(taken_);
    mustBeRunning();
    if (episode_->ended() != env::Ending::kNone)
      raise({ErrorCode::kInvalidArgument, "the episode has ended; reset it"});
    if (action < 0 || action >= episode_->spec().choices()) {
      raise({ErrorCode::kInvalidArgument,
             fmt::format("action {} is not in 0..{}", action, episode_->spec().choices() - 1)});
    }
    Status begun;
    {
      // A fork in another thread may be in the middle of a step in the same worker.
      const nb::gil_scoped_release free;
      begun = episode_->beginStep(static_cast<std::uint32_t>(action));
    }
    check(begun);
    return finish(arrays, mask);
  }

  nb::tuple undo(std::uint32_t steps, const Arrays& arrays, const Mask& mask) {
    const Turn turn(taken_);
    mustBeRunning();
    Result<env::EpisodeStep> step = fail(ErrorCode::kInternal, "");
    {
      const nb::gil_scoped_release free;
      step = episode_->undo(steps);
    }
    return report(value(std::move(step)), arrays, mask);
  }

  std::unique_ptr<PyEpisode> fork() {
    const Turn turn(taken_);
    mustBeRunning();
    Result<std::unique_ptr<env::Episode>> copy = fail(ErrorCode::kInternal, "");
    {
      const nb::gil_scoped_release free;
      copy = episode_->fork();
    }
    auto result = std::make_unique<PyEpisode>(environment_);
    result->episode_ = value(std::move(copy));
    result->running_ = true;
    return result;
  }

  // What the arrays cannot hold: sensors without a fixed size.
  nb::object observation(std::size_t sensor) {
    const Turn turn(taken_);
    mustBeRunning();
    if (sensor >= episode_->spec().sensors.size()) throw nb::index_error();
    return toPython(episode_->observation(sensor));
  }

  // Any observation of the backend, also one that is no sensor.
  nb::object observe(const std::string& name) {
    const Turn turn(taken_);
    mustBeRunning();
    Result<env::Observation> observation = fail(ErrorCode::kInternal, "");
    {
      const nb::gil_scoped_release free;
      observation = episode_->session().observe(name);
    }
    return toPython(value(std::move(observation)));
  }

  nb::tuple measure(const std::string& metric) {
    const Turn turn(taken_);
    mustBeRunning();
    Result<env::Measurement> measurement = fail(ErrorCode::kInternal, "");
    {
      const nb::gil_scoped_release free;
      measurement = episode_->session().measure(metric);
    }
    const env::Measurement result = value(std::move(measurement));
    return nb::make_tuple(result.value, std::string(env::name(result.status)), result.detail);
  }

  std::string stateHash() {
    const Turn turn(taken_);
    mustBeRunning();
    Result<Hash128> hash = fail(ErrorCode::kInternal, "");
    {
      const nb::gil_scoped_release free;
      hash = episode_->session().stateHash();
    }
    return value(std::move(hash)).hex();
  }

  nb::dict state() {
    const Turn turn(taken_);
    mustBeRunning();
    const env::Episode& episode = *episode_;
    nb::dict result;
    result["program"] = episode.program().uri;
    result["program_hash"] = episode.program().hash.hex();
    nb::list actions;
    for (const env::ActionIndex action : episode.actions())
      actions.append(action == env::kPipe ? std::string("|") : episode.spec().actions[action].name);
    result["actions"] = actions;
    result["steps"] = episode.steps();
    result["metric_value"] = episode.metric();
    result["total_reward"] = episode.totalReward();
    nb::dict values;
    for (const auto& [name, number] : episode.program().values) values[name.c_str()] = number;
    result["values"] = values;
    return result;
  }

 private:
  void mustBeRunning() {
    settle();
    if (!running_) raise({ErrorCode::kInvalidArgument, "reset the episode first"});
  }

  // Waits for a step that Ctrl-C left under way.
  void settle() {
    if (!under_way_) return;
    const nb::gil_scoped_release free;
    static_cast<void>(episode_->finish());
    under_way_ = false;
  }

  nb::tuple finish(const Arrays& arrays, const Mask& mask) {
    under_way_ = true;
    bool interrupted = false;
    Result<env::EpisodeStep> step = fail(ErrorCode::kInternal, "");
    {
      const nb::gil_scoped_release free;
      const SteadyClock clock;
      const double start = clock.seconds();
      env::Backend& backend = *episode_->spec().backend;
      while (!interrupted) {
        const std::uint32_t seen = backend.activity();
        if (episode_->ready()) break;
        interrupted = clock.seconds() - start > kIdleSeconds && !goOn();
        if (!interrupted) backend.awaitActivity(seen, kIdleSeconds, episode_->spec().spin);
      }
      if (!interrupted) step = episode_->finish();
    }
    if (interrupted) throw nb::python_error();
    under_way_ = false;
    running_ = step.has_value();
    return report(value(std::move(step)), arrays, mask);
  }

  nb::tuple report(const env::EpisodeStep& step, const Arrays& arrays, const Mask& mask) {
    for (std::size_t i = 0; i < arrays.size() && i < episode_->spec().sensors.size(); ++i) {
      if (!arrays[i]) continue;
      const env::Observation observation = episode_->observation(i);
      if (observation.bytes.size() != arrays[i]->nbytes()) {
        raise({ErrorCode::kInvalidArgument,
               fmt::format("the array for {} has {} bytes instead of {}", episode_->spec().sensors[i].name,
                           arrays[i]->nbytes(), observation.bytes.size())});
      }
      std::memcpy(arrays[i]->data(), observation.bytes.data(), observation.bytes.size());
    }
    episode_->mask({mask.data(), mask.size()});
    return nb::make_tuple(step.reward, step.terminated(), step.truncated(),
                          std::string(env::name(step.status)), std::string(env::name(step.ending)),
                          step.changed, step.metric, step.seconds, step.detail, step.hash.hex());
  }

  std::shared_ptr<Environment> environment_;
  std::unique_ptr<env::Episode> episode_;
  bool running_ = false;    // reset, and nothing went wrong on our side since
  bool under_way_ = false;  // a step was begun and not finished
  std::atomic_flag taken_;  // a call is under way
};

}  // namespace

void bindEpisode(nb::module_& module) {
  nb::class_<PyEpisode>(module, "Episode", "One program, one action after another.")
      .def(nb::init<std::shared_ptr<Environment>>(), nb::arg("environment"))
      .def("reset", &PyEpisode::reset, nb::arg("program"), nb::arg("forget"), nb::arg("arrays"),
           nb::arg("mask"))
      .def("step", &PyEpisode::step, nb::arg("action"), nb::arg("arrays"), nb::arg("mask"))
      .def("undo", &PyEpisode::undo, nb::arg("steps"), nb::arg("arrays"), nb::arg("mask"))
      .def("fork", &PyEpisode::fork)
      .def("observation", &PyEpisode::observation, nb::arg("sensor"))
      .def("observe", &PyEpisode::observe, nb::arg("name"))
      .def("measure", &PyEpisode::measure, nb::arg("metric"))
      .def("state_hash", &PyEpisode::stateHash)
      .def("state", &PyEpisode::state);
}

}  // namespace ordo::python

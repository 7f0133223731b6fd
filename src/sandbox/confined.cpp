// Order matters in the child: limits and filters take hold before exec, and it waits for our word before
// that, because counters can only be attached from outside once it exists.
#include "sandbox/confined.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "sandbox/keeper.h"
#include "support/child.h"
#include "support/stop_scope.h"
#include "support/usage.h"

namespace ordo::sandbox {
namespace {

// Newer than the headers we build with: truncating files (Landlock 3).
constexpr std::uint64_t kTruncate = 1u << 14;

// Everything that changes files, as far as this kernel knows it.
std::uint64_t changingRights(long abi) {
  std::uint64_t rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                         LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                         LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                         LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                         LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  if (abi >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
  if (abi >= 3) rights |= kTruncate;
  return rights;
}

long landlockAbi() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

bool allow(int rules, const char* path, std::uint64_t rights) {
  const Descriptor place(::open(path, O_PATH | O_CLOEXEC));
  const landlock_path_beneath_attr rule{rights, place.get()};
  return place.isOpen() && ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

// Rules that let `dir` and /dev/null be written; closed where there is no Landlock.
Descriptor fileRules(const std::filesystem::path& dir) {
  const long abi = landlockAbi();
  if (abi < 1) return {};
  const landlock_ruleset_attr attributes{changingRights(abi)};
  Descriptor rules(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0)));
  const bool made = rules.isOpen() && allow(rules.get(), dir.c_str(), changingRights(abi)) &&
                    allow(rules.get(), "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE);
  if (!made) rules.close();
  return rules;
}

// Sockets only within the machine, no leaving the process group, and no io_uring, which has sockets of its
// own. System calls of other architectures, under other numbers, are refused as a whole. Jumps count the
// lines that they leave out, if the comparison holds and if not.
constexpr sock_filter deny(int error) {
  return BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error));
}
constexpr unsigned kOtherNumbers = 0x40000000;  // x32
constexpr std::array<sock_filter, 14> kFilter{{
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 11),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kOtherNumbers, 9, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setsid, 8, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setpgid, 7, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 6, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    deny(EACCES),
    deny(EPERM),
}};

struct Limit {
  __rlimit_resource resource;
  rlim_t soft, hard;
};

// Nobody but root may go beyond a hard limit that we were started with, and then that is the limit.
Limit limitOf(__rlimit_resource resource, rlim_t value) {
  // At the soft limit of processor time comes SIGXCPU, by which it is known; at the hard one SIGKILL.
  const rlim_t more = resource == RLIMIT_CPU && value != RLIM_INFINITY ? 1 : 0;
  rlimit ours{};
  if (::getrlimit(resource, &ours) != 0) ours.rlim_max = RLIM_INFINITY;
  const rlim_t hard = std::min(value + more, ours.rlim_max);
  return {resource, std::min(value, std::max<rlim_t>(hard, more) - more), hard};
}

// All that the child needs, made before the fork: it may not allocate.
struct Setup {
  const ConfinedProgram& program;
  std::vector<char*> argv, environment;
  Descriptor in, out, err, rules;
  Descriptor go_read, go_write, report_read, report_write;
  std::array<Limit, 4> limits;
  cpu_set_t processors;
  pid_t parent;
};

rlim_t number(double value) { return static_cast<rlim_t>(value); }

bool confine(const Setup& setup) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (setup.rules.isOpen() && ::syscall(SYS_landlock_restrict_self, setup.rules.get(), 0) != 0) return false;
  const sock_fprog filter{kFilter.size(), const_cast<sock_filter*>(kFilter.data())};
  // A kernel without seccomp is a gap (see confinementGaps()), not a reason not to run.
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 || errno == EINVAL;
}

// Runs in the child between fork and exec: only async-signal-safe calls.
[[noreturn]] void execChild(const Setup& setup) {
  const ConfinedProgram& program = setup.program;
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  bool ready = ::getppid() == setup.parent;
  ready = ready && ::dup2(setup.in.get(), 0) == 0 && ::dup2(setup.out.get(), 1) == 1;
  ready = ready && ::dup2(setup.err.get(), 2) == 2;
  ready = ready && ::syscall(SYS_close_range, 3, ~0u, 1u << 2 /* CLOSE_RANGE_CLOEXEC */) == 0;
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  for (const Limit& limit : setup.limits) {
    const rlimit both{limit.soft, limit.hard};
    ready = ready && ::setrlimit(limit.resource, &both) == 0;
  }
  if (program.processor)
    ready = ready && ::sched_setaffinity(0, sizeof setup.processors, &setup.processors) == 0;
  char word = 0;
  if (ready && ::chdir(program.dir.c_str()) == 0 && confine(setup) &&
      ::read(setup.go_read.get(), &word, 1) == 1) {
    ::execve(program.executable.c_str(), setup.argv.data(), setup.environment.data());
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(setup.report_write.get(), &error, sizeof error);
  ::_exit(127);
}

tl::unexpected<Error> systemFailure(const ConfinedProgram& program, std::string_view what, int error) {
  return fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable, "cannot run {}: {}{}",
              program.executable.string(), what, std::strerror(error));
}

Result<Setup> prepare(const ConfinedProgram& program) {
  Setup setup{.program = program,
              .argv = pointers(program.argv),
              .environment = pointers(program.environment),
              .in = {},
              .out = {},
              .err = {},
              .rules = fileRules(program.dir),
              .go_read = {},
              .go_write = {},
              .report_read = {},
              .report_write = {},
              .limits = {{limitOf(RLIMIT_AS, program.memory_bytes),
                          limitOf(RLIMIT_CPU, number(std::ceil(program.wall_s)) + 1),
                          limitOf(RLIMIT_FSIZE, program.file_bytes), limitOf(RLIMIT_CORE, 0)}},
              .processors = {},
              .parent = ::getpid()};
  CPU_ZERO(&setup.processors);
  if (program.processor) CPU_SET(*program.processor, &setup.processors);
  // Above those that the child's standard streams become.
  const auto raised = [](int fd) {
    if (fd < 0) return Descriptor();  // and errno as it is
    const Descriptor low(fd);
    return Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
  };
  const char* input = program.input.empty() ? "/dev/null" : program.input.c_str();
  setup.in = raised(::open(input, O_RDONLY | O_CLOEXEC));
  if (!setup.in.isOpen()) return systemFailure(program, fmt::format("{}: ", input), errno);
  setup.out = raised(::memfd_create("stdout", MFD_CLOEXEC));
  setup.err = raised(program.keep_errors ? ::memfd_create("stderr", MFD_CLOEXEC)
                                         : ::open("/dev/null", O_WRONLY | O_CLOEXEC));
  int go[2], report[2];
  if (!setup.err.isOpen() || !setup.out.isOpen() || ::pipe2(go, O_CLOEXEC) != 0)
    return systemFailure(program, "", errno);
  setup.go_read = raised(go[0]);
  setup.go_write = Descriptor(go[1]);
  if (::pipe2(report, O_CLOEXEC) != 0) return systemFailure(program, "", errno);
  setup.report_read = Descriptor(report[0]);
  setup.report_write = raised(report[1]);
  return setup;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

std::string contentOf(const Descriptor& file) {
  std::string content(static_cast<std::size_t>(std::max<off_t>(::lseek(file.get(), 0, SEEK_END), 0)), '\0');
  std::size_t at = 0;
  while (at < content.size()) {
    const ssize_t bytes =
        ::pread(file.get(), content.data() + at, content.size() - at, static_cast<off_t>(at));
    if (bytes <= 0) break;
    at += static_cast<std::size_t>(bytes);
  }
  content.resize(at);
  return content;
}

// Who is stopped for so long, while we run, is not meant to go on.
constexpr double kStoppedForGood = 2;

// Waits until it ends, its time is over, it is to stop, or somebody else has stopped it for good. True unless
// it is we who end it.
bool endsInTime(pid_t pid, int pidfd, const ConfinedProgram& program, const auto& elapsed) {
  double looked_s = 0, stopped_s = 0;
  for (;;) {
    const double now = elapsed();
    stopped_s = isStopped(pid) ? stopped_s + std::min(now - looked_s, 1.0) : 0;
    looked_s = now;
    if (stopped_s >= kStoppedForGood) return true;
    const double left = program.wall_s - elapsed();
    if (left <= 0 || StopScope::stops(program.stop)) return false;
    pollfd event{pidfd, POLLIN, 0};
    const double patience_s = StopScope::mayStop(program.stop) ? 0.2 : 1.0;
    if (::poll(&event, 1, static_cast<int>(std::ceil(std::min(left, patience_s) * 1000))) > 0) return true;
  }
}

}  // namespace

bool ConfinedRun::disturbed() const {
  return !timed_out && (signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP);
}

std::string ConfinedRun::ending() const {
  if (timed_out) {
    return fmt::format("ran past its time ({:.1f} s){}", wall_s,
                       users_limit ? ": `ulimit -t` lets it have no more of the processor" : "");
  }
  if (signal != 0) return fmt::format("was killed by signal {} ({})", signal, ::strsignal(signal));
  return fmt::format("exited with status {}", exit_code);
}

Result<ConfinedRun> runConfined(const ConfinedProgram& program) {
  ORDO_CHECK(!program.argv.empty(), "an empty command");
  ORDO_TRY_ASSIGN(Setup setup, prepare(program));
  const pid_t pid = ::fork();
  if (pid < 0) return systemFailure(program, "", errno);
  if (pid == 0) execChild(setup);
  ::setpgid(pid, pid);
  setup.report_write.close();
  const Descriptor pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd.isOpen()) {
    const int error = errno;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return systemFailure(program, "watching it: ", error);
  }
  const EventCounters counters(pid, program.count_all);

  std::optional<Kept> kept(std::in_place, pid);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  [[maybe_unused]] const ssize_t went = ::write(setup.go_write.get(), "", 1);
  // Ends when exec closes the other end, or with the reason why it did not come to that.
  int error = 0;
  ssize_t bytes = 0;
  do bytes = ::read(setup.report_read.get(), &error, sizeof error);
  while (bytes < 0 && errno == EINTR);
  if (bytes == sizeof error) {
    ::waitpid(pid, nullptr, 0);
    return systemFailure(program, "", error);
  }

  ConfinedRun run;
  run.timed_out = !endsInTime(pid, pidfd.get(), program, elapsed);
  run.wall_s = elapsed();
  // Before it is reaped, while its group is sure to be its own: what it has started and not waited for.
  ::kill(-pid, SIGKILL);
  kept.reset();
  rusage usage{};
  const std::optional<int> ended = awaitEnd(pid, &usage);
  if (!ended) return systemFailure(program, "waiting for it: ", errno);
  const int status = *ended;
  if (WIFEXITED(status) && !run.timed_out) run.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) run.signal = WTERMSIG(status);
  if (run.signal == SIGXCPU) {
    run.timed_out = true;
    run.users_limit = setup.limits[1].soft <= number(std::ceil(program.wall_s));
  }
  run.user_s = seconds(usage.ru_utime);
  run.system_s = seconds(usage.ru_stime);
  run.involuntary_switches = usage.ru_nivcsw;
  run.events = counters.read();
  run.cycles = countOf(run.events, Event::kCycles);
  run.instructions = countOf(run.events, Event::kInstructions);
  run.out = contentOf(setup.out);
  if (program.keep_errors) run.err = contentOf(setup.err);
  return run;
}

std::string countersProblem() {
  errno = 0;
  if (EventCounters(0, false).read()[static_cast<std::size_t>(Event::kInstructions)]) return "";
  return fmt::format("perf_event_open: {}", std::strerror(errno));
}

std::vector<std::string> confinementGaps() {
  std::vector<std::string> gaps;
  if (landlockAbi() < 1) {
    gaps.push_back(
        fmt::format("files outside its folder are not protected (Landlock: {})", std::strerror(errno)));
  }
  if (::prctl(PR_GET_SECCOMP) < 0) gaps.push_back("the network is open to it (this kernel has no seccomp)");
  return gaps;
}

}  // namespace ordo::sandbox

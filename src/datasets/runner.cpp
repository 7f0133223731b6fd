#include "datasets/runner.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "support/process.h"

namespace ordo::datasets {
namespace {

// Of one family of processors: qemu's word for it, the Debian package of its machines, and the folder of a
// Linux system for it in /usr, which Debian's packages of cross compilers share.
struct Family {
  std::string_view prefix;  // of the first part of a triple
  std::string_view qemu, package;
  std::string_view system, hard_float_system;
};

constexpr std::array<Family, 6> kFamilies{{
    {"arm64", "aarch64", "qemu-system-arm", "aarch64-linux-gnu", "aarch64-linux-gnu"},
    {"aarch64", "aarch64", "qemu-system-arm", "aarch64-linux-gnu", "aarch64-linux-gnu"},
    {"arm", "arm", "qemu-system-arm", "arm-linux-gnueabi", "arm-linux-gnueabihf"},
    {"thumb", "arm", "qemu-system-arm", "arm-linux-gnueabi", "arm-linux-gnueabihf"},
    {"riscv32", "riscv32", "qemu-system-misc", "", ""},
    {"riscv64", "riscv64", "qemu-system-misc", "riscv64-linux-gnu", "riscv64-linux-gnu"},
}};

Runner missing(std::string why) { return {{}, std::move(why)}; }

Runner ofMachine(const Family& family, std::string_view machine) {
  const std::string name = fmt::format("qemu-system-{}", family.qemu);
  const std::optional<std::string> program = findProgram({name});
  if (!program) return missing(fmt::format("{} is not installed (Debian: {})", name, family.package));
  Runner runner{{*program, "-M", std::string(machine)}, ""};
  // Its serial line is standard input and output, and what it does by semihosting is done here, where it is
  // confined as any program. One thread and little memory for translated code: it is small and starts often.
  for (const char* word :
       {"-display", "none", "-monitor", "none", "-serial", "stdio", "-semihosting-config",
        "enable=on,target=native", "-nic", "none", "-accel", "tcg,thread=single,tb-size=32"})
    runner.words.emplace_back(word);
  // Machines of RISC-V begin with firmware of qemu's own otherwise.
  if (family.prefix.starts_with("riscv")) runner.words.insert(runner.words.end(), {"-bios", "none"});
  runner.words.emplace_back("-kernel");
  return runner;
}

Runner ofLinux(const Family& family, std::string_view triple) {
  const std::string name = fmt::format("qemu-{}", family.qemu);
  const std::optional<std::string> program = findProgram({name, name + "-static"});
  if (!program) return missing(name + " is not installed (Debian: qemu-user)");
  const std::string_view system = triple.ends_with("hf") ? family.hard_float_system : family.system;
  return {{*program, "-L", fmt::format("/usr/{}", system)}, ""};
}

}  // namespace

Runner emulatorFor(std::string_view triple, std::string_view machine) {
  for (const Family& family : kFamilies) {
    if (!triple.starts_with(family.prefix)) continue;
    // Those with the highest byte first are other processors to qemu.
    const std::string_view rest = triple.substr(family.prefix.size());
    if (rest.starts_with("_be") || rest.starts_with("eb")) break;
    if (!machine.empty()) return ofMachine(family, machine);
    if (triple.find("linux") != std::string_view::npos && !family.system.empty())
      return ofLinux(family, triple);
    return missing(
        fmt::format("nothing here runs code for {} without a 'machine' in its program.toml", triple));
  }
  return missing(fmt::format("nothing here runs code for {}", triple));
}

}  // namespace ordo::datasets

// Brings a file of knowledge (docs/formats/knowledge.md) to a search for one program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "search/knowledge/function_sequences.h"
#include "search/knowledge/knowledge.h"
#include "support/error.h"

namespace ordo::engine {

// `observation` of the session's state as plain numbers. kInvalidArgument if it is text.
Result<std::vector<double>> observeNumbers(env::Session& session, std::string_view observation);

// A program with copies of functions that each of its users has as well: at least a tenth of those that it
// defines are linkonce, as C++'s inline functions and templates are. A copy that has been inlined everywhere
// is gone, where a function that others may call stays; so inlining pays more, also for size.
inline constexpr std::string_view kLinkonce = "linkonce";

// A program without unwind tables: fewer than a tenth of its functions have an entry, as where code is made
// for small machines. A function that is gone takes no entry with it, and so inlining pays less in bytes.
inline constexpr std::string_view kTableless = "tableless";

// Of those, one for a machine whose instructions are of two lengths, where what is short decides: Arm's
// Thumb, and RISC-V, whose compressed ones are usual.
inline constexpr std::string_view kThumb = "tableless/thumb";
inline constexpr std::string_view kRiscv = "tableless/riscv";

// What kindOf() goes by: functions with a body.
struct FunctionCounts {
  double all = 0;
  double linkonce = 0;
  double tables = 0;  // those with an entry in the unwind tables
};

// The kind of a program with such functions for the machine `triple`: kLinkonce, or else kThumb, kRiscv or
// kTableless, or "".
std::string_view kindOf(const FunctionCounts& functions, std::string_view triple);

// The kind of the session's program as it is now, for search::knowledgeFor().
Result<std::string_view> kindOf(env::Session& session);

// What the option --knowledge means: "shipped" is the file that comes with Ordo,
// <data>/knowledge/debian.json, "none" is none, "", and anything else is a path.
std::string knowledgePath(std::string_view option);
// The same for a policy: <data>/policy/size.safetensors. None is shipped for objectives of run time, where
// the one that was learned, speed.safetensors, did not pay (docs/learned.md): it has to be named.
std::string policyPath(std::string_view option, std::string_view objective = "");

// What searchers may know of other programs: files, "" is none.
struct Learned {
  std::string knowledge;  // docs/formats/knowledge.md
  std::string policy;     // docs/formats/weights.md
};

// What tells it from other such: "none", or the hashes of the files. Fails for files that cannot be read or
// are not what they should be, so that a study of hours does not begin with them.
Result<std::string> fingerprint(const Learned& learned);

// The policy in `path`, which fits this backend and enough of a space's actions. The error says what does not
// fit and what to do; kNotFound if there is no such file.
Result<std::shared_ptr<const policy::Policy>> loadPolicy(const std::string& path,
                                                         const env::BackendInfo& info,
                                                         std::span<const env::Action> actions);

// The sequences of functions that lie beside the file of knowledge, "functions.json"; none where there is no
// such file, or it is of another compiler. Fails as search::parseFunctionSequences().
Result<search::FunctionSequences> loadFunctionSequences(const Learned& learned, const env::BackendInfo& info);

// `learned` for a search on `spec`, with the features of its program. Fails as parseKnowledge(),
// knowledgeFor() and loadPolicy() do.
Result<search::Knowledge> loadKnowledge(const Learned& learned, env::Backend& backend,
                                        const env::SessionSpec& spec);

}  // namespace ordo::engine

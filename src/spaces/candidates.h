// From what a backend could do to what is worth probing: names, nesting and parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "spaces/manifest.h"
#include "support/error.h"

namespace ordo::spaces {

// An action to be: a row of the manifest that has not been probed.
struct Candidate {
  std::string name;
  RowKind kind = RowKind::kPass;
  std::string level;
  std::string params;
  // Ways to write it, the preferred one first; the manifest gets the first that works. A loop pass
  // that needs MemorySSA ends the process inside loop(), and LLVM does not say which those are.
  std::vector<std::string> texts;
  // What that nesting does by itself, or "": loop() puts loops into canonical form before any pass
  // sees them, which is not the pass's doing.
  std::string neutral;
};

struct Candidates {
  std::vector<Candidate> actions;  // names are unique
  std::vector<Skipped> skipped;    // transforms of the backend that only look, or that nobody could undo
};

// A pipeline captured elsewhere, such as clang's own: {"clang-Oz", "annotation2metadata,..."}.
struct NamedPipeline {
  std::string name;
  std::string text;
};

// Every transform of `backend`, either as a candidate or as skipped, then what `variants` and
// `pipelines` add. A pass that exists at two levels keeps its name at the outer one and is called
// "loop(guard-widening)" at the inner one.
//
// `variants` has one action per line ('#' starts a comment):
//   gvn<no-pre>                    parameters for a pass, nested as that pass is
//   bare-Oz = default<Oz>          a pipeline and its name
//   piece oz-unroller = ...        a part of a pipeline, for spaces that are made of such parts
//   +minsize                       an attribute
//   codegen<disable-lsr>           an option of the code generator
// kCorrupt with the line for anything else and for a name that is taken.
Result<Candidates> findCandidates(const env::BackendInfo& backend, std::string_view variants,
                                  const std::vector<NamedPipeline>& pipelines = {});

}  // namespace ordo::spaces

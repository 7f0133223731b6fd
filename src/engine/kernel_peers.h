// Other people's libraries on the same kernel: OpenBLAS, oneDNN, PyTorch as it is, and if wanted their
// compilers, torch.compile and IREE; run by a program in Python (data/peers/kernel_peers.py) that has
// compared every element before it times anything.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "support/dialogue.h"
#include "support/error.h"
#include "support/files.h"

namespace ordo::engine {

struct KernelPeer {
  std::string name;     // "openblas", "onednn", "pytorch", "torch.compile", "iree"
  std::string version;  // "OpenBLAS 0.3.34", or "" if it cannot be had
  std::string why;      // it cannot, or ""
};

struct KernelRivals {
  unsigned threads = 1;
  bool compilers = false;  // too, which take up to a minute for each kernel before it runs
};

// One thread at a time.
class KernelPeers {
 public:
  // Starts them with what `kernel` observes of its program, whose text before any step is `source`, with
  // $ORDO_PYTHON or python3.
  // Errors: no such program, one that says nothing sensible, those of Session::observe(). That a library is
  // not installed or has nothing for this kernel is no error but its `why`.
  static Result<std::unique_ptr<KernelPeers>> start(env::Session& kernel, std::string_view source,
                                                    KernelRivals rivals);

  const std::vector<KernelPeer>& all() const { return all_; }

  // Nanoseconds of one run, the least of several. REQUIRES: it has a version.
  Result<env::Measurement> time(std::string_view peer);

 private:
  KernelPeers(TempDir folder, std::unique_ptr<Dialogue> dialogue);

  TempDir folder_;  // what it reads
  std::unique_ptr<Dialogue> dialogue_;
  std::vector<KernelPeer> all_;
};

}  // namespace ordo::engine

// A searcher looks for better sequences until its context is done. All there are
// stand in search/catalog/.
//
// Names are persistent API: recipes record them.
#pragma once

#include <memory>
#include <string_view>

#include "search/searcher/context.h"

namespace ordo::search {

class Searcher {
 public:
  virtual ~Searcher() = default;

  // Calls context.evaluate() until context.done(). May return earlier if there is nothing left to
  // try. The context remembers the best; a searcher has no result.
  virtual void run(SearchContext& context) = 0;
};

struct SearcherInfo {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Searcher> (*make)();
  // Tries a fixed list of candidates and ends. A bar for the others, which promise to improve any
  // program that the actions can improve; this does not.
  bool finite = false;
};

}  // namespace ordo::search

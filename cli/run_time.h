// What the objective `runtime` needs of the command line: --run, and how its results, and limits, are said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "recipe/recipe.h"
#include "support/error.h"
#include "timing/rig.h"

namespace ordo::cli {

// "./prog -9 'a file' data/*.txt": words as a shell reads them, the first of which stands for what is built
// and is one of `names`, in whatever folder: any other program (a script that runs it, one of another name)
// would not be what is timed. It has to exit with 0. `stdin_file` is "" for none. kInvalidArgument for
// another program, and for what needs a shell. REQUIRES: there is a name.
Result<timing::Input> parseRun(const std::string& text, const std::string& stdin_file,
                               const std::vector<std::string>& names);

// What each limit of `recipe` came to, and where the result stands; a line each.
std::string limitsText(const recipe::Recipe& recipe);

// A figure of a recipe: "12 345", or "16.87 ms" of an experiment's seconds.
std::string figureText(std::string_view metric, double value);
// What stands before it in a column: "weighted" for several metrics at once (env/preference.h), whose names
// and weights are too long for that.
std::string_view metricText(std::string_view metric);

// Verdict, interval, why, and what was checked; each line with its end.
std::string timingText(const recipe::Timing& timing);

// A line if the text of what is faster has grown by more than a tenth, with what to do about it; else "".
std::string growthText(const recipe::Recipe& recipe);

}  // namespace ordo::cli

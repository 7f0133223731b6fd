// Recipes come from other people: no text may crash the parser, and what it accepts must survive
// being written and read again.
#include <cstddef>
#include <cstdint>

#include "recipe/recipe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ordo;
  const auto recipe = recipe::parse({reinterpret_cast<const char*>(data), size}, "recipe.json");
  if (!recipe) {
    ORDO_CHECK(!recipe.error().message.empty(), "an error that says nothing");
    return 0;
  }
  const std::string text = recipe::write(*recipe);
  const auto again = recipe::parse(text, "recipe.json");
  ORDO_CHECK(again.has_value(), "what was written is not read: {}", again.error().message);
  ORDO_CHECK(recipe::write(*again) == text, "another recipe was read than was written");
  return 0;
}

#include "engine/image.h"

#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::engine {
namespace {

TEST(ImageTest, FlashAndRamAreWhatIsStoredAndWhatIsWritten) {
  Image image;
  image.sections = {{.name = ".text", .bytes = 100, .loaded = true, .executable = true},
                    {.name = ".data", .bytes = 8, .loaded = true, .written = true},
                    {.name = ".bss", .bytes = 32, .loaded = true, .written = true, .in_file = false}};
  EXPECT_EQ(image.flash(), 108U);
  EXPECT_EQ(image.ram(), 40U);
}

TEST(ImageTest, IsOfTheLinkedProgram) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "f.c",
                        "int kept = 1; int gone(int x) { return x * x; }\n"
                        "void start(void) { ++kept; for (;;) {} }\n"));
  Result<Input> input = prepareInput((dir.path() / "f.c").string(), {},
                                     {"--target=thumbv7em-none-eabi", "-ffunction-sections"});
  ASSERT_TRUE(input) << input.error().message;
  input->program.ldflags = {"-nostdlib", "-Wl,-e,start,--gc-sections"};
  const Result<std::string> object = input->toolchain->emit(*input, input->compiled.bytes, {});
  ASSERT_TRUE(object) << object.error().message;
  const Result<Image> image = imageOf(*input, *object);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->ram(), 4U);
  EXPECT_GT(image->flash(), 4U);
  const Result<Image> more = readImage(*object);  // with the function that nobody calls
  ASSERT_TRUE(more);
  EXPECT_GT(more->flash(), image->flash());
}

TEST(ImageTest, RamHasAPriceInFlash) {
  const auto image = [](std::uint64_t flash, std::uint64_t ram) {
    ElfSection code{.name = ".text"}, variables{.name = ".bss"};
    code.bytes = flash;
    code.loaded = true;
    variables.bytes = ram;
    variables.written = variables.loaded = true;
    variables.in_file = false;
    return Image{{code, variables}, {}};
  };
  const Image baseline = image(47'812, 9'880);
  EXPECT_TRUE(mayReplace(baseline, baseline, kRamPrice));
  EXPECT_TRUE(mayReplace(image(45'708, 9'896), baseline, kRamPrice)) << "16 bytes for 2,104";
  EXPECT_FALSE(mayReplace(image(45'708, 9'896), baseline, 132));
  EXPECT_FALSE(mayReplace(image(47'800, 9'896), baseline, kRamPrice)) << "16 bytes for 12";
  EXPECT_FALSE(mayReplace(image(47'813, 9'000), baseline, kRamPrice)) << "flash is what is made small";
  EXPECT_TRUE(mayReplace(image(47'812, 9'879), baseline, kRamPrice));
}

}  // namespace
}  // namespace ordo::engine

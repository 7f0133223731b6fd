#include "harvest/licence.h"

#include <gtest/gtest.h>

namespace ordo::harvest {
namespace {

TEST(LicenceOf, NamesTheLicencesOfAMachineReadableFileOnce) {
  EXPECT_EQ(
      licenceOf("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
                "\nFiles: *\nLicense: Zlib\n text\n\nFiles: debian/*\nLicense: GPL-2+ \n\nLicense: Zlib\n"),
      "Zlib, GPL-2+");
}

TEST(LicenceOf, LooksIntoNoOtherFile) {
  EXPECT_EQ(licenceOf("This package was made by somebody.\nLicense: GPL\n"), "see debian/copyright");
  EXPECT_EQ(licenceOf("Format: x\nFiles: *\n"), "see debian/copyright");
  EXPECT_EQ(licenceOf(""), "see debian/copyright");
}

}  // namespace
}  // namespace ordo::harvest

// Reads standard input as XML, copies the document and prints it, ROUNDS times; writes it at last.
#include "../driver.h"

#include "src/tinyxml2.h"

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 1);
  size_t size;
  const char* const data = reinterpret_cast<const char*>(read_all(&size));
  for (int round = 1; round <= rounds; ++round) {
    tinyxml2::XMLDocument document, copy;
    check(document.Parse(data, size) == tinyxml2::XML_SUCCESS, "parsing");
    document.DeepCopy(&copy);
    tinyxml2::XMLPrinter printer(nullptr, round % 2 == 0);
    copy.Print(&printer);
    if (round == rounds) fwrite(printer.CStr(), 1, static_cast<size_t>(printer.CStrSize()) - 1, stdout);
  }
  return 0;
}

// Reads standard input as XML and asks XPATH of it, ROUNDS times; writes what was found.
#include "../driver.h"

#include <sstream>

#include "src/src/pugixml.hpp"

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 1);
  check(argc > 2, "an argument is missing");
  size_t size;
  const unsigned char* const data = read_all(&size);
  std::string text;
  for (int round = 0; round < rounds; ++round) {
    pugi::xml_document document;
    check(document.load_buffer(data, size), "parsing");
    std::ostringstream out;
    const pugi::xpath_query query(argv[2]);
    if (query.return_type() == pugi::xpath_type_node_set) {
      for (const pugi::xpath_node& found : query.evaluate_node_set(document)) {
        if (found.node()) found.node().print(out, " ");
        if (found.attribute()) out << found.attribute().name() << '=' << found.attribute().value() << '\n';
      }
    } else {
      out << query.evaluate_string(document) << '\n';
    }
    text = out.str();
  }
  fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

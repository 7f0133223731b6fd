# cmake -DOUT=FILE -DSOURCES=a.cpp,b.cpp -P cmake/join_sources.cmake: writes these sources into one (see OrdoJoin.cmake).
cmake_policy(VERSION 3.25)
string(REPLACE "," ";" sources "${SOURCES}")
# What a neighbour includes may be hidden by a file's own names; where nothing is joined it is an error still.
set(text "#pragma GCC diagnostic ignored \"-Wshadow\"\n")
foreach(source IN LISTS sources)
  string(REGEX MATCH "([^/]+)/([^/]+)\\.cpp$" _ "${source}")
  set(own "in_${CMAKE_MATCH_1}_${CMAKE_MATCH_2}")
  file(READ "${source}" lines)
  # Still of the unnamed namespace for who asks for ordo::env::name.
  string(REPLACE "\nnamespace {\n" "\nnamespace { namespace ${own} {} using namespace ${own}; namespace ${own} {\n"
    lines "${lines}")
  string(REPLACE "\n}  // namespace\n" "\n}}  // namespace\n" lines "${lines}")
  # The entry of a catalog is made where the file's own names hide its neighbours', and copied to where it belongs.
  if(lines MATCHES "\nextern (constinit )?const ([A-Za-z:]+) ([a-z0-9_]+){")
    set(head "${CMAKE_MATCH_0}")
    set(entry "extern ${CMAKE_MATCH_1}const ${CMAKE_MATCH_2} ${CMAKE_MATCH_3} = ${own}::entry;")
    set(kind "const")
    if(CMAKE_MATCH_1)
      set(kind "constexpr")
    endif()
    string(REPLACE "${head}" "\nnamespace { namespace ${own} { ${kind} ${CMAKE_MATCH_2} entry{" lines "${lines}")
    string(REGEX REPLACE "\n}  // namespace ordo([^\n]*)\n$" "\n}} using namespace ${own}; ${entry}\n} // namespace ordo\\1\n"
      lines "${lines}")
  endif()
  string(APPEND text "#line 1 \"${source}\"\n${lines}")
endforeach()
file(WRITE "${OUT}" "${text}")

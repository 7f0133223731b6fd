# Sources are compiled a dozen files of a folder at a time: what they include, and what they instantiate of it, is most of
# what one costs, and neighbours share it (docs/development.md).
#
# CMake's own unity builds join files as they are. Here what stands in a file's unnamed namespace, which is all of a test
# and all but the entry of a catalog's member, is put into a namespace of that file, so that each may have its own
# `options` or `measured`. Where such a name is used behind that namespace, in what a file exports, it must be the only
# one of the folder: the compiler says that it is ambiguous. The lines that open and close it are found as clang-format
# writes them. Messages name the file and its line as ever.
# The presets `dev` and `gcc` join nothing: the one for short ways from an edit to a test, and the other to hold each file to
# include what it uses.
include_guard()

option(ORDO_JOIN "Compile a dozen files of a folder at a time" ON)

# ordo_join_sources(RESULT NAME SOURCES…): sets RESULT to what is to be compiled in the place of SOURCES, which are .cpp
# files with absolute paths. NAME begins the names of generated files.
function(ordo_join_sources result name)
  if(NOT ORDO_JOIN)
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  list(LENGTH ARGN count)
  math(EXPR groups "(${count} + 11) / 12")
  set(joined "")
  foreach(group RANGE 1 ${groups})
    math(EXPR begin "(${group} - 1) * ${count} / ${groups}")
    math(EXPR size "${group} * ${count} / ${groups} - ${begin}")
    list(SUBLIST ARGN ${begin} ${size} sources)
    set(out "${CMAKE_BINARY_DIR}/generated/joined/${name}_${group}.cpp")
    string(REPLACE ";" "," listed "${sources}")
    add_custom_command(OUTPUT "${out}" VERBATIM
      COMMAND "${CMAKE_COMMAND}" "-DOUT=${out}" "-DSOURCES=${listed}" -P "${CMAKE_SOURCE_DIR}/cmake/join_sources.cmake"
      DEPENDS ${sources} "${CMAKE_SOURCE_DIR}/cmake/join_sources.cmake")
    list(APPEND joined "${out}")
  endforeach()
  # Commands wait for what all their targets depend on: without this one, which depends on nothing, a library's sources
  # would be joined, and so compiled, only when the libraries below it are made.
  add_custom_target(joined_${name} DEPENDS ${joined})
  set(${result} ${joined} PARENT_SCOPE)
endfunction()

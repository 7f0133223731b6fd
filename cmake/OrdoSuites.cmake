# Unit tests as ctest sees them: one entry for each suite of GoogleTest, named <folder>.<Suite>, and not one for each
# test. Most tests take less than a process takes to start, and tests of a suite share what it sets up once, such as an
# engine. Failed tests are named in the entry's output; `./ordo test` counts tests, by the report of each suite in
# <build>/reports.
include_guard()

# ordo_add_suites(TARGET PREFIX [LABELS…])
function(ordo_add_suites target prefix)
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake")
  # ctest reads what is listed after each build; not built, the tests do not pass by not being there.
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake"
    "if(EXISTS \"${list}\")\n  include(\"${list}\")\nelse()\n"
    "  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake")
  string(REPLACE ";" "," labels "${ARGN}")
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM BYPRODUCTS "${list}"
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>" -DPREFIX=${prefix} -DLABELS=${labels}
      "-DOUT=${list}" "-DREPORTS=${CMAKE_BINARY_DIR}/reports" -P "${CMAKE_SOURCE_DIR}/cmake/list_suites.cmake")
endfunction()

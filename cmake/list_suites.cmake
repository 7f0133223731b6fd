# cmake -DPROGRAM=… -DPREFIX=… -DLABELS=a,b -DOUT=FILE -DREPORTS=DIR -P cmake/list_suites.cmake: asks a program of
# tests for its suites and writes a ctest entry for each (see OrdoSuites.cmake).
cmake_policy(VERSION 3.25)
execute_process(COMMAND "${PROGRAM}" --gtest_list_tests OUTPUT_VARIABLE listed TIMEOUT 120 COMMAND_ERROR_IS_FATAL ANY)
# A list of CMake's would stumble over brackets and semicolons of parameters, which follow a `#`.
string(REGEX REPLACE "#[^\n]*" "" listed "${listed}")
string(REGEX MATCHALL "\n[^ \n][^\n]*\\.[ ]*\n" suites "\n${listed}")
string(REPLACE "," ";" labels "${LABELS}")
set(text "")
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)
  string(REGEX REPLACE "\\.$" "" suite "${suite}")
  string(REPLACE "/" "." name "${PREFIX}.${suite}")
  string(APPEND text
    "add_test([=[${name}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*]=] --gtest_brief=1 [=[--gtest_output=xml:${REPORTS}/${name}.xml]=])\n"
    "set_tests_properties([=[${name}]=] PROPERTIES TIMEOUT 300 LABELS [=[${labels}]=])\n")
endforeach()
if(text STREQUAL "")
  message(FATAL_ERROR "${PROGRAM} has no tests")
endif()
file(WRITE "${OUT}" "${text}")

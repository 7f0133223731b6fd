# What programs of tests have in common. They spend half of their compile time on the headers of GoogleTest, which
# are compiled once for those that see LLVM's settings and once for the others, and on optimising what runs once.
include_guard()
set(ORDO_TEST_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O1>
  # g++ 12 sees more overlaps that are not there (GCC bug 105651) in headers that it has compiled before.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
foreach(kind plain llvm)
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/generated/test_headers_${kind}.cpp" CONTENT "")
  add_library(ordo_test_headers_${kind} OBJECT "${CMAKE_BINARY_DIR}/generated/test_headers_${kind}.cpp")
  target_compile_definitions(ordo_test_headers_${kind} PRIVATE
    ORDO_SOURCE_DIR="${CMAKE_SOURCE_DIR}" ORDO_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
  target_compile_options(ordo_test_headers_${kind} PRIVATE ${ORDO_TEST_OPTIONS})
  target_link_libraries(ordo_test_headers_${kind} PRIVATE ordo_options GTest::gmock)
  target_precompile_headers(ordo_test_headers_${kind} PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
endforeach()
target_link_libraries(ordo_test_headers_llvm PRIVATE ordo_llvm)

# Makes `target`, a program of tests, use those of `kind`. Not under sanitizers: there most of the time goes into code,
# and g++ 12 warns of more that is not there.
function(ordo_use_test_headers target kind)
  if(ORDO_SANITIZE)
    return()
  endif()
  target_compile_options(${target} PRIVATE ${ORDO_TEST_OPTIONS})
  target_precompile_headers(${target} REUSE_FROM ordo_test_headers_${kind})
endfunction()

# Headers that are compiled once and not for every file. With clang, that halves the time of a build or better
# (docs/development.md). g++ has to read the whole of what it has compiled for each file, which costs as much as the
# headers of most of ours: there only tests have any.
#
# What sees LLVM's settings, what sees libtorch's and what sees neither, each with GoogleTest and without. None names a header of
# ours, so that an edit compiles what includes it and nothing else; and each file includes what it uses, which the
# preset `gcc`, without any for sources, holds it to.
include_guard()

# Tests are compiled once and run once: time spent on optimising them is lost. Half of what -O1 takes.
set(ORDO_TEST_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O0>
  # g++ 12 sees more overlaps that are not there (GCC bug 105651) in headers that it has compiled before.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)

set(headers <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <condition_variable> <filesystem> <fstream>
  <functional> <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream> <string> <string_view>
  <thread> <tuple> <unordered_map> <unordered_set> <variant> <vector>
  <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp> <tl/expected.hpp>)
set(llvm_headers <llvm/Analysis/LoopInfo.h> <llvm/IR/Constants.h> <llvm/IR/Dominators.h> <llvm/IR/IRBuilder.h>
  <llvm/IR/InstIterator.h> <llvm/IR/Instructions.h> <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h>
  <llvm/Support/raw_ostream.h> <llvm/Target/TargetMachine.h>)
set(torch_headers <torch/torch.h> <nlohmann/json.hpp> <tl/expected.hpp>)
set(test_headers <gmock/gmock.h> <gtest/gtest.h>)

# Declares ordo_<kind>, which compiles the headers `ARGN`.
function(ordo_headers kind)
  set(source "${CMAKE_BINARY_DIR}/generated/${kind}.cpp")
  file(GENERATE OUTPUT "${source}" CONTENT "")
  add_library(ordo_${kind} OBJECT EXCLUDE_FROM_ALL "${source}")
  target_link_libraries(ordo_${kind} PRIVATE ordo_options)
  target_precompile_headers(ordo_${kind} PRIVATE ${ARGN})
  foreach(library llvm torch)
    if(kind MATCHES ${library})
      target_link_libraries(ordo_${kind} PRIVATE ordo_${library})
    endif()
  endforeach()
  if(kind MATCHES "test")
    target_compile_definitions(ordo_${kind} PRIVATE
      ORDO_SOURCE_DIR="${CMAKE_SOURCE_DIR}" ORDO_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
    target_compile_options(ordo_${kind} PRIVATE ${ORDO_TEST_OPTIONS})
    target_link_libraries(ordo_${kind} PRIVATE GTest::gmock)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # As the libraries, which are for the Python module and the plugin too: clang takes only what was compiled alike.
    set_target_properties(ordo_${kind} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
endfunction()

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  ordo_headers(headers_plain ${headers})
  ordo_headers(headers_cli ${headers} <CLI/App.hpp>)
  ordo_headers(headers_llvm ${headers} ${llvm_headers})
  if(ORDO_TORCH)
    ordo_headers(headers_torch ${torch_headers})
  endif()
endif()
if(ORDO_TESTS AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  ordo_headers(test_headers_plain ${headers} ${test_headers})
  ordo_headers(test_headers_llvm ${headers} ${llvm_headers} ${test_headers})
  if(ORDO_TORCH)
    ordo_headers(test_headers_torch ${torch_headers} ${test_headers})
  endif()
elseif(ORDO_TESTS AND NOT ORDO_SANITIZE)  # under sanitizers g++ 12 warns of yet more that is not there
  ordo_headers(test_headers_plain ${test_headers})
  ordo_headers(test_headers_llvm ${test_headers})
endif()

# Makes `target` use those of `kind` (headers_cli, [test_]headers_{plain,llvm,torch}), if there are any.
function(ordo_use_headers target kind)
  if(NOT TARGET ordo_${kind})
    return()
  endif()
  if(kind MATCHES "test")
    target_compile_options(${target} PRIVATE ${ORDO_TEST_OPTIONS})
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      target_compile_options(${target} PRIVATE -fPIC)  # see above
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ordo_${kind})
endfunction()

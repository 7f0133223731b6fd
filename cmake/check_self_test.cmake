# cmake -DCHECK=layers|mirror -DDIR=SCRATCH -P cmake/check_self_test.cmake: plants mistakes in a tree
# of its own and expects the check to find each, and nothing in the tree without them.
cmake_policy(VERSION 3.25)

# Writes FILE CONTENT… into a fresh tree and checks it; `expected` is a regular expression for what
# the check prints, or "" if it must pass.
function(expect what expected)
  file(REMOVE_RECURSE "${DIR}")
  file(WRITE "${DIR}/cmake/layers.txt" 
    "low:\nlow/open.h: LLVM  # a reason\nhigh: low LLVM\nback: high LLVM\nback/open.h: LLVM  # a reason\ncli: back\n"
    "wing/part: low LLVM\nwing/other: wing/part\n")
  while(ARGN)
    list(POP_FRONT ARGN path text)
    file(WRITE "${DIR}/${path}" "${text}\n")
  endwhile()
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${DIR}" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_${CHECK}.cmake"
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(expected STREQUAL "" AND NOT status EQUAL 0)
    message(SEND_ERROR "${what}: expected no violation, but: ${out}")
  elseif(NOT expected STREQUAL "" AND (status EQUAL 0 OR NOT out MATCHES "${expected}"))
    message(SEND_ERROR "${what}: expected /${expected}/, but: ${out}")
  endif()
endfunction()

if(CHECK STREQUAL "layers")
  expect("downward, own folder, system and LLVM where allowed" ""
    src/high/a.cpp "#include <vector>\n#include <llvm/IR/Module.h>\n#include \"high/a.h\"\n#include \"low/b.h\""
    src/back/open.h "#include <llvm/IR/Module.h>"
    src/back/one.cpp "#include <llvm/Passes/PassBuilder.h>")
  expect("upward" "src/low/b.h:2: includes \"high/a.h\": low may not see high"
    src/low/b.h "#pragma once\n#include \"high/a.h\"")
  expect("what a dependency sees is not inherited" "src/back/a.cpp:1: .*back may not see low"
    src/back/a.cpp "#include \"low/b.h\"")
  expect("LLVM in a folder without" "src/low/a.cpp:1: .*low is not marked LLVM"
    src/low/a.cpp "#include <llvm/IR/Module.h>")
  expect("MLIR in a folder that has LLVM" "src/high/a.cpp:1: .*high is not marked MLIR"
    src/high/a.cpp "#include <mlir/IR/MLIRContext.h>")
  expect("an exception does not mark a folder" "low is not marked LLVM"
    src/low/open.h "#include <llvm/IR/Module.h>")
  expect("LLVM in a header" "src/high/a.h:1: .*forward-declares"
    src/high/a.h "#include \"llvm/IR/Module.h\"")
  expect("a second PassBuilder" "src/back/two.cpp:1: .*only one file"
    src/high/one.cpp "#include <llvm/Passes/PassBuilder.h>"
    src/back/two.cpp "#include <llvm/Passes/PassBuilder.h>")
  expect("parts of a wing" ""
    src/wing/part/a.cpp "#include \"wing/part/a.h\"\n#include \"low/b.h\"\n#include <llvm/IR/Module.h>"
    src/wing/other/builtin/a.cpp "#include \"wing/part/a.h\"")
  expect("a part that may not see another" "src/wing/part/a.cpp:1: .*wing/part may not see wing/other"
    src/wing/part/a.cpp "#include \"wing/other/a.h\"")
  expect("LLVM in a part without" "src/wing/other/a.cpp:1: .*wing/other is not marked LLVM"
    src/wing/other/a.cpp "#include <llvm/IR/Module.h>")
  expect("a wing is no folder" "src/wing/a.cpp:1: the folder wing is not in" src/wing/a.cpp "")
  expect("a folder nobody declared" "src/new/a.cpp:1: the folder new is not in" src/new/a.cpp "")
  expect("tests are not for products" "cli/main.cpp:1: .*not folder/file.h" cli/main.cpp "#include \"tests/fakes/toy.h\"")
  expect("no folder named" "src/low/a.cpp:1: .*not folder/file.h" src/low/a.cpp "#include \"a.h\"")
elseif(CHECK STREQUAL "mirror")
  expect("a test, a reasoned exception and a catalog member" ""
    src/low/a.cpp "" tests/unit/low/a_test.cpp ""
    src/low/b.cpp "" tests/unit/mirror_exceptions.txt "# why\nsrc/low/b.cpp  # only forwards"
    src/low/builtin/c.cpp "")
  expect("a part of a wing without a test" "src/wing/part/a.cpp:1: no tests/unit/wing/part/a_test.cpp"
    src/wing/part/a.cpp "")
  expect("a part of a wing with one" "" src/wing/part/a.cpp "" tests/unit/wing/part/a_test.cpp "")
  expect("no test" "src/low/a.cpp:1: no tests/unit/low/a_test.cpp" src/low/a.cpp "")
  expect("an exception without a reason" "src/low/a.cpp has no reason"
    src/low/a.cpp "" tests/unit/mirror_exceptions.txt "src/low/a.cpp #")
  expect("an exception that is not needed" "src/low/a.cpp has a test"
    src/low/a.cpp "" tests/unit/low/a_test.cpp "" tests/unit/mirror_exceptions.txt "src/low/a.cpp # hard")
  expect("an exception for nothing" "src/low/gone.cpp does not exist"
    tests/unit/mirror_exceptions.txt "src/low/gone.cpp # hard")
  expect("a test that nothing builds" "tests/unit/low/builtin/c_test.cpp:1: no target builds this"
    tests/unit/low/builtin/c_test.cpp "")
else()
  message(FATAL_ERROR "CHECK must be layers or mirror")
endif()
file(REMOVE_RECURSE "${DIR}")

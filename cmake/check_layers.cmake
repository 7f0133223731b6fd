# cmake -P cmake/check_layers.cmake: holds every #include under src/ and in the folders of programs to cmake/layers.txt.
# -DROOT=DIR checks another tree (see check_self_test.cmake).
cmake_policy(VERSION 3.25)
if(NOT DEFINED ROOT)
  get_filename_component(ROOT "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
endif()

# layers.txt: `folder: folders it may include`, and `folder/header.h: LLVM` for the few headers that
# may include LLVM's.
file(STRINGS "${ROOT}/cmake/layers.txt" lines REGEX "^[a-z_./]+:")
set(folders "")
set(open_headers "")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([a-z_./]+):([^#]*)" _ "${line}")
  set(name "${CMAKE_MATCH_1}")
  separate_arguments(allowed UNIX_COMMAND "${CMAKE_MATCH_2}")
  if(name MATCHES "/")
    list(APPEND open_headers "${name}")
  else()
    list(APPEND folders "${name}")
    set(allowed_${name} "${name}" ${allowed})
  endif()
endforeach()

# Reports that `file` may not include `header`. The line is only looked up here: a list of all lines
# of a source file is not something that CMake can hold (brackets and semicolons).
set(violations 0)
function(violation file header why)
  file(READ "${ROOT}/${file}" text)
  string(FIND "${text}" "${header}" offset)
  string(SUBSTRING "${text}" 0 ${offset} before)
  string(REGEX MATCHALL "\n" newlines "${before}")
  list(LENGTH newlines line)
  math(EXPR line "${line} + 1")
  message("${file}:${line}: includes ${header}: ${why}")
  math(EXPR count "${violations} + 1")
  set(violations ${count} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files RELATIVE "${ROOT}"
  "${ROOT}/src/*.h" "${ROOT}/src/*.cpp" "${ROOT}/cli/*.h" "${ROOT}/cli/*.cpp"
  "${ROOT}/worker/*.h" "${ROOT}/worker/*.cpp" "${ROOT}/wrapper/*.h" "${ROOT}/wrapper/*.cpp"
  "${ROOT}/differ/*.h" "${ROOT}/differ/*.cpp"
  "${ROOT}/compiler/*.h" "${ROOT}/compiler/*.cpp" "${ROOT}/plugin/*.h" "${ROOT}/plugin/*.cpp"
  "${ROOT}/trainer/*.h" "${ROOT}/trainer/*.cpp")
set(pass_builder_users "")
foreach(file IN LISTS files)
  string(REGEX REPLACE "^src/" "" path "${file}")
  string(REGEX MATCH "^[^/]+" folder "${path}")
  if(NOT folder IN_LIST folders)
    message("${file}:1: the folder ${folder} is not in cmake/layers.txt")
    math(EXPR violations "${violations} + 1")
    continue()
  endif()
  file(STRINGS "${ROOT}/${file}" includes REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  foreach(include IN LISTS includes)
    string(REGEX MATCH "[<\"]([^>\"]+)[>\"]" header "${include}")
    set(included "${CMAKE_MATCH_1}")
    if(included MATCHES "^(llvm|llvm-c|clang|mlir)/")
      if(NOT "LLVM" IN_LIST allowed_${folder})
        violation(${file} ${header} "${folder} is not marked LLVM in cmake/layers.txt")
      elseif(file MATCHES "\\.h$" AND NOT path IN_LIST open_headers)
        violation(${file} ${header} "a header forward-declares LLVM types, so that its users do not pay for them")
      endif()
      if(included STREQUAL "llvm/Passes/PassBuilder.h" AND NOT file STREQUAL "plugin/main.cpp")
        list(APPEND pass_builder_users "${file}")
      endif()
    elseif(header MATCHES "^\"")
      string(REGEX MATCH "^[^/]+" target "${included}")
      if(NOT included MATCHES "/" OR NOT target IN_LIST folders)
        violation(${file} ${header} "not folder/file.h with a folder of cmake/layers.txt")
      elseif(NOT target IN_LIST allowed_${folder})
        violation(${file} ${header} "${folder} may not see ${target} (cmake/layers.txt)")
      endif()
    endif()
  endforeach()
endforeach()

# One include of it costs five seconds of every build: the others go through the one that has it. But a
# plugin is handed a pass builder.
list(LENGTH pass_builder_users count)
if(count GREATER 1)
  foreach(file IN LISTS pass_builder_users)
    violation(${file} "<llvm/Passes/PassBuilder.h>" "only one file of the project may")
  endforeach()
endif()

list(LENGTH files count)
if(violations)
  message(FATAL_ERROR "${violations} violations in ${count} files")
endif()
message("${count} files keep to cmake/layers.txt")

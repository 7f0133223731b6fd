# One folder, one library: every folder of cmake/layers.txt becomes a static library whose
# dependencies are read from that table, so the table cannot drift from what is linked.

# Reads cmake/layers.txt into ORDO_LAYERS (folder names in order) and ORDO_DEPS_<folder>.
file(STRINGS "${CMAKE_SOURCE_DIR}/cmake/layers.txt" ORDO_LAYER_LINES REGEX "^[a-z_]+:")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/cmake/layers.txt")
set(ORDO_LAYERS "")
foreach(line IN LISTS ORDO_LAYER_LINES)
  string(REGEX MATCH "^([a-z_]+):(.*)$" _ "${line}")
  set(folder "${CMAKE_MATCH_1}")
  separate_arguments(deps UNIX_COMMAND "${CMAKE_MATCH_2}")
  list(APPEND ORDO_LAYERS "${folder}")
  set(ORDO_DEPS_${folder} "${deps}")
endforeach()

# Writes <build>/generated/<folder>/builtin.def with one ORDO_ENTRY(stem) per builtin/*.cpp.
# A static object that registers itself would silently vanish from a static library; a
# misspelt entry here is a link error instead.
function(ordo_write_catalog folder dir)
  file(GLOB members CONFIGURE_DEPENDS "${dir}/builtin/*.cpp")
  if(NOT members)
    return()
  endif()
  list(SORT members)
  set(text "// Generated from ${folder}/builtin/*.cpp by cmake/OrdoLibrary.cmake.\n")
  foreach(member IN LISTS members)
    get_filename_component(stem "${member}" NAME_WE)
    string(APPEND text "ORDO_ENTRY(${stem})\n")
  endforeach()
  set(out "${CMAKE_BINARY_DIR}/generated/${folder}/builtin.def")
  if(EXISTS "${out}")
    file(READ "${out}" old)
  endif()
  if(NOT "${old}" STREQUAL "${text}")
    file(WRITE "${out}" "${text}")
  endif()
endfunction()

# Declares the library for src/<folder> (or <folder> at the root for cli and worker).
function(ordo_library folder dir)
  file(GLOB sources CONFIGURE_DEPENDS "${dir}/*.cpp" "${dir}/builtin/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  ordo_write_catalog(${folder} "${dir}")
  if(NOT sources)
    return()
  endif()
  if("TORCH" IN_LIST ORDO_DEPS_${folder} AND NOT ORDO_TORCH)
    return()
  endif()
  add_library(ordo_${folder} STATIC ${sources})
  target_include_directories(ordo_${folder} PUBLIC
    "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")
  target_link_libraries(ordo_${folder} PUBLIC ordo_options)
  # The Python module and the plugin are made of them.
  set_target_properties(ordo_${folder} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  foreach(dep IN LISTS ORDO_DEPS_${folder})
    if(dep STREQUAL "LLVM")
      target_link_libraries(ordo_${folder} PUBLIC ordo_llvm)
    elseif(dep STREQUAL "TORCH")
      target_link_libraries(ordo_${folder} PUBLIC ordo_torch)
    elseif(TARGET ordo_${dep})
      target_link_libraries(ordo_${folder} PUBLIC ordo_${dep})
    endif()
  endforeach()
endfunction()

# One test binary per tests/unit/<folder>, linked with what that folder is allowed to see.
function(ordo_unit_tests folder)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/unit/${folder}/*_test.cpp")
  if(NOT sources OR NOT TARGET ordo_${folder})
    return()
  endif()
  add_executable(test_${folder} ${sources})
  target_include_directories(test_${folder} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_definitions(test_${folder} PRIVATE
    ORDO_SOURCE_DIR="${CMAKE_SOURCE_DIR}" ORDO_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
  target_link_libraries(test_${folder} PRIVATE ordo_${folder} ${ARGN} GTest::gmock GTest::gtest_main)
  if("TORCH" IN_LIST ORDO_DEPS_${folder})
    # Alone with libtorch's settings.
  elseif("LLVM" IN_LIST ORDO_DEPS_${folder})
    ordo_use_test_headers(test_${folder} llvm)
  else()
    ordo_use_test_headers(test_${folder} plain)
  endif()
  gtest_discover_tests(test_${folder} TEST_PREFIX "${folder}." DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 120 LABELS unit)
endfunction()

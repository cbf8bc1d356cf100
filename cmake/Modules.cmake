# One CMake target per folder of slipset/, linked only to the folders that it may include.

include(GNUInstallDirs)

# Flags for everything of ours: slipset_flags(TARGET).
function(slipset_flags target)
  if(SLIPSET_STRICT)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                                             -Wnon-virtual-dtor -Woverloaded-virtual -Werror
                                             # Where files are compiled together, each is no longer the main file.
                                             $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# For code that computes little itself, where optimisation would be most of the compile time.
function(slipset_quick_to_compile target)
  # At -O1 g++ 12 sees uninitialised members in variants, and copies beyond a string's end, where there are none.
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-array-bounds -Wno-restrict -Wno-stringop-overread -Wno-stringop-overflow>)
endfunction()

# Headers of other projects that most sources read, compiled once per build: slipset_headers(TARGET more...).
function(slipset_headers target)
  target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <filesystem> <functional> <memory> <numeric> <optional>
                            <string> <variant> <vector> <Eigen/Dense> <fmt/format.h> ${ARGN})
endfunction()

# slipset_module(NAME [QUICK] FOLDER folder LINKS public libraries... PRIVATE libraries...): all sources of slipset/NAME,
# or of slipset/FOLDER, and of its folder internal/. Nothing happens for a part that is not wanted (cmake/Parts.cmake).
# QUICK: nothing in it runs in a hot loop.
function(slipset_module name)
  if(NOT name IN_LIST SLIPSET_PARTS)
    return()
  endif()
  cmake_parse_arguments(ARG "QUICK" "FOLDER" "LINKS;PRIVATE" ${ARGN})
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER ${name})
  endif()
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/internal/*.cpp)
  add_library(slipset_${name} STATIC ${sources})
  add_library(slipset::${name} ALIAS slipset_${name})
  set_target_properties(slipset_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(slipset_${name} PUBLIC cxx_std_20)
  target_include_directories(slipset_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  foreach(used IN LISTS SLIPSET_USES_${name})
    target_link_libraries(slipset_${name} PUBLIC slipset_${used})
  endforeach()
  target_link_libraries(slipset_${name} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_PRIVATE})
  slipset_flags(slipset_${name})
  if(ARG_QUICK)
    slipset_quick_to_compile(slipset_${name})
  else()
    # Files that are compiled together are one large unit to g++, in which it would inline less.
    target_compile_options(slipset_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:--param=large-unit-insns=200000>)
  endif()
  if(name STREQUAL core)
    slipset_headers(slipset_core)
  elseif(name STREQUAL scenario)
    slipset_headers(slipset_scenario <nlohmann/json.hpp> <toml++/toml.h>)
  elseif(name MATCHES "report|studies")
    target_precompile_headers(slipset_${name} REUSE_FROM slipset_scenario)
  else()
    target_precompile_headers(slipset_${name} REUSE_FROM slipset_core)
  endif()
  # Where CMAKE_UNITY_BUILD is on (the release preset): files that share their headers are read together.
  # Those with eigenvalues of dense matrices are large enough by themselves.
  if(name STREQUAL stability)
    set_target_properties(slipset_${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 4)
  else()
    set_target_properties(slipset_${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  endif()
endfunction()

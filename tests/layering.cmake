# Which folder may include which:
#   cmake -D SOURCE=<project> -P tests/layering.cmake
# Looks at the `#include` lines themselves, not at what they bring along. With a violation planted for each rule it
# must fail; the test `layering_self_test` does that.
cmake_minimum_required(VERSION 3.25)

# The deepest folder that holds a file decides. Every other folder of the project is off limits.
set(may_include_base base)
set(may_include_grammar base grammar)
set(may_include_runtime base runtime)
set(may_include_stdlib base stdlib)
set(may_include_interpreter base grammar runtime stdlib interpreter interpreter/planning interpreter/oracle)
set(may_include_interpreter/planning base runtime interpreter/planning)
set(may_include_interpreter/oracle base grammar interpreter interpreter/oracle)
set(layers base grammar runtime stdlib interpreter interpreter/planning interpreter/oracle)

# Of `path`, the deepest of the layers, or its first folder.
function(layer_of path result)
  string(REGEX REPLACE "/.*" "" found "${path}")
  foreach(layer IN LISTS layers)
    if(path MATCHES "^${layer}/")
      set(found ${layer})
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Appends what is wrong with the includes of `file` to `violations`, and counts those it looked at in `seen`.
function(check_file file)
  layer_of("${file}" layer)
  file(STRINGS "${SOURCE}/${file}" lines REGEX "^[ \t]*#[ \t]*include")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "include[ \t]*([\"<])([^\">]+)[\">]")
      continue()
    endif()
    set(quote "${CMAKE_MATCH_1}")
    set(target "${CMAKE_MATCH_2}")
    if(quote STREQUAL "\"" AND NOT EXISTS "${SOURCE}/${target}")
      list(APPEND violations "${file}: \"${target}\" is no file, seen from the project's root")
      continue()
    endif()
    if(NOT EXISTS "${SOURCE}/${target}" OR IS_DIRECTORY "${SOURCE}/${target}")
      continue() # a library's header
    endif()
    layer_of("${target}" target_layer)
    math(EXPR seen "${seen} + 1")
    if(NOT target_layer IN_LIST may_include_${layer})
      list(APPEND violations "${file}: ${layer} must not include ${target}")
    endif()
  endforeach()
  set(violations "${violations}" PARENT_SCOPE)
  set(seen "${seen}" PARENT_SCOPE)
endfunction()

set(violations)
foreach(layer base grammar runtime stdlib interpreter)
  set(seen 0)
  file(GLOB_RECURSE files RELATIVE "${SOURCE}" "${SOURCE}/${layer}/*.h" "${SOURCE}/${layer}/*.cpp")
  foreach(file IN LISTS files)
    check_file("${file}")
  endforeach()
  # A check that matches nothing can never fail. Only stdlib has no more than one header.
  if(seen EQUAL 0 AND NOT layer STREQUAL "stdlib")
    list(APPEND violations "${layer}: not one include was recognised; is this check looking in the wrong place?")
  endif()
endforeach()

if(violations)
  list(JOIN violations "\n  " text)
  message(FATAL_ERROR "layering:\n  ${text}")
endif()

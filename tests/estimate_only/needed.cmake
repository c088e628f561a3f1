# A program that links shard_estimate alone needs none of the libraries that run programs or serve the command:
#   cmake -D PROGRAM=<it> -D COMMAND=<shard, which needs them all> -P needed.cmake
cmake_minimum_required(VERSION 3.25)

set(names tbb dnnl blis "(gomp|omp)" edit)

function(libraries_of program result)
  execute_process(
    COMMAND ldd ${program}
    OUTPUT_VARIABLE text
    COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

libraries_of("${PROGRAM}" needed)
libraries_of("${COMMAND}" control)
foreach(name IN LISTS names)
  if(needed MATCHES "[ \t]lib${name}[.0-9]*\\.so")
    message(SEND_ERROR "${PROGRAM} needs lib${name}:\n${needed}")
  endif()
  # A name that is written wrong would never be found.
  if(NOT control MATCHES "[ \t]lib${name}[.0-9]*\\.so")
    message(SEND_ERROR "${COMMAND} does not need lib${name}; is it looked for in the wrong place?\n${control}")
  endif()
endforeach()

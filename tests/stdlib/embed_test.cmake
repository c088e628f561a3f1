# Embeds a text with everything that CMake and C++ treat specially, and wants it back byte for byte:
#   cmake -D EMBED=embed.cmake -D ROOT=<project> -D COMPILER=<c++> -D SCRATCH=<folder> -P embed_test.cmake
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(WRITE "${SCRATCH}/odd.shard" [==[
"quotes" 'single' \ \n \" ; [x;y] ]] ${VARIABLE} $ENV{HOME} @name@ $<expression>
A[I_X, J] ·_J B[J, K_Y] → C[I_X, K_Y]   # UTF-8, and no line end after this]==])
file(WRITE "${SCRATCH}/empty.shard" "")
file(WRITE "${SCRATCH}/main.cpp" [==[
#include <iostream>
#include "stdlib/library.h"
int main(int, char** words) { std::cout << *shard::library_module(words[1]); }
]==])
run(${CMAKE_COMMAND} -D OUTPUT=${SCRATCH}/library.cpp -P ${EMBED} -- ${SCRATCH}/odd.shard ${SCRATCH}/empty.shard)
run(${COMPILER} -std=c++20 -I ${ROOT} ${SCRATCH}/library.cpp ${SCRATCH}/main.cpp -o ${SCRATCH}/print)
foreach(module odd empty)
  execute_process(COMMAND ${SCRATCH}/print ${module} OUTPUT_FILE ${SCRATCH}/${module}.printed COMMAND_ERROR_IS_FATAL ANY)
  run(${CMAKE_COMMAND} -E compare_files ${SCRATCH}/${module}.shard ${SCRATCH}/${module}.printed)
endforeach()
file(REMOVE_RECURSE "${SCRATCH}")

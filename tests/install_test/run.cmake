# Installs a build into an empty folder, moves that elsewhere, and builds and runs a consumer against it:
#   cmake -D BUILD=<build folder> -D SCRATCH=<folder> -D GENERATOR=Ninja -D FLAGS=<for the compiler> -D CONSUMER=<its source> -P run.cmake
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${SCRATCH}/installed")
# A package that remembers where it was installed first would fail from here on.
file(RENAME "${SCRATCH}/installed" "${SCRATCH}/moved")
run("${SCRATCH}/moved/bin/shard" --version)
run(${CMAKE_COMMAND} -S "${CONSUMER}" -B "${SCRATCH}/consumer" -G "${GENERATOR}" -D CMAKE_BUILD_TYPE=Release -D
    "CMAKE_CXX_FLAGS=${FLAGS}" -D "CMAKE_PREFIX_PATH=${SCRATCH}/moved")
run(${CMAKE_COMMAND} --build "${SCRATCH}/consumer")
run("${SCRATCH}/consumer/estimates")
run("${SCRATCH}/consumer/executes")
file(REMOVE_RECURSE "${SCRATCH}")

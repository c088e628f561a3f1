# Compiler flags of our own targets, linked PRIVATE so that they never reach a user of the package.
add_library(shard_warnings INTERFACE)
target_compile_options(
  shard_warnings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wnon-virtual-dtor
            -Wimplicit-fallthrough
            -Wno-missing-field-initializers
            # GCC 12 and 13 see overlapping copies in std::string where there are none (GCC bug 105651), and unset
            # members of std::optional and std::variant (GCC bug 80635).
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
            $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
            # A loop that is not vectorised, as with sanitizers, is only slow.
            $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>
            # Of several files in one unit, Clang takes a local name for one that hides the same name of another file.
            $<$<AND:$<CXX_COMPILER_ID:Clang>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-shadow>
            $<$<BOOL:${SHARD_WERROR}>:-Werror>)
if(SHARD_SANITIZE)
  add_compile_options(-fsanitize=${SHARD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # These stand at every access to memory, a fifth of the time to compile. Pointers to nothing, or behind the end of an object,
  # are what the address sanitizer finds where they are used.
  add_compile_options(-fno-sanitize=null,alignment,object-size,pointer-overflow,vptr)
  add_compile_definitions(SHARD_SANITIZED)  # for tests of what a sanitizer ends the process at
  add_link_options(-fsanitize=${SHARD_SANITIZE})
endif()

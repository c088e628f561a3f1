# Plants violations in a copy of a tiny project and wants layering.cmake to name each of them:
#   cmake -D CHECK=tests/layering.cmake -D SCRATCH=<folder> -P tests/layering_self_test.cmake
cmake_minimum_required(VERSION 3.25)

# A project in which every folder has a header and one permitted include.
function(write_clean_project)
  file(REMOVE_RECURSE "${SCRATCH}")
  foreach(header base/b grammar/g runtime/r stdlib/s interpreter/i interpreter/planning/p interpreter/oracle/o)
    file(WRITE "${SCRATCH}/${header}.h" "#include <vector>\n#include \"base/b.h\"\n")
  endforeach()
endfunction()

function(run_check result output)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${SCRATCH} -P ${CHECK}
    RESULT_VARIABLE status
    ERROR_VARIABLE text)
  set(${result} ${status} PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(expect_violation file include words)
  write_clean_project()
  file(APPEND "${SCRATCH}/${file}" "${include}\n")
  run_check(status output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${file}: ${words}" found)
  if(status EQUAL 0 OR found EQUAL -1)
    message(SEND_ERROR "`${include}` planted in ${file} was not found; the check said: ${output}")
  endif()
endfunction()

write_clean_project()
run_check(status output)
if(NOT status EQUAL 0)
  message(SEND_ERROR "the clean project was refused: ${output}")
endif()

expect_violation(base/b.h "#include \"grammar/g.h\"" "base must not include grammar/g.h")
expect_violation(grammar/g.h "#include \"runtime/r.h\"" "grammar must not include runtime/r.h")
expect_violation(grammar/g.h "#  include <interpreter/i.h>" "grammar must not include interpreter/i.h")
expect_violation(runtime/r.h "  #include \"grammar/g.h\"" "runtime must not include grammar/g.h")
expect_violation(runtime/r.h "#include \"interpreter/i.h\"" "runtime must not include interpreter/i.h")
expect_violation(stdlib/s.h "#include \"interpreter/i.h\"" "stdlib must not include interpreter/i.h")
expect_violation(interpreter/planning/p.h "#include \"grammar/g.h\""
                 "interpreter/planning must not include grammar/g.h")
expect_violation(interpreter/planning/p.h "#include \"interpreter/i.h\""
                 "interpreter/planning must not include interpreter/i.h")
expect_violation(interpreter/oracle/o.h "#include \"runtime/r.h\"" "interpreter/oracle must not include runtime/r.h")
expect_violation(interpreter/oracle/o.h "#include \"interpreter/planning/p.h\""
                 "interpreter/oracle must not include interpreter/planning/p.h")
expect_violation(runtime/r.h "#include \"b.h\"" "\"b.h\" is no file, seen from the project's root")

# The same name in another namespace is another type, and a declaration defines none.
write_clean_project()
file(APPEND "${SCRATCH}/grammar/g.h" "namespace shard {\nstruct Span {\n};\n}  // namespace shard\n")
file(APPEND "${SCRATCH}/runtime/r.h" "namespace shard::ast {\nstruct Span {};\n}  // namespace shard::ast\n")
file(APPEND "${SCRATCH}/interpreter/i.h" "namespace shard {\nstruct Span;\n}  // namespace shard\n")
run_check(status output)
if(NOT status EQUAL 0)
  message(SEND_ERROR "types of different namespaces were refused: ${output}")
endif()
foreach(definition "class Span final : Other {};" "struct Span {\n};" "class [[nodiscard]] Span {\n};" "union Span {\n};"
                   "class Span\n    : public Other {\n};" "enum class Span : int { Half };")
  write_clean_project()
  file(APPEND "${SCRATCH}/grammar/g.h" "namespace shard {\nstruct Span {\n};\n}  // namespace shard\n")
  file(APPEND "${SCRATCH}/runtime/r.h"
       "namespace shard {\nnamespace {\nint x;\n}  // namespace\n${definition}\n}  // namespace shard\n")
  run_check(status output)
  if(status EQUAL 0 OR NOT output MATCHES "runtime/r.h: shard::Span is defined by[ \n]+another header")
    message(SEND_ERROR "a type that two headers define passed, `${definition}`: ${output}")
  endif()
endforeach()

write_clean_project()
file(WRITE "${SCRATCH}/grammar/g.h" "// no include at all\n")
run_check(status output)
if(status EQUAL 0 OR NOT output MATCHES "grammar: not one include")
  message(SEND_ERROR "a folder without any include passed: ${output}")
endif()
file(REMOVE_RECURSE "${SCRATCH}")

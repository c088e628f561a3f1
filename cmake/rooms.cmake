# The rooms of the project, each with those that it stands directly on: it may include what is in these, and in all that these
# stand on. A room stands below its name here; the deepest one that holds a file is its own.
set(SHARD_ROOMS
  "base:"
  "stdlib:base"
  "grammar/source:base"
  "grammar/diagnostics:grammar/source"
  "grammar/markup:grammar/diagnostics grammar/source"
  "grammar/lex:grammar/markup grammar/diagnostics grammar/source"
  "grammar/tree:grammar/source"
  "grammar/print:grammar/tree"
  "grammar/translate:grammar/tree grammar/source"
  "grammar/foreign:grammar/translate grammar/markup grammar/tree grammar/diagnostics grammar/source"
  "grammar/document:grammar/source"
  "grammar/posted:grammar/markup grammar/source"
  "grammar/parse:grammar/lex grammar/print grammar/tree grammar/diagnostics grammar/source grammar/foreign grammar/posted"
  "runtime/algebra:base"
  "runtime/element:runtime/algebra"
  "runtime/machine:runtime/element"
  "runtime/plan:runtime/machine"
  "runtime/network:runtime/plan runtime/machine"
  "runtime/cost:runtime/network runtime/plan"
  "runtime/platform:runtime/element"
  "runtime/array:runtime/platform runtime/plan"
  "runtime/kernel:runtime/array runtime/platform"
  "runtime/collective:runtime/array runtime/network runtime/platform"
  "runtime/execute:runtime/kernel runtime/collective runtime/array"
  "interpreter/host:runtime/element grammar/diagnostics"
  "interpreter/ir:runtime/plan grammar/tree grammar/diagnostics"
  "interpreter/planning/search:runtime/cost"
  "interpreter/planning:interpreter/planning/search runtime/cost"
  "interpreter/planning/holes:base"
  "interpreter/holes:interpreter/ir grammar/print"
  "interpreter/check:interpreter/ir interpreter/planning interpreter/host grammar/parse stdlib"
  "interpreter/machine:interpreter/check"
  "interpreter/program:interpreter/ir interpreter/planning"
  "interpreter/reference:interpreter/ir runtime/element runtime/plan"
  "interpreter/estimate:interpreter/program interpreter/ir runtime/cost"
  "interpreter/suggest:interpreter/estimate interpreter/check grammar/foreign"
  "interpreter/evaluate:interpreter/suggest interpreter/check interpreter/estimate interpreter/ir"
  "interpreter/solve:interpreter/evaluate interpreter/machine interpreter/check interpreter/estimate interpreter/ir"
  "interpreter/gradient:interpreter/ir runtime/plan grammar/diagnostics"
  "interpreter/lower:interpreter/planning interpreter/program interpreter/estimate interpreter/ir"
  "interpreter/statements:interpreter/suggest interpreter/gradient interpreter/machine interpreter/check interpreter/evaluate interpreter/solve interpreter/holes interpreter/planning/holes interpreter/lower interpreter/estimate interpreter/program interpreter/host"
  "interpreter/execute:interpreter/program interpreter/estimate"
  "interpreter/emulate:interpreter/execute interpreter/reference runtime/execute"
  "interpreter/session:interpreter/statements interpreter/execute"
  "interpreter/report:interpreter/session"
  "interpreter/reading:interpreter/report interpreter/session grammar/document grammar/parse"
  "interpreter/testing:interpreter/host grammar/document"
  "interpreter/driver:interpreter/reading interpreter/report interpreter/session interpreter/emulate interpreter/testing")

# Where whole arrays are: of the rooms outside, one alone may include them.
set(SHARD_ROOMS_OF_ARRAYS runtime/platform runtime/array runtime/kernel runtime/collective runtime/execute)
set(SHARD_ROOM_BEFORE_ARRAYS interpreter/emulate)

# The libraries, `shard_estimate` and so on in CMake: each with its rooms, and what its CMakeLists.txt links it with, our own
# libraries first. What is above `arrays` is `estimate` with what that links, and is built without oneTBB, oneDNN, BLIS, OpenMP,
# libedit and CLI11.
set(SHARD_LIBRARIES
  "base:base:expected fmt"
  "stdlib:stdlib:base"
  "grammar:grammar/source grammar/diagnostics grammar/markup grammar/lex grammar/tree grammar/print grammar/translate grammar/foreign grammar/document grammar/posted grammar/parse:base fmt"
  "costs:runtime/algebra runtime/element runtime/machine runtime/plan runtime/network runtime/cost:base fmt"
  "estimate:interpreter/host interpreter/ir interpreter/planning/search interpreter/planning interpreter/planning/holes interpreter/holes interpreter/check interpreter/machine interpreter/program interpreter/estimate interpreter/suggest interpreter/evaluate interpreter/solve interpreter/gradient interpreter/lower interpreter/statements interpreter/execute interpreter/session interpreter/report interpreter/reading:grammar costs stdlib fmt nlohmann_json"
  "arrays:runtime/platform runtime/array runtime/kernel runtime/collective runtime/execute:costs fmt tbb dnnl OpenMP_CXX blas"
  "execute:interpreter/reference interpreter/emulate:estimate arrays fmt blas"
  "testing:interpreter/testing:estimate fmt"
  "driver:interpreter/driver:estimate execute testing fmt edit CLI11")

# Of libraries that are not ours: what the names of their headers begin with, and their target's name without its namespace.
set(SHARD_HEADERS_OF_OTHERS
  "tl/:expected" "fmt/:fmt" "nlohmann/:nlohmann_json" "tbb/:tbb" "oneapi/tbb:tbb" "dnnl:dnnl" "oneapi/dnnl:dnnl" "omp.h:OpenMP_CXX"
  "cblas:blas" "blis:blas" "histedit.h:edit" "CLI/:CLI11")

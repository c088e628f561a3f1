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
  "grammar/foreign:grammar/lex grammar/print grammar/tree grammar/diagnostics grammar/source"
  "grammar/parse:grammar/lex grammar/print grammar/tree grammar/diagnostics grammar/source grammar/foreign"
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
  "interpreter/planning:runtime/cost"
  "interpreter/check:interpreter/ir interpreter/planning interpreter/host grammar/parse"
  "interpreter/machine:interpreter/check stdlib"
  "interpreter/program:interpreter/ir interpreter/planning"
  "interpreter/reference:interpreter/ir runtime/element runtime/plan"
  "interpreter/estimate:interpreter/program interpreter/ir runtime/cost"
  "interpreter/suggest:interpreter/estimate interpreter/check grammar/foreign"
  "interpreter/evaluate:interpreter/suggest interpreter/check interpreter/estimate interpreter/ir"
  "interpreter/lower:interpreter/planning interpreter/program interpreter/estimate interpreter/ir"
  "interpreter/statements:interpreter/suggest interpreter/machine interpreter/check interpreter/evaluate interpreter/lower interpreter/estimate interpreter/program interpreter/host"
  "interpreter/execute:interpreter/program interpreter/estimate"
  "interpreter/emulate:interpreter/execute interpreter/reference runtime/execute"
  "interpreter/session:interpreter/statements interpreter/execute"
  "interpreter/report:interpreter/session"
  "interpreter/driver:interpreter/report interpreter/session interpreter/emulate")

# Where whole arrays are: of the rooms outside, one alone may include them, so that everything else is built without oneTBB,
# oneDNN and BLIS.
set(SHARD_ROOMS_OF_ARRAYS runtime/platform runtime/array runtime/kernel runtime/collective runtime/execute)
set(SHARD_ROOM_BEFORE_ARRAYS interpreter/emulate)

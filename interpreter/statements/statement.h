// One function for each kind of statement, each in a file of its own or next to its relatives. What is wrong is reported.
#pragma once

#include "interpreter/statements/run_context.h"

namespace shard {

// ------------------------------------------------------------ machine.cpp

void run(const ast::Hardware& hardware, const ast::Statement& statement, RunContext& context);
void run(const ast::Mesh& mesh, const ast::Statement& statement, RunContext& context);
void run(const ast::Chip& chip, const ast::Statement& statement, RunContext& context);
void run(const ast::Fault& fault, const ast::Statement& statement, RunContext& context);
void run(const ast::Slow& slow, const ast::Statement& statement, RunContext& context);
void run(const ast::Plan& plan, const ast::Statement& statement, RunContext& context);
void run(const ast::Strict& strict, const ast::Statement& statement, RunContext& context);

// ------------------------------------------------------------ names and arrays

// bindings.cpp
void run(const ast::Bindings& bindings, const ast::Statement& statement, RunContext& context);
// array.cpp
void run(const ast::Declaration& declaration, const ast::Statement& statement, RunContext& context);
void run(const ast::Equation& equation, const ast::Statement& statement, RunContext& context);
void run(const ast::Mention& mention, const ast::Statement& statement, RunContext& context);
// flow.cpp
void run(const ast::Flow& flow, const ast::Statement& statement, RunContext& context);
void run(const ast::Evaluate& evaluate, const ast::Statement& statement, RunContext& context);
void run(const ast::Send& send, const ast::Statement& statement, RunContext& context);
// drop.cpp: the name, or one copy. The devices forget what nothing else holds. With its last copy the name goes. Reports
// UnknownName, DroppedArray, NotArray, NoSuchCopy.
void run(const ast::Drop& drop, const ast::Statement& statement, RunContext& context);

// ------------------------------------------------------------ what is asked for; entries are appended to the state

// print.cpp
void run(const ast::Print& print, const ast::Statement& statement, RunContext& context);
// show.cpp: reports NoMesh, and what is wrong with the array.
void run(const ast::Show& show, const ast::Statement& statement, RunContext& context);
// expect.cpp
void run(const ast::Expect& expect, const ast::Statement& statement, RunContext& context);
// expect_equal.cpp: the condition `equal(A, B)`, `equal(A, B, 1e-3)`, judged when the run is over; false if it is another one.
// Reports BadArgument, SizeMismatch, and what `requested_copy` reports.
bool run_expect_equal(const ast::Expect& expect, RunContext& context);
// expect_error.cpp
void run(const ast::ExpectError& expect, const ast::Statement& statement, RunContext& context);
// why.cpp
void run(const ast::Why& why, const ast::Statement& statement, RunContext& context);
// save.cpp: written when the run is over. Reports BadArgument, FileInUse, and what `requested_copy` reports.
void run(const ast::Save& save, const ast::Statement& statement, RunContext& context);

// ------------------------------------------------------------ functions, blocks, modules

// function.cpp: makes the function known. Reports Redeclared, MisplacedStatement.
void run(const ast::Function& function, const ast::Statement& statement, RunContext& context);
// return.cpp
void run(const ast::Return& node, const ast::Statement& statement, RunContext& context);
// loop.cpp: over a range, `for i in 0..L`, each pass goes on where the one before it stopped. Over a list, `for B in
// [1Ki, 4Ki]`, each pass stands for itself: it begins with the arrays as they are before the loop, is estimated and not
// executed, and leaves nothing behind. Tables that `print` fills are an entry when the outermost loop is at its end.
// A mistake that several passes have is one error, with the first of them as a note. Reports BadArgument,
// TooManyPasses.
void run(const ast::Loop& loop, const ast::Statement& statement, RunContext& context);
// group.cpp: the statements of a branch stand here as if there were no `if`, which reports BadArgument and Undecidable.
void run(const ast::If& node, const ast::Statement& statement, RunContext& context);
// Names of a block are its own; inputs that it is the first to use are the script's.
void run(const ast::Group& group, const ast::Statement& statement, RunContext& context);
// use.cpp
void run(const ast::Use& use, const ast::Statement& statement, RunContext& context);
// unreadable.cpp: was reported by the parser.
void run(const ast::Unsupported& unread, const ast::Statement& statement, RunContext& context);

// What a statement with a reported mistake would have made is unknown: using it is no second mistake (unreadable.cpp).
void skip(const ast::Statement& statement, Scope& scope);

}  // namespace shard

// What changes a program besides assignments: arguments, `drop`, and copies that are wanted at the end.
#pragma once

#include "interpreter/ir/checked_program.h"
#include "interpreter/program/program.h"

namespace shard {

// Puts the copies under the parameter's name, first making the one that is meant if it is an input that no plan has yet. The
// statement of the program that says so has no steps but these. REQUIRES: the program is one of the scope's machine.
void pass_argument(const checked::Argument& argument, const Scope& scope, Holdings& held,
                   Program& program);

// The array has the copies that an operation inside of an earlier statement has made; its own statement has no steps. False if no
// statement of the program has made them.
bool name_part(const checked::Part& part, const Scope& scope, Holdings& held, Program& program);

// The copy, which an input that no plan has yet gets here. REQUIRES: as above.
CopyId request(const checked::Request& request, const Scope& scope, Holdings& held,
               Program& program);

// The program's copies of the array are called so from here on.
void rename(const checked::Rename& rename, const Holdings& held, Program& program);

// All copies, or that of the layout.
void drop(const checked::Drop& drop, Holdings& held, Program& program);

}  // namespace shard

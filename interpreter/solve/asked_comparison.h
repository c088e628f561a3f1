// The comparison that `solve` and `when` are asked about.
#pragma once

#include <string>
#include <vector>

#include "interpreter/solve/open_size.h"

namespace shard {

// What is asked, and where what is wrong with it is reported.
struct AskedQuestion {
  const ast::Question& question;
  Span span;
  EvaluationContext& context;
};

// Null after a report.
const ast::Binary* comparison_in(const ast::Expr& asked, const AskedQuestion& about);
// A number of bytes, FLOPs or seconds is no plain one: false after a report.
bool check_units(const ast::Binary& binary, const Sides& sides, const AskedQuestion& about);
// Where a figure takes numbers, the sizes without one but for that which is asked for. Empty as well where the machine lacks
// something, which the figure says.
std::vector<std::string> sizes_to_give(const ast::Expr& left, const ast::Expr& right,
                                       const AskedQuestion& about);
// Reports SeveralOpenSizes.
void report_others(const std::vector<std::string>& others, const AskedQuestion& about);
// The same where no size is asked for, and figures take numbers for all sizes but one.
void report_several(const std::vector<std::string>& open, const AskedQuestion& about);
// Reports Undecidable: a side rounds, and no formula says where it is so.
void report_rounding(const AskedQuestion& about);

// The symbols of a formula but for this one.
std::vector<std::string> others_in(const Formula& formula, const std::string& symbol);

// "as planned for sizes of 65,536, …" where several sizes are open, and the formulas are other ones where these are smaller or
// larger; else empty.
std::string plan_remark(const ast::Expr& left, const ast::Expr& right, const Sides& sides,
                        const AskedQuestion& about);

}  // namespace shard

#include <interpreter/report/text_report.h>
#include <interpreter/session/session.h>

#include <iostream>

int main() {
  shard::Session session({});
  const shard::Outcome outcome = session.run("script", R"(
hardware TPUv5e 2x2
mesh {X: 2, Y: 2}
I = 8, J = 8, K = 8
A[I_X, J] · B[J, K_Y] → C[I_X, K_Y]
)");
  std::cout << text_report(outcome, session.state(), {});
  return static_cast<int>(outcome.status);
}

#include <interpreter/emulate/emulation.h>
#include <interpreter/session/session.h>

#include <iostream>

int main() {
  shard::SessionOptions options;
  options.executor = &shard::emulated_devices();
  options.execution.memory = options.executor->default_memory();
  shard::Session session(std::move(options));
  const shard::Outcome outcome = session.run("script", R"(
hardware TPUv5e 2x1
mesh {X: 2}
I = 8, J = 8, K = 8
A[I_X, J] · B[J, K] → C[I_X, K]
)");
  const bool works = outcome.programs.size() == 1 && outcome.programs.front().execution.executed;
  std::cout << (works ? "executed\n" : "not executed\n");
  return works ? 0 : 1;
}

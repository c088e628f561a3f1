#include <base/rational.h>
#include <grammar/diagnostics/diagnostic.h>
#include <stdlib/library.h>

#include <iostream>

int main() {
  const bool works = shard::Rational::parse("0.5") == shard::Rational::fraction(1, 2) &&
                     shard::library_module("hardware") && !shard::diagnostic_catalogue().empty();
  std::cout << (works ? "consumer works\n" : "consumer fails\n");
  return works ? 0 : 1;
}

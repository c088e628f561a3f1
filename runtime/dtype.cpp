#include "runtime/dtype.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>

#include "base/check.h"

namespace shard {
namespace {

struct Figures {
  DType dtype;
  std::string_view name;
  int bits;
  int significand;  // bits of it, the hidden one counted; 0 for integers
  DType accumulation;
};

constexpr std::array<Figures, 10> kFigures{{
    {DType::Fp64, "fp64", 64, 53, DType::Fp64},
    {DType::Fp32, "fp32", 32, 24, DType::Fp32},
    {DType::Bf16, "bf16", 16, 8, DType::Fp32},
    {DType::Fp16, "fp16", 16, 11, DType::Fp32},
    {DType::Fp8E4M3, "fp8", 8, 4, DType::Fp32},
    {DType::Fp8E5M2, "fp8e5m2", 8, 3, DType::Fp32},
    {DType::Int32, "int32", 32, 0, DType::Fp64},
    {DType::UInt32, "uint32", 32, 0, DType::Fp64},
    {DType::Int8, "int8", 8, 0, DType::Fp64},
    {DType::Int4, "int4", 4, 0, DType::Fp64},
}};

// Spellings of NumPy, JAX and XLA beside the canonical ones.
constexpr std::array<std::pair<std::string_view, DType>, 35> kSpellings{{
    {"float64", DType::Fp64},
    {"f64", DType::Fp64},
    {"double", DType::Fp64},
    {"float32", DType::Fp32},
    {"f32", DType::Fp32},
    {"float", DType::Fp32},
    {"bfloat16", DType::Bf16},
    {"float16", DType::Fp16},
    {"f16", DType::Fp16},
    {"half", DType::Fp16},
    {"f8", DType::Fp8E4M3},
    {"float8", DType::Fp8E4M3},
    {"fp8e4m3", DType::Fp8E4M3},
    {"fp8_e4m3", DType::Fp8E4M3},
    {"f8e4m3", DType::Fp8E4M3},
    {"f8e4m3fn", DType::Fp8E4M3},
    {"float8_e4m3", DType::Fp8E4M3},
    {"float8_e4m3fn", DType::Fp8E4M3},
    {"e4m3", DType::Fp8E4M3},
    {"fp8_e5m2", DType::Fp8E5M2},
    {"f8e5m2", DType::Fp8E5M2},
    {"float8_e5m2", DType::Fp8E5M2},
    {"e5m2", DType::Fp8E5M2},
    {"s32", DType::Int32},
    {"i32", DType::Int32},
    {"int", DType::Int32},
    {"u32", DType::UInt32},
    {"uint", DType::UInt32},
    {"s8", DType::Int8},
    {"i8", DType::Int8},
    {"s4", DType::Int4},
    {"i4", DType::Int4},
    {"binary64", DType::Fp64},
    {"binary32", DType::Fp32},
    {"binary16", DType::Fp16},
}};

const Figures& figures_of(DType dtype) {
  const auto at = std::find_if(kFigures.begin(), kFigures.end(),
                               [&](const Figures& f) { return f.dtype == dtype; });
  SHARD_CHECK(at != kFigures.end());
  return *at;
}

std::string lower_case(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

Rational bytes_of(DType dtype) { return Rational::fraction(figures_of(dtype).bits, 8); }

std::string_view name_of(DType dtype) { return figures_of(dtype).name; }

std::optional<DType> parse_dtype(std::string_view word) {
  const std::string name = lower_case(word);
  for (const Figures& figures : kFigures) {
    if (figures.name == name) return figures.dtype;
  }
  for (const auto& [spelling, dtype] : kSpellings) {
    if (spelling == name) return dtype;
  }
  return std::nullopt;
}

DType accumulation_type(DType dtype) { return figures_of(dtype).accumulation; }

std::optional<DType> common_type(DType a, DType b) {
  if (a == b) return a;
  if (is_integer(a) != is_integer(b)) return is_integer(a) ? b : a;
  if (!is_integer(a)) return std::nullopt;
  return bytes_of(a) < bytes_of(b) ? b : a;
}

DType fractional_type(DType dtype) { return is_integer(dtype) ? DType::Fp32 : dtype; }

bool is_integer(DType dtype) { return figures_of(dtype).significand == 0; }

double unit_roundoff(DType dtype) {
  const int bits = figures_of(dtype).significand;
  return bits == 0 ? 0.0 : std::ldexp(1.0, -bits);
}

}  // namespace shard

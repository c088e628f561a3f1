#include "grammar/translate/language.h"

#include <algorithm>
#include <iterator>

#include "base/function.h"

namespace shard {
namespace {

struct Module {
  std::string_view name;
  std::string_view language;
};
constexpr Module kModules[] = {{"jax", "JAX"},
                               {"jnp", "JAX"},
                               {"lax", "JAX"},
                               {"pl", "JAX"},
                               {"pltpu", "JAX"},
                               {"pjit", "JAX"},
                               {"np", "NumPy"},
                               {"numpy", "NumPy"},
                               {"torch", "PyTorch"},
                               {"F", "PyTorch"},
                               {"nn", "Python"},
                               {"dist", "PyTorch"},
                               {"tf", "TensorFlow"},
                               {"math", "Python"},
                               {"einops", "einops"},
                               {"functools", "Python"},
                               {"os", "Python"},
                               {"sys", "Python"},
                               {"time", "Python"},
                               {"random", "Python"},
                               {"plt", "Python"},
                               {"optax", "JAX"},
                               {"flax", "JAX"},
                               {"eqx", "JAX"},
                               {"tl", "Triton"},
                               {"triton", "Triton"},
                               {"paddle", "Paddle"},
                               {"mx", "MLX"},
                               {"mlx", "MLX"},
                               {"cp", "CuPy"},
                               {"cupy", "CuPy"},
                               {"keras", "Keras"},
                               {"hk", "Haiku"},
                               {"tensor_parallel", "Megatron"},
                               {"mpu", "Megatron"},
                               {"megatron", "Megatron"},
                               {"te", "Transformer Engine"},
                               {"deepspeed", "DeepSpeed"},
                               {"fs_init", "FairScale"},
                               {"tir", "TVM"},
                               {"tvm", "TVM"},
                               {"mindspore", "MindSpore"},
                               {"chex", "JAX"},
                               {"haiku", "Haiku"},
                               {"pytest", "Python"},
                               {"xm", "PyTorch"},
                               {"xs", "PyTorch"},
                               {"scipy", "SciPy"}};

// Functions whose name tells where they are from, also without a module in front.
struct NamedLanguage {
  std::string_view name;
  std::string_view language;
};
constexpr NamedLanguage kNamedLanguages[] = {{"redistribute", "PyTorch"},
                                             {"distribute_tensor", "PyTorch"},
                                             {"from_local", "PyTorch"},
                                             {"full_tensor", "PyTorch"},
                                             {"Shard", "PyTorch"},
                                             {"Replicate", "PyTorch"},
                                             {"Partial", "PyTorch"},
                                             {"ColwiseParallel", "PyTorch"},
                                             {"RowwiseParallel", "PyTorch"},
                                             {"parallelize_module", "PyTorch"},
                                             {"ColumnParallelLinear", "Megatron"},
                                             {"MergedColumnParallelLinear", "vLLM"},
                                             {"QKVParallelLinear", "vLLM"},
                                             {"ParallelLMHead", "vLLM"},
                                             {"ReplicatedLinear", "vLLM"},
                                             {"LayerNormColumnParallelLinear", "Megatron"},
                                             {"TEColumnParallelLinear", "Megatron"},
                                             {"TERowParallelLinear", "Megatron"},
                                             {"RowParallelLinear", "Megatron"},
                                             {"VocabParallelEmbedding", "Megatron"}};

}  // namespace

std::string_view language_of_function(std::string_view name) {
  const auto* entry = std::find_if(std::begin(kNamedLanguages), std::end(kNamedLanguages),
                                   [&](const NamedLanguage& f) { return f.name == name; });
  return entry == std::end(kNamedLanguages) ? std::string_view{} : entry->language;
}

std::string_view foreign_language(std::string_view module) {
  const auto* entry = std::find_if(std::begin(kModules), std::end(kModules),
                                   [&](const Module& m) { return m.name == module; });
  return entry == std::end(kModules) ? std::string_view{} : entry->language;
}

bool is_language_function(std::string_view word) {
  const FunctionInfo* function = find_function(word);
  return function != nullptr && is_callable(*function);
}

}  // namespace shard

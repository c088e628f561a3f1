#include "grammar/translate/function.h"

#include <algorithm>
#include <iterator>

namespace shard {
namespace {

using F = ForeignForm;

constexpr std::string_view kProduct = "a product names the dimension that it sums over";
constexpr std::string_view kReduce = "a sum, mean or maximum names its dimension";
constexpr std::string_view kElements = "functions of elements stand by their names alone";
constexpr std::string_view kInput = "an array is given its values after `=`";
constexpr std::string_view kLayout = "a layout stands in the brackets of the array";
constexpr std::string_view kPartial = "partial sums `{U_X}` are added by AllReduce";
constexpr std::string_view kExtremes =
    "partial maxima `{max_X}` and minima `{min_X}` are reduced by AllReduce";
constexpr std::string_view kShape = "sizes are names: a dimension's name is its length";
constexpr std::string_view kOrder = "another order of dimensions is another array";
constexpr std::string_view kWhole =
    "every statement runs on all devices, and a function is called as it is";
constexpr std::string_view kBackward =
    "`backward y` derives the gradients of all that y was made of: of W it is `dW`";
constexpr std::string_view kBackwardExample = "y[B, F] = x[B, D] ·_D W[D, F]; backward y";
constexpr std::string_view kNoGradient = "gradients are derived where `backward` stands alone";
constexpr std::string_view kMesh = "a mesh holds from its line on, so leave the line out";
constexpr std::string_view kJoin = "`concat` names the dimension that it makes";
constexpr std::string_view kGather = "AllGather takes a split off a dimension";
constexpr std::string_view kGatherExample = "AllGather_X A[I_X, J] → A[I, J]";
constexpr std::string_view kSplitSums = "partial sums `{U_X}` are added and split by ReduceScatter";
constexpr std::string_view kSplitSumsExample = "ReduceScatter_{X,K} C[I, K]{U_X} → C[I, K_X]";
constexpr std::string_view kPick = "an index names the dimension that it picks from";
constexpr std::string_view kScatter = "`scatter` names the dimension that its indices point into";
constexpr std::string_view kScatterExample = "S[V, D] = scatter_V(Tok, A[T, D])";
constexpr std::string_view kJoinExample =
    "K = 4, L = 8, J = K + L; C[I, J] = concat_J(A[I, K], B[I, L])";
constexpr std::string_view kNoJoin = "what is stacked is a dimension of its own from the start";
constexpr std::string_view kPartsExample =
    "q[B, F] = x[B, D] · Q[D, F]; k[B, F] = x[B, D] · K[D, F]";
constexpr std::string_view kCast = "a cast is a function with the name of the type";
constexpr std::string_view kCastExample = "y[B, D] = fp32(x[B, D])";
constexpr std::string_view kNotRepeated = "dimensions are matched by name, so nothing is repeated";
constexpr std::string_view kNoLayers = "a layer is a function of arrays";

constexpr std::string_view kSplitWeights =
    "weights are arrays, and their layout says how they are split";
constexpr std::string_view kColumnExample = "h[B, F_X] = x[B, D] ·_D W[D, F_X]";
constexpr std::string_view kRowExample = "y[B, D] = h[B, F_X] ·_F W[F_X, D]";

constexpr std::string_view kOnDevices =
    "an array is on the devices that its layout says, and one that a place of the mesh holds alone "
    "has a mark, `{Z=1}`";
constexpr std::string_view kFunctionExample = "fn dense(x[B, D], W[D, F]) { return x ·_D W }";

constexpr ForeignFunction kForeignFunctions[] = {
    {"convert_element_type", F::Cast, "", kCast, kCastExample},
    {"cast", F::Cast, "", kCast, kCastExample},
    {"einsum", F::Einsum, "", kProduct, "C[I, K] = A[I, J] · B[J, K]"},
    {"matmul", F::Product, "", kProduct, "C[I, K] = A[I, J] · B[J, K]"},
    {"dot", F::Product, "", kProduct, "C[I, K] = A[I, J] · B[J, K]"},
    {"mm", F::Product, "", kProduct, "C[I, K] = A[I, J] · B[J, K]"},
    {"bmm", F::Product, "", kProduct, "C[B, I, K] = A[B, I, J] · D[B, J, K]"},
    {"mv", F::Product, "", kProduct, "y[I] = A[I, J] · x[J]"},
    {"vdot", F::Product, "", kProduct, "s[] = a[I] · b[I]"},
    {"inner", F::Product, "", kProduct, "s[] = a[I] · b[I]"},
    {"tensordot", F::Say, "", kProduct, "C[I, K] = A[I, J] · B[J, K]"},
    {"dot_general", F::Say, "", kProduct, "C[I, K] = A[I, J] · B[J, K]"},
    {"outer", F::Outer, "", kProduct, "C[I, J] = a[I] · b[J]"},
    {"sum", F::Reduce, "sum", kReduce, "s[B] = sum_D(x[B, D])"},
    {"mean", F::Reduce, "mean", kReduce, "s[B] = mean_D(x[B, D])"},
    {"max", F::Reduce, "max", kReduce, "s[B] = max_D(x[B, D])"},
    {"amax", F::Reduce, "max", kReduce, "s[B] = max_D(x[B, D])"},
    {"min", F::Reduce, "min", kReduce, "s[B] = min_D(x[B, D])"},
    {"amin", F::Reduce, "min", kReduce, "s[B] = min_D(x[B, D])"},
    {"softmax", F::Along, "softmax", "softmax names its dimension", "p[B, D] = softmax_D(x[B, D])"},
    {"relu", F::Call, "relu", kElements, ""},
    {"gelu", F::Call, "gelu", kElements, ""},
    {"silu", F::Call, "silu", kElements, ""},
    {"swish", F::Call, "silu", kElements, ""},
    {"sigmoid", F::Call, "sigmoid", kElements, ""},
    {"exp", F::Call, "exp", kElements, ""},
    {"log", F::Call, "log", kElements, ""},
    {"sqrt", F::Call, "sqrt", kElements, ""},
    {"tanh", F::Call, "tanh", kElements, ""},
    {"abs", F::Call, "abs", kElements, ""},
    {"where", F::Call, "where", kElements, ""},
    {"maximum", F::Call, "max", kElements, ""},
    {"minimum", F::Call, "min", kElements, ""},
    {"ceil", F::Call, "ceil", kElements, ""},
    {"floor", F::Call, "floor", kElements, ""},
    {"log2", F::Call, "log2", kElements, ""},
    {"square", F::Square, "", "an elementwise product is `⊙`", "y = x ⊙ x"},
    {"rsqrt", F::Call, "rsqrt", kElements, ""},
    {"sin", F::Call, "sin", kElements, ""},
    {"cos", F::Call, "cos", kElements, ""},
    {"round", F::Call, "round", kElements, ""},
    {"rint", F::Call, "round", kElements, ""},
    {"around", F::Call, "round", kElements, ""},
    {"add", F::Infix, "+", "operators stand between their operands", ""},
    {"subtract", F::Infix, "-", "operators stand between their operands", ""},
    {"multiply", F::Infix, "⊙", "an elementwise product is `⊙`", ""},
    {"mul", F::Infix, "⊙", "an elementwise product is `⊙`", ""},
    {"divide", F::Infix, "/", "operators stand between their operands", ""},
    {"power", F::Infix, "^", "a power is written `^`", ""},
    {"pow", F::Infix, "^", "a power is written `^`", ""},
    {"mod", F::Infix, "mod", "a remainder is written `mod`", ""},
    {"zeros", F::Input, "zeros", kInput, "A[I, J] = zeros"},
    {"ones", F::Input, "ones", kInput, "A[I, J] = ones"},
    {"empty", F::Input, "zeros", kInput, "A[I, J] = zeros"},
    {"arange", F::Input, "iota", kInput, "A[I] = iota"},
    {"range", F::Input, "iota", kInput, "A[I] = iota"},
    {"iota", F::Input, "iota", kInput, "A[I] = iota"},
    {"normal", F::Input, "random(0)", kInput, "A[I, J] = random(7)"},
    {"uniform", F::Input, "random(0)", kInput, "A[I, J] = random(7)"},
    {"randn", F::Input, "random(0)", kInput, "A[I, J] = random(7)"},
    {"rand", F::Input, "random(0)", kInput, "A[I, J] = random(7)"},
    {"zeros_like", F::Like, "zeros", kInput, "A[I, J] = zeros"},
    {"ones_like", F::Like, "ones", kInput, "A[I, J] = ones"},
    {"array", F::Say, "", "arrays are declared, or read from a file", "A: bf16[I, J]"},
    {"tensor", F::Say, "", "arrays are declared, or read from a file", "A: bf16[I, J]"},
    {"full", F::Say, "", "an array of one value is declared with it", "A: fp32[I, J] = 0.5"},
    {"eye", F::Say, "", "it is a comparison of positions",
     "A: fp32[I, J] = where(iota_I == iota_J, 1, 0)"},
    {"PRNGKey", F::Seed, "", "a seed is a number", "A[I, J] = random(7)"},
    {"manual_seed", F::Seed, "", "a seed is a number", "A[I, J] = random(7)"},
    {"norm", F::Say, "", kReduce, "n[] = sqrt(sum_{B,D}(x[B, D] ⊙ x[B, D]))"},
    {"time", F::Say, "", "the time of statements is that of a block",
     "print time { A[I_X, J] → A[I, J] }"},
    {"perf_counter", F::Say, "", "the time of statements is that of a block",
     "print time { A[I_X, J] → A[I, J] }"},
    {"load", F::Load, "", "a file is read into a declared array", "A[I, J] = load(\"a.npy\")"},
    {"save", F::Save, "", "`save` is a statement", "save A \"a.npy\""},
    {"reshape", F::Reshape, "", "the target says what the new dimensions are",
     "q[B, N, H] = Reshape(x[B, D])"},
    {"flatten", F::Reshape, "", "the target says what the new dimensions are",
     "q[B, N, H] = Reshape(x[B, D])"},
    {"ravel", F::Reshape, "", "the target says what the new dimensions are",
     "q[B, N, H] = Reshape(x[B, D])"},
    {"rearrange", F::Rearrange, "", "the target says what the new dimensions are",
     "q[B, N, H] = Reshape(x[B, D])"},
    {"reduce", F::EinopsReduce, "", kReduce, "s[B] = sum_D(x[B, D])"},
    {"transpose", F::Transpose, "", kOrder, "A[I, J] → T[J, I]"},
    {"permute", F::Transpose, "", kOrder, "A[I, J] → T[J, I]"},
    {"swapaxes", F::Transpose, "swap", kOrder, "A[I, J] → T[J, I]"},
    {"expand_dims", F::Same, "", "dimensions are matched by name", ""},
    {"squeeze", F::Same, "", "dimensions are matched by name", ""},
    {"unsqueeze", F::Same, "", "dimensions are matched by name", ""},
    {"broadcast_to", F::Same, "", "dimensions are matched by name", ""},
    {"repeat", F::Same, "", kNotRepeated, ""},
    {"tile", F::Same, "", kNotRepeated, ""},
    {"expand", F::Same, "", kNotRepeated, ""},
    {"asarray", F::Same, "", "an array is one as it is", ""},
    {"stop_gradient", F::Same, "", kNoGradient, ""},
    {"block_until_ready", F::Same, "", "nothing runs in the background", ""},
    {"checkpoint_name", F::Same, "", "what is kept is a copy with a name", ""},
    {"concatenate", F::Say, "", kJoin, kJoinExample},
    {"concat", F::Say, "", kJoin, kJoinExample},
    {"cat", F::Say, "", kJoin, kJoinExample},
    {"stack", F::Say, "", kNoJoin, kPartsExample},
    {"split", F::Say, "", "a part of a dimension stands in the brackets", "B[I, 8] = A[I, 0:8]"},
    {"pad", F::Say, "", "`pad` names the dimension that is too short, and what it becomes",
     "I = 10, P = 12; B[P] = pad_{I,P}(A[I])"},
    {"one_hot", F::Say, "", "`one_hot` names the dimension that it makes",
     "H[T, E] = one_hot_E(Pick)"},
    {"segment_sum", F::Say, "", kScatter, kScatterExample},
    {"scatter_add", F::Say, "", kScatter, kScatterExample},
    {"index_add", F::Say, "", kScatter, kScatterExample},
    {"cumsum", F::Along, "cumsum", kReduce, "c[B, D] = cumsum_D(x[B, D])"},
    {"argmax", F::Reduce, "argmax", kReduce, "i[B] = argmax_D(x[B, D])"},
    {"argsort", F::Say, "", "the largest elements are found by `top`",
     "i[B, K] = top_{D,K}(x[B, D])"},
    {"top_k", F::Top, "", "`top` takes the dimension and how many", "i[B, K] = top_{D,K}(x[B, D])"},
    {"topk", F::Top, "", "`top` takes the dimension and how many", "i[B, K] = top_{D,K}(x[B, D])"},
    {"take", F::Pick, "", kPick, ""},
    {"gather", F::Pick, "", kPick, ""},
    {"index_select", F::Pick, "", kPick, ""},
    {"take_along_axis", F::Pick, "", kPick, ""},
    {"embedding", F::Pick, "", kPick, ""},
    {"psum", F::AllReduce, "", kPartial, "AllReduce_X C[I, K]{U_X} → C[I, K]"},
    {"all_reduce", F::AllReduce, "", kPartial, "AllReduce_X C[I, K]{U_X} → C[I, K]"},
    {"pmean", F::AllReduce, "mean",
     "a mean over devices is a sum by AllReduce, divided by the axis's size",
     "AllReduce_X C[I, K]{U_X} → C[I, K]"},
    {"pmax", F::AllReduce, "max", kExtremes, "AllReduce_X m[I]{max_X} → m[I]"},
    {"pmin", F::AllReduce, "min", kExtremes, "AllReduce_X m[I]{min_X} → m[I]"},
    {"all_gather", F::AllGather, "", kGather, kGatherExample},
    {"all_gather_into_tensor", F::AllGather, "output first", kGather, kGatherExample},
    {"_all_gather_base", F::AllGather, "output first", kGather, kGatherExample},
    {"_reduce_scatter_base", F::ReduceScatter, "output first", kSplitSums, kSplitSumsExample},
    {"all_to_all_single", F::AllToAll, "output first",
     "AllToAll moves a split from dimension to dimension", "AllToAll_{X,J} A[I_X, J] → A[I, J_X]"},
    {"broadcast", F::Say, "",
     "an array is on all devices, but one that says where it is held, which Broadcast brings to "
     "all",
     "Broadcast_X A[I, J]{X=0} → A[I, J]"},
    {"barrier", F::Say, "", "statements wait for what they read, so leave the line out", ""},
    {"psum_scatter", F::ReduceScatter, "", kSplitSums, kSplitSumsExample},
    {"reduce_scatter", F::ReduceScatter, "", kSplitSums, kSplitSumsExample},
    {"reduce_scatter_tensor", F::ReduceScatter, "output first", kSplitSums, kSplitSumsExample},
    {"reduce_from_tensor_model_parallel_region", F::AllReduce, "", kPartial,
     "AllReduce_X C[I, K]{U_X} → C[I, K]"},
    {"gather_from_tensor_model_parallel_region", F::AllGather, "", kGather, kGatherExample},
    {"gather_from_sequence_parallel_region", F::AllGather, "", kGather, kGatherExample},
    {"reduce_scatter_to_sequence_parallel_region", F::ReduceScatter, "", kSplitSums,
     kSplitSumsExample},
    {"copy_to_tensor_model_parallel_region", F::Same, "",
     "an array that is not split is on all devices", ""},
    {"all_to_all", F::AllToAll, "", "AllToAll moves a split from dimension to dimension",
     "AllToAll_{X,J} A[I_X, J] → A[I, J_X]"},
    {"ragged_all_to_all", F::Say, "",
     "AllToAll moves blocks that are equally long: experts get room for so many tokens each",
     "AllToAll_{X,J} A[I_X, J] → A[I, J_X]"},
    {"ppermute", F::Shift, "", "blocks move along an axis by Shift",
     "Shift_X A[I_X, J] → B[I_X, J]"},
    {"axis_index", F::Say, "",
     "a device's place on X is `coord(X)`, which stands in an index: it picks a part",
     "y[B, D] = x[L, B, D][L = coord(X)]"},
    {"axis_size", F::Say, "", "the size of the axis X is |X|", ""},
    {"device_put", F::Relayout, "", kLayout, "A[I, J] → A[I_X, J]"},
    {"with_sharding_constraint", F::Relayout, "", kLayout, "A[I, J] → A[I_X, J]"},
    {"reshard", F::Relayout, "", kLayout, "A[I, J] → A[I_X, J]"},
    {"redistribute", F::Relayout, "", kLayout, "A[I_X, J] → A[I, J]"},
    {"distribute_tensor", F::Relayout, "", kLayout, "A[I, J] → A[I_X, J]"},
    {"from_local", F::Relayout, "", kLayout, "A[I, J] → A[I_X, J]"},
    {"full_tensor", F::Relayout, "full", kLayout, "A[I_X, J] → A[I, J]"},
    {"Shard", F::Layout, "", kLayout, "A: bf16[I_X, J]"},
    {"Replicate", F::Layout, "", kLayout, "A: bf16[I, J]"},
    {"Partial", F::Layout, "", "partial sums have a mark after the brackets", "A: bf16[I, J]{U_X}"},
    {"P", F::Layout, "", kLayout, "A: bf16[I_X, J]"},
    {"PS", F::Layout, "", kLayout, "A: bf16[I_X, J]"},
    {"PartitionSpec", F::Layout, "", kLayout, "A: bf16[I_X, J]"},
    {"NamedSharding", F::Layout, "", kLayout, "A: bf16[I_X, J]"},
    {"ShapeDtypeStruct", F::Input, "", "an array is declared with its dimensions",
     "A: bf16[I_X, J]"},
    {"set_mesh", F::Say, "", kMesh, ""},
    {"use_mesh", F::Say, "", kMesh, ""},
    {"jit", F::Wrapper, "", kWhole, kFunctionExample},
    {"pjit", F::Wrapper, "", kWhole, kFunctionExample},
    {"shard_map", F::Wrapper, "", kWhole, kFunctionExample},
    {"pmap", F::Wrapper, "", kWhole, kFunctionExample},
    {"compile", F::Wrapper, "", kWhole, kFunctionExample},
    {"checkpoint", F::Wrapper, "", kWhole, kFunctionExample},
    {"remat", F::Wrapper, "", kWhole, kFunctionExample},
    {"partial", F::Wrapper, "", kWhole, kFunctionExample},
    {"vmap", F::Wrapper, "",
     "dimensions are matched by name, so the function's parameters get the dimension in their "
     "brackets, and it is called as it is",
     kFunctionExample},
    {"grad", F::Say, "", kBackward, kBackwardExample},
    {"value_and_grad", F::Say, "", kBackward, kBackwardExample},
    {"scan", F::Say, "", "layers are passes of a loop", "for i in 0..4 { print i }"},
    {"fori_loop", F::Say, "", "layers are passes of a loop", "for i in 0..4 { print i }"},
    {"while_loop", F::Say, "", "a loop counts its passes", "for i in 0..4 { print i }"},
    {"cond", F::Say, "", "a branch is an `if`", "if 2 > 1 { print 2 }"},
    {"Linear", F::Dense, "", kNoLayers, kFunctionExample},
    {"Dense", F::Dense, "", kNoLayers, kFunctionExample},
    {"DenseGeneral", F::Dense, "", kNoLayers, kFunctionExample},
    {"linear", F::Dense, "", kNoLayers, kFunctionExample},
    {"Embedding", F::Lookup, "", kNoLayers, "x[T, D] = E[V, D][V = t]"},
    {"Embed", F::Lookup, "", kNoLayers, "x[T, D] = E[V, D][V = t]"},
    {"ColumnParallelLinear", F::Dense, "column", kSplitWeights, kColumnExample},
    {"MergedColumnParallelLinear", F::Dense, "column", kSplitWeights, kColumnExample},
    {"QKVParallelLinear", F::Dense, "column", kSplitWeights, kColumnExample},
    {"LayerNormColumnParallelLinear", F::Dense, "column", kSplitWeights, kColumnExample},
    {"TEColumnParallelLinear", F::Dense, "column", kSplitWeights, kColumnExample},
    {"RowParallelLinear", F::Dense, "row", kSplitWeights, kRowExample},
    {"TERowParallelLinear", F::Dense, "row", kSplitWeights, kRowExample},
    {"ReplicatedLinear", F::Dense, "", kSplitWeights, kFunctionExample},
    {"VocabParallelEmbedding", F::Lookup, "row", kSplitWeights, "x[T, D] = E[V_X, D][V = t]"},
    {"ParallelLMHead", F::Dense, "column", kSplitWeights, kColumnExample},
    {"ColwiseParallel", F::Say, "", kSplitWeights, kColumnExample},
    {"RowwiseParallel", F::Say, "", kSplitWeights, kRowExample},
    {"parallelize_module", F::Say, "", kSplitWeights, kColumnExample},
    {"ReLU", F::Element, "relu", kElements, "y = relu(x)"},
    {"GELU", F::Element, "gelu", kElements, "y = gelu(x)"},
    {"SiLU", F::Element, "silu", kElements, "y = silu(x)"},
    {"Sigmoid", F::Element, "sigmoid", kElements, "y = sigmoid(x)"},
    {"Tanh", F::Element, "tanh", kElements, "y = tanh(x)"},
    {"Dropout", F::Element, "", "nothing is left out at random, so leave it out", ""},
    {"Identity", F::Element, "", "an array is one as it is", ""},
    {"Sequential", F::Say, "", kNoLayers, kFunctionExample},
    {"LayerNorm", F::Say, "", kNoLayers,
     "fn norm(x[B, D], g[D]) { return x ⊙ g / sqrt(mean_D(x ⊙ x) + 1e-5) }"},
    {"RMSNorm", F::Say, "", kNoLayers,
     "fn norm(x[B, D], g[D]) { return x ⊙ g / sqrt(mean_D(x ⊙ x) + 1e-5) }"},
    {"layer_norm", F::Say, "", kNoLayers,
     "fn norm(x[B, D], g[D]) { return x ⊙ g / sqrt(mean_D(x ⊙ x) + 1e-5) }"},
    {"len", F::Length, "", kShape, ""},
    {"shape", F::Sizes, "", kShape, ""},
    {"numel", F::Count, "", kShape, ""},
    {"sizeof", F::Bytes, "bytes", "bytes are asked of a function", ""},
    {"getsizeof", F::Bytes, "bytes", "bytes are asked of a function", ""},
    {"memory", F::Bytes, "bytes", "what an array takes is asked in bytes", ""},
    {"visualize_array_sharding", F::Say, "", "`show` draws which device holds what",
     "show A[I_X, J]"},
    {"prod", F::Say, "", "sizes are names, and there is no product along a dimension", ""},
    {"device_count", F::Devices, "", "the number of devices is `devices`", "print devices"},
    {"local_device_count", F::Devices, "", "the number of devices is `devices`", "print devices"},
    {"devices", F::Say, "", "the devices are those of the mesh", "mesh {X: 4, Y: 2}"},
    {"get_world_size", F::Devices, "", "the number of devices is `devices`", "print devices"},
    {"init_process_group", F::Say, "", "the devices are those of the mesh", "mesh {X: 4, Y: 2}"},
    {"init_device_mesh", F::Mesh, "", "the axes of a mesh stand in braces, each with its size",
     "mesh {X: 4, Y: 2}"},
    {"DeviceMesh", F::Mesh, "", "the axes of a mesh stand in braces, each with its size",
     "mesh {X: 4, Y: 2}"},
    {"device_mesh", F::Mesh, "", "the axes of a mesh stand in braces, each with its size",
     "mesh {X: 4, Y: 2}"},
    {"ProcessMesh", F::Mesh, "", "the axes of a mesh stand in braces, each with its size",
     "mesh {X: 4, Y: 2}"},
    {"create_mesh", F::Mesh, "", "the axes of a mesh stand in braces, each with its size",
     "mesh {X: 4, Y: 2}"},
};

constexpr std::string_view kSubscript = "the axis of a collective is a subscript of its name";
// By their names in small letters, without underscores.
constexpr ForeignFunction kCalledCollectives[] = {
    {"allgather", F::AllGather, "AllGather", kSubscript, kGatherExample},
    {"allreduce", F::AllReduce, "AllReduce", kSubscript, "AllReduce_X C[I, K]{U_X} → C[I, K]"},
    {"reducescatter", F::ReduceScatter, "ReduceScatter", kSubscript, kSplitSumsExample},
    {"alltoall", F::AllToAll, "AllToAll", kSubscript, "AllToAll_{X,J} A[I_X, J] → A[I, J_X]"},
    {"shift", F::Shift, "Shift", kSubscript, "Shift_X A[I_X, J] → B[I_X, J]"},
};

// Besides the functions.
constexpr ForeignFunction kMethods[] = {
    {"T", F::Transpose, "", kOrder, "A[I, J] → T[J, I]"},
    {"mT", F::Transpose, "", kOrder, "A[I, J] → T[J, I]"},
    {"t", F::Transpose, "", kOrder, "A[I, J] → T[J, I]"},
    {"view", F::Reshape, "", "the target says what the new dimensions are",
     "q[B, N, H] = Reshape(x[B, D])"},
    {"astype", F::Cast, "", kCast, kCastExample},
    {"to", F::Cast, "", kCast, kCastExample},
    {"float", F::Cast, "fp32", kCast, kCastExample},
    {"half", F::Cast, "fp16", kCast, "y[B, D] = fp16(x[B, D])"},
    {"bfloat16", F::Cast, "bf16", kCast, "y[B, D] = bf16(x[B, D])"},
    {"cuda", F::Device, "", kOnDevices, ""},
    {"cpu", F::Device, "", kOnDevices, ""},
    {"tpu", F::Device, "", kOnDevices, ""},
    {"xpu", F::Device, "", kOnDevices, ""},
    {"to_device", F::Device, "", kOnDevices, ""},
    {"detach", F::Same, "", kNoGradient, ""},
    {"contiguous", F::Same, "", "every block is stored as it is needed", ""},
    {"copy", F::Same, "", "an array is not changed by its use", ""},
    {"clone", F::Same, "", "an array is not changed by its use", ""},
    {"backward", F::Say, "", kBackward, kBackwardExample},
    {"shape", F::Sizes, "", kShape, ""},
    {"size", F::Count, "", kShape, ""},
    {"ndim", F::Say, "", "the brackets name all dimensions", ""},
    {"nbytes", F::Bytes, "total_bytes", "bytes are asked of a function", ""},
    {"dtype", F::Say, "", "an array alone on a line tells its type in a session", ""},
    {"sharding", F::Say, "", "`show` draws which device holds what", "show A[I_X, J]"},
    {"numpy", F::Say, "", "values are written to a file", "save A \"a.npy\""},
    {"item", F::Say, "", "values of arrays are compared, saved and not printed", ""},
    {"at", F::Say, "", "elements are changed by an index on the left of `=`", ""},
    {"append", F::Say, "", "there are no lists", ""},
};

template <std::size_t count>
const ForeignFunction* find(const ForeignFunction (&table)[count], std::string_view name) {
  const auto* entry = std::find_if(std::begin(table), std::end(table),
                                   [&](const ForeignFunction& f) { return f.name == name; });
  return entry == std::end(table) ? nullptr : entry;
}

}  // namespace

const ForeignFunction* foreign_function(std::string_view name) {
  return find(kForeignFunctions, name);
}

const ForeignFunction* called_collective(std::string_view word) {
  std::string letters;
  for (const char c : word) {
    if (c != '_' && c != '-') letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  return find(kCalledCollectives, letters);
}

ForeignFunction foreign_cast(DType dtype) {
  return {name_of(dtype), F::Cast, name_of(dtype), kCast, kCastExample};
}

const ForeignFunction* foreign_method(std::string_view name) {
  const ForeignFunction* own = find(kMethods, name);
  return own != nullptr ? own : find(kForeignFunctions, name);
}

std::string path_of(const ForeignTree& tree) {
  if (tree.kind == ForeignTree::Kind::Name) return tree.text;
  if (tree.kind != ForeignTree::Kind::Attribute) return {};
  const std::string object = path_of(tree.parts.front());
  return object.empty() ? object : object + "." + tree.text;
}

}  // namespace shard

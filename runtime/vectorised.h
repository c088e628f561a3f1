// What the compilers call loops that become vector instructions.
#pragma once

// Before a loop whose passes do not touch what another one writes.
#if defined(__clang__)
#define SHARD_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define SHARD_INDEPENDENT _Pragma("GCC ivdep")
#else
#define SHARD_INDEPENDENT
#endif

// SHARD_TARGET("avx2"): a function may use these instructions. SHARD_CLONES: it is compiled for newer processors, too,
// and the loader chooses; for what gives the same bits on all of them. The loader comes before the thread sanitizer is
// there, which would look at its choice. SHARD_INLINE: it is compiled with each caller.
#if defined(__x86_64__)
#define SHARD_TARGET(instructions) __attribute__((target(instructions)))
#else
#define SHARD_TARGET(instructions)
#endif
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define SHARD_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define SHARD_CLONES
#endif
#define SHARD_INLINE inline __attribute__((always_inline))

# Finds jemalloc, an allocator. Defines Jemalloc_FOUND and the imported target shard::jemalloc.
include(${CMAKE_CURRENT_LIST_DIR}/pkg_config_package.cmake)
pkg_config_package(Jemalloc jemalloc shard::jemalloc)

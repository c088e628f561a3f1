# Finds jemalloc, an allocator, by pkg-config. Defines Jemalloc_FOUND and the imported target shard::jemalloc.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(Jemalloc QUIET IMPORTED_TARGET jemalloc)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Jemalloc REQUIRED_VARS Jemalloc_LINK_LIBRARIES VERSION_VAR Jemalloc_VERSION)

if(Jemalloc_FOUND AND NOT TARGET shard::jemalloc)
  add_library(shard::jemalloc INTERFACE IMPORTED)
  target_link_libraries(shard::jemalloc INTERFACE PkgConfig::Jemalloc)
endif()

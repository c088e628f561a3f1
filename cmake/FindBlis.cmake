# Finds the single-threaded build of BLIS, which Debian keeps in a folder of its own beside the threaded builds. Plain
# `blas` would be whichever library the system prefers, whose threads would compete with ours, or which several threads
# may not call at a time: the serial build of OpenBLAS hands one buffer to two of them.
#
# Defines Blis_FOUND and the imported target shard::blas. The folder must be in the run path of what links it
# (CMake's default in the build tree), because all builds share one soname.
foreach(prefix IN ITEMS ${CMAKE_PREFIX_PATH} /usr/local /usr)
  list(APPEND blis_library_dirs ${prefix}/lib/${CMAKE_CXX_LIBRARY_ARCHITECTURE}/blis-serial
       ${prefix}/lib/blis-serial ${prefix}/lib64/blis-serial)
  list(APPEND blis_include_dirs ${prefix}/include/${CMAKE_CXX_LIBRARY_ARCHITECTURE}/blis-serial
       ${prefix}/include/blis-serial)
endforeach()
find_library(Blis_LIBRARY NAMES blis PATHS ${blis_library_dirs} NO_DEFAULT_PATH)
find_path(Blis_INCLUDE_DIR NAMES cblas.h PATHS ${blis_include_dirs} NO_DEFAULT_PATH)
mark_as_advanced(Blis_LIBRARY Blis_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Blis REQUIRED_VARS Blis_LIBRARY Blis_INCLUDE_DIR)

if(Blis_FOUND AND NOT TARGET shard::blas)
  add_library(shard::blas UNKNOWN IMPORTED)
  set_target_properties(shard::blas PROPERTIES IMPORTED_LOCATION "${Blis_LIBRARY}"
                                               INTERFACE_INCLUDE_DIRECTORIES "${Blis_INCLUDE_DIR}")
endif()

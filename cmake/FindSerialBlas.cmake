# Finds the single-threaded build of OpenBLAS, which Debian keeps in a folder of its own beside the threaded builds.
# Plain `openblas` would be whichever build the system prefers, and its threads would compete with ours.
#
# Defines SerialBlas_FOUND and the imported target shard::blas. The folder must be in the run path of what links it
# (CMake's default in the build tree), because all builds share one soname.
foreach(prefix IN ITEMS ${CMAKE_PREFIX_PATH} /usr/local /usr)
  list(APPEND serial_blas_library_dirs ${prefix}/lib/${CMAKE_CXX_LIBRARY_ARCHITECTURE}/openblas-serial
       ${prefix}/lib/openblas-serial ${prefix}/lib64/openblas-serial)
  list(APPEND serial_blas_include_dirs ${prefix}/include/${CMAKE_CXX_LIBRARY_ARCHITECTURE}/openblas-serial
       ${prefix}/include/openblas-serial)
endforeach()
find_library(SerialBlas_LIBRARY NAMES openblas PATHS ${serial_blas_library_dirs} NO_DEFAULT_PATH)
find_path(SerialBlas_INCLUDE_DIR NAMES cblas.h PATHS ${serial_blas_include_dirs} NO_DEFAULT_PATH)
mark_as_advanced(SerialBlas_LIBRARY SerialBlas_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SerialBlas REQUIRED_VARS SerialBlas_LIBRARY SerialBlas_INCLUDE_DIR)

if(SerialBlas_FOUND AND NOT TARGET shard::blas)
  add_library(shard::blas UNKNOWN IMPORTED)
  set_target_properties(shard::blas PROPERTIES IMPORTED_LOCATION "${SerialBlas_LIBRARY}"
                                               INTERFACE_INCLUDE_DIRECTORIES "${SerialBlas_INCLUDE_DIR}")
endif()

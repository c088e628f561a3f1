# Finds libedit, the BSD line editor, by pkg-config. Defines Edit_FOUND and the imported target shard::edit.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(Edit QUIET IMPORTED_TARGET libedit)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Edit REQUIRED_VARS Edit_LINK_LIBRARIES VERSION_VAR Edit_VERSION)

if(Edit_FOUND AND NOT TARGET shard::edit)
  add_library(shard::edit INTERFACE IMPORTED)
  target_link_libraries(shard::edit INTERFACE PkgConfig::Edit)
endif()

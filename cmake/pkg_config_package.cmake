# What a find module does whose library comes with a description for pkg-config and with none for CMake: defines NAME_FOUND
# and the imported target TARGET, from pkg-config's MODULE. A macro, because find_package reads its caller's variables.
macro(pkg_config_package NAME MODULE TARGET)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(${NAME} QUIET IMPORTED_TARGET ${MODULE})
  endif()

  include(FindPackageHandleStandardArgs)
  find_package_handle_standard_args(${NAME} REQUIRED_VARS ${NAME}_LINK_LIBRARIES VERSION_VAR ${NAME}_VERSION)

  if(${NAME}_FOUND AND NOT TARGET ${TARGET})
    add_library(${TARGET} INTERFACE IMPORTED)
    target_link_libraries(${TARGET} INTERFACE PkgConfig::${NAME})
  endif()
endmacro()

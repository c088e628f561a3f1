# The installed package: libraries, headers, the command, and what find_package(shard) reads.
include(CMakePackageConfigHelpers)

set(shard_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/shard)
set(shard_folders base grammar runtime stdlib interpreter)

foreach(folder IN LISTS shard_folders)
  set_target_properties(shard_${folder} PROPERTIES EXPORT_NAME ${folder})
  install(TARGETS shard_${folder} EXPORT shard_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/shard
    FILES_MATCHING
    PATTERN "*.h"
    PATTERN "*.def")
endforeach()
# A static library names its private parts in the export, so the flags come along; they reach no user.
install(TARGETS shard_warnings EXPORT shard_targets)
install(TARGETS shard RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

install(EXPORT shard_targets FILE shard-targets.cmake NAMESPACE shard:: DESTINATION ${shard_package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/shard-config.cmake.in
                              ${PROJECT_BINARY_DIR}/shard-config.cmake INSTALL_DESTINATION ${shard_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/shard-config-version.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/shard-config.cmake ${PROJECT_BINARY_DIR}/shard-config-version.cmake
        ${PROJECT_SOURCE_DIR}/cmake/FindBlis.cmake ${PROJECT_SOURCE_DIR}/cmake/FindEdit.cmake
  DESTINATION ${shard_package_dir})

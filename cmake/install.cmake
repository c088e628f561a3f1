# The installed package: libraries, headers, the command, and what find_package(shard) reads. Its components are `estimate` and
# `execute`, which brings `estimate` along; who asks for the first alone needs none of the second one's libraries.
include(CMakePackageConfigHelpers)

set(shard_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/shard)
set(shard_estimate_libraries base grammar stdlib costs estimate)
set(shard_execute_libraries arrays execute)

foreach(component estimate execute)
  foreach(library IN LISTS shard_${component}_libraries)
    set_target_properties(shard_${library} PROPERTIES EXPORT_NAME ${library})
    install(TARGETS shard_${library} EXPORT shard_${component} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endforeach()
  install(EXPORT shard_${component} FILE shard-${component}.cmake NAMESPACE shard:: DESTINATION ${shard_package_dir})
endforeach()
# A static library names its private parts in the export, so the flags come along; they reach no user.
install(TARGETS shard_warnings EXPORT shard_estimate)
foreach(folder base grammar runtime stdlib interpreter)
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/shard
    FILES_MATCHING
    PATTERN "*.h"
    PATTERN "*.def")
endforeach()
install(TARGETS shard RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/shard-config.cmake.in
                              ${PROJECT_BINARY_DIR}/shard-config.cmake INSTALL_DESTINATION ${shard_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/shard-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/shard-config.cmake ${PROJECT_BINARY_DIR}/shard-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindBlis.cmake DESTINATION ${shard_package_dir})

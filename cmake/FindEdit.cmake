# Finds libedit, the BSD line editor. Defines Edit_FOUND and the imported target shard::edit.
include(${CMAKE_CURRENT_LIST_DIR}/pkg_config_package.cmake)
pkg_config_package(Edit libedit shard::edit)

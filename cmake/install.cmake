# What `cmake --install` lays down. The command finds its headers and its library beside itself:
#
#   <root>/bin/hostnpu   <root>/lib/libhostnpu.so   <root>/include/hostnpu/{acl,ascendc,hostnpu}
#
# The headers have a folder of their own, because the command takes all of it into its cache key, and
# because a vendor's acl/acl.h may stand beside it. `lib` and `include` are spelled out, not taken from
# GNUInstallDirs, because the command relies on them. In a build tree it asks CMakeCache.txt instead.
include(CMakePackageConfigHelpers)

target_include_directories(hostnpu INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                                             $<INSTALL_INTERFACE:include/hostnpu>)
set(hostnpu_targets hostnpu)
if(TARGET hostnpu_cli)
  set_target_properties(hostnpu_cli PROPERTIES EXPORT_NAME command)
  list(APPEND hostnpu_targets hostnpu_cli)
endif()

install(TARGETS ${hostnpu_targets} EXPORT hostnpuTargets RUNTIME DESTINATION bin LIBRARY DESTINATION lib)
install(DIRECTORY include/ DESTINATION include/hostnpu)
install(FILES LICENSE README.md DESTINATION share/doc/hostnpu)
install(EXPORT hostnpuTargets NAMESPACE hostnpu:: DESTINATION lib/cmake/hostnpu)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/hostnpuConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES cmake/hostnpuConfig.cmake ${CMAKE_BINARY_DIR}/hostnpuConfigVersion.cmake
        DESTINATION lib/cmake/hostnpu)

# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
#
# find_package(hostnpu) brings
#   hostnpu::hostnpu         the library: acl/acl.h and hostnpu/*.h
#   hostnpu::command         the hostnpu command
#   hostnpu_add_executable(<name> SOURCES <file>...)
include(${CMAKE_CURRENT_LIST_DIR}/hostnpuTargets.cmake)

# An ordinary executable of <name> from .asc sources, which hostnpu compiles, and any others, which this
# project's compiler does. Include directories, definitions and options of the target reach both.
function(hostnpu_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "hostnpu_add_executable(<name> SOURCES <file>...): '${arg_UNPARSED_ARGUMENTS}' "
                        "is not after SOURCES, or there are no sources")
  endif()
  set(objects)
  set(others)
  foreach(source IN LISTS arg_SOURCES)
    if(NOT source MATCHES "\\.asc$")
      list(APPEND others ${source})
      continue()
    endif()
    get_filename_component(path ${source} ABSOLUTE)
    if(NOT EXISTS ${path})
      message(FATAL_ERROR "hostnpu_add_executable(${name}): there is no source ${path}")
    endif()
    get_filename_component(stem ${source} NAME)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir/${stem}.o)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir)
    set(includes $<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>)
    set(definitions $<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>)
    add_custom_command(
      OUTPUT ${object}
      COMMAND hostnpu::command build -c ${path} -o ${object} --depfile ${object}.d
              "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
              "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
              -- $<TARGET_PROPERTY:${name},COMPILE_OPTIONS>
      DEPENDS ${path} $<TARGET_FILE:hostnpu::command>
      DEPFILE ${object}.d
      COMMENT "Compiling Ascend C ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  add_executable(${name} ${others} ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE hostnpu::hostnpu)
endfunction()

# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
#
# find_package(hostnpu) brings
#   hostnpu::hostnpu         the library: acl/acl.h and hostnpu/*.h
#   hostnpu::command         the hostnpu command
#   hostnpu_add_executable(<name> SOURCES <file>...)
include(${CMAKE_CURRENT_LIST_DIR}/hostnpuTargets.cmake)

# An ordinary executable of <name> from .asc sources, which hostnpu compiles, and any others, which this
# project's compiler does. Include directories, definitions, options and a CXX_STANDARD from 17 of the target reach both;
# a Debug build compiles kernels for a debugger too.
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
    # As deep below the build folder as the source is below the project: two may have the same name.
    file(RELATIVE_PATH below ${CMAKE_CURRENT_SOURCE_DIR} ${path})
    string(REPLACE ".." "__" below ${below})
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir/${below}.o)
    get_filename_component(folder ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    set(includes $<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>)
    set(definitions $<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>)
    set(standard $<TARGET_PROPERTY:${name},CXX_STANDARD>)
    add_custom_command(
      OUTPUT ${object}
      COMMAND hostnpu::command build $<$<CONFIG:Debug>:-g> -c ${path} -o ${object} --depfile ${object}.d
              "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
              "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
              "$<$<IN_LIST:${standard},17;20;23>:-std=c++${standard}>"
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

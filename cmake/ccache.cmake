# Building the same sources in several folders costs once where ccache is installed. A folder stays with or without it: one that came
# later would change each command, and so compile everything anew.
if(NOT DEFINED CCACHE)
  find_program(CCACHE ccache)
endif()
if(CCACHE)
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1 ${CCACHE})
    endif()
  endforeach()
endif()

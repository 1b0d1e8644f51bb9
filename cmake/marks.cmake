# Flags of single files of the engine, which stand in the files as marks:
#
#   #pragma STDC FP_CONTRACT OFF        of the C standard, which GCC doesn't know. Where terms cancel, what is left
#                                       decides: which features of two shapes tie, which entries of a moment are stored.
#                                       A product fused into a sum would tip the scale, and differently on every machine
#   // compile with FLAG: reason        any other flag; with (release) behind it, of optimised builds of GCC alone
#
# tests/flags/check.py holds the flags that files are compiled with against their marks.
foreach(source ${engine_sources})
  # a mark that comes or goes changes the build
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(STRINGS ${source} marks REGEX "^(#pragma STDC FP_CONTRACT OFF|// compile with -)")
  foreach(mark IN LISTS marks)
    if(mark MATCHES "^#pragma")
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -ffp-contract=off -Wno-unknown-pragmas)
    elseif(NOT mark MATCHES "^// compile with (-[a-z0-9=-]+)( \\(release\\))?: ")
      message(FATAL_ERROR "${source}: not a mark: ${mark}")
    elseif(NOT CMAKE_MATCH_2 OR (CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_C_COMPILER_ID STREQUAL "GNU"))
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${CMAKE_MATCH_1})
    endif()
  endforeach()
endforeach()

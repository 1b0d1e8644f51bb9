# What the engine is built on: five small libraries, of the system or from their sources. A missing one ends the configuration with
# what helps. Sets, for the targets of the engine:
#   CONDYLE_INCLUDES           folders of headers that no target brings along
#   CONDYLE_LINKED             what its users link as well, targets that CMake finds by name
#   CONDYLE_LINKED_INSIDE      files and targets that are linked into it
#   CONDYLE_LINKED_BY_NAME     the same, as users of the static library link them
#   CONDYLE_OBJECTS            what the static library holds of them
set(CONDYLE_LIBRARIES "system" CACHE STRING
  "Expat, zlib, Qhull, libccd, libspng: system; fetch (their sources, from Debian); another address of such an archive; a folder with the sources")
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

function(condyle_missing library package)
  message(FATAL_ERROR "${library} is missing; on Debian: apt-get install ${package}. "
    "Without packages: -DCONDYLE_LIBRARIES=fetch downloads the sources of Expat, zlib, Qhull, libccd and libspng and builds them in, "
    "-DCONDYLE_LIBRARIES=/folder takes them from a folder (pip: --config-settings=cmake.define.CONDYLE_LIBRARIES=fetch)")
endfunction()

if(CONDYLE_LIBRARIES STREQUAL "system")
  find_package(EXPAT QUIET)
  if(NOT EXPAT_FOUND)
    condyle_missing(Expat libexpat1-dev)
  endif()
  find_package(ZLIB QUIET)
  if(NOT ZLIB_FOUND)
    condyle_missing(zlib zlib1g-dev)
  endif()
  find_path(QHULL_INCLUDE_DIR libqhull_r/qhull_ra.h)
  find_library(QHULL_LIBRARY NAMES qhull_r qhullstatic_r)
  if(NOT QHULL_INCLUDE_DIR OR NOT QHULL_LIBRARY)
    condyle_missing(Qhull libqhull-dev)
  endif()
  find_path(CCD_INCLUDE_DIR ccd/ccd.h)
  find_library(CCD_LIBRARY ccd)
  if(NOT CCD_INCLUDE_DIR OR NOT CCD_LIBRARY)
    condyle_missing(libccd libccd-dev)
  endif()
  find_path(SPNG_INCLUDE_DIR spng.h)
  find_library(SPNG_LIBRARY spng)
  if(NOT SPNG_INCLUDE_DIR OR NOT SPNG_LIBRARY)
    condyle_missing(libspng libspng-dev)
  endif()
  set(CONDYLE_INCLUDES ${CCD_INCLUDE_DIR} ${QHULL_INCLUDE_DIR} ${SPNG_INCLUDE_DIR})
  set(CONDYLE_LINKED EXPAT::EXPAT ZLIB::ZLIB)
  set(CONDYLE_LINKED_INSIDE ${CCD_LIBRARY} ${QHULL_LIBRARY} ${SPNG_LIBRARY})
  set(CONDYLE_LINKED_BY_NAME ccd qhull_r spng)
  set(CONDYLE_PC_LIBRARIES " -lexpat -lz -lccd -lqhull_r -lspng")
else()
  include(cmake/libraries.cmake)
  set(sources ${CONDYLE_LIBRARIES})
  if(sources STREQUAL "fetch")
    condyle_fetch_libraries(sources ${CONDYLE_ARCHIVES})
  elseif(sources MATCHES "^[a-z]+://")
    condyle_fetch_libraries(sources ${sources})
  endif()
  condyle_list_libraries(${sources})
  add_library(condyle_libraries OBJECT ${library_sources})
  target_include_directories(condyle_libraries PRIVATE ${library_includes})
  # their makers' warnings
  target_compile_options(condyle_libraries PRIVATE -w)
  if(CONDYLE_PORTABLE)
    # the hulls of meshes, too
    target_compile_options(condyle_libraries PRIVATE -ffp-contract=off)
  endif()
  target_compile_definitions(condyle_libraries PRIVATE SPNG_STATIC CCD_STATIC_DEFINE XML_STATIC)
  add_library(condyle_libraries_archive STATIC $<TARGET_OBJECTS:condyle_libraries>)
  set(CONDYLE_INCLUDES ${library_includes})
  set(CONDYLE_LINKED_INSIDE condyle_libraries_archive)
  set(CONDYLE_OBJECTS $<TARGET_OBJECTS:condyle_libraries>)
endif()

# textures of robots; without it those in JPEG are left out
find_package(JPEG QUIET)
if(NOT JPEG_FOUND)
  message(STATUS "libjpeg is missing: robots have no textures in JPEG; on Debian: apt-get install libjpeg-dev")
endif()

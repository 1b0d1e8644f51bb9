# The libraries that the engine is built on, from their sources: Expat, zlib, Qhull, libccd, libspng. For browsers (web/), and where a
# system lacks them (dependencies.cmake). Only what the engine calls is compiled.

# condyle_list_libraries(FOLDER): sets library_sources, library_includes and library_licences. In FOLDER are the libraries' own, as their packages name them:
# expat-2.7.1, zlib-1.3.1, qhull-2020.2, libccd-2.1, libspng-0.7.4, of any version.
macro(condyle_list_libraries folder)
  foreach(library expat zlib qhull libccd libspng)
    file(GLOB found ${folder}/${library}-*)
    list(FILTER found EXCLUDE REGEX "-alone$|\\.(gz|bz2|xz|dsc)$")
    list(LENGTH found count)
    if(NOT count EQUAL 1)
      message(FATAL_ERROR "${folder} should have one folder ${library}-VERSION with the unpacked sources of ${library}; it has ${count}")
    endif()
    set(${library} ${found})
  endforeach()
  file(GLOB library_licences ${expat}/COPYING ${zlib}/LICENSE ${qhull}/COPYING.txt ${libccd}/BSD-LICENSE ${libspng}/LICENSE)
  # published with or without the folder of the repository around it
  set(expat ${expat}/expat/lib)
  if(NOT IS_DIRECTORY ${expat})
    string(REGEX REPLACE "/expat/lib$" "/lib" expat ${expat})
  endif()
  file(GLOB library_sources ${qhull}/src/libqhull_r/*_r.c ${zlib}/inf*.c ${libccd}/src/*.c)
  list(FILTER library_sources EXCLUDE REGEX "rbox[^/]*$")
  list(APPEND library_sources ${zlib}/adler32.c ${zlib}/compress.c ${zlib}/crc32.c ${zlib}/zutil.c ${zlib}/trees.c ${zlib}/deflate.c ${expat}/xmlparse.c
    ${expat}/xmlrole.c ${expat}/xmltok.c ${libspng}/spng/spng.c)
  # what their own builds find out
  set(library_settings ${CMAKE_BINARY_DIR}/libraries)
  file(CONFIGURE OUTPUT ${library_settings}/ccd/config.h CONTENT "#define CCD_DOUBLE\n")
  set(order 1234)
  if(CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN")
    set(order 4321)
  endif()
  # the salt of its hash tables
  set(entropy XML_DEV_URANDOM)
  if(NOT UNIX)
    set(entropy XML_POOR_ENTROPY)
  endif()
  file(CONFIGURE OUTPUT ${library_settings}/expat_config.h CONTENT
    "#define BYTEORDER ${order}\n#define XML_NS 1\n#define XML_DTD 1\n#define XML_GE 1\n#define XML_CONTEXT_BYTES 1024\n#define ${entropy} 1\n")
  set(library_includes ${library_settings} ${qhull}/src ${libccd}/src ${expat} ${libspng}/spng ${zlib})
endmacro()

# condyle_fetch_libraries(RESULT BASE...): downloads and unpacks them, once, into a folder of the build. BASE: addresses of
# Debian's archive, of which the first that answers serves: CONDYLE_ARCHIVES or a mirror.
set(CONDYLE_ARCHIVES https://deb.debian.org/debian https://snapshot.debian.org/archive/debian/20251001T000000Z)
function(condyle_fetch_libraries result)
  set(folder ${CMAKE_BINARY_DIR}/libraries/sources)
  foreach(line
      "e/expat/expat_2.7.1.orig.tar.gz 85372797ff0673a8fc4a6be16466bb5a0ca28c0dcf3c6f7ac1686b4a3ba2aabb"
      "z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2 71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1"
      "q/qhull/qhull_2020.2.orig.tar.gz b5c2d7eb833278881b952c8a52d20179eab87766b00b865000469a45c1838b7e"
      "libc/libccd/libccd_2.1.orig.tar.gz 3543093486a8bdb7129e18d69d8f2b42e3056877521425210f9fe560789ebba5"
      "libs/libspng/libspng_0.7.3.orig.tar.gz a50cadbe808ffda1a7fab17d145f52a23b163f34b3eb3696c7ecb5a52340fc1d")
    string(REPLACE " " ";" line ${line})
    list(GET line 0 path)
    list(GET line 1 sum)
    string(REGEX REPLACE "^.*/([a-z]+)_([0-9.]+[0-9]).*$" "\\1-\\2" place ${path})
    if(IS_DIRECTORY ${folder}/${place})
      continue()
    endif()
    set(archive ${folder}.part/archive)
    set(tried)
    set(fetched OFF)
    foreach(base ${ARGN})
      message(STATUS "Fetching ${base}/pool/main/${path}")
      file(DOWNLOAD ${base}/pool/main/${path} ${archive} STATUS status TLS_VERIFY ON INACTIVITY_TIMEOUT 60)
      list(GET status 1 reason)
      if(status MATCHES "^0;")
        file(SHA256 ${archive} got)
        if(got STREQUAL sum)
          set(fetched ON)
          break()
        endif()
        set(reason "its SHA256 is ${got}, not ${sum}")
      endif()
      string(APPEND tried "\n  ${base}/pool/main/${path}: ${reason}")
    endforeach()
    if(NOT fetched)
      message(FATAL_ERROR "${place} can't be fetched:${tried}\nAnother mirror of Debian: -DCONDYLE_LIBRARIES=https://..., "
        "or a folder with the sources: -DCONDYLE_LIBRARIES=/folder")
    endif()
    file(REMOVE_RECURSE ${folder}.part/inside)
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder}.part/inside)
    file(GLOB inside ${folder}.part/inside/*)
    file(MAKE_DIRECTORY ${folder})
    # whole, or not at all
    file(RENAME ${inside} ${folder}/${place})
  endforeach()
  file(REMOVE_RECURSE ${folder}.part)
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

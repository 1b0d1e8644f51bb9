# libcondyle_core: steps of binary models, derivatives and batches, on the C library and libm alone (docs/core.md). Its sources are
# the folders in src/core/folders.txt; a file of src/core stands in for the file or folder of src that has its name.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/core/folders.txt)
file(STRINGS src/core/folders.txt core_folders)
foreach(folder ${core_folders})
  if(folder MATCHES "^-(.*)")
    list(FILTER core_sources EXCLUDE REGEX "/src/${CMAKE_MATCH_1}\\.c$")
  else()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/${folder}/*.c)
    list(APPEND core_sources ${sources})
  endif()
endforeach()
file(GLOB_RECURSE standins RELATIVE ${PROJECT_SOURCE_DIR}/src/core CONFIGURE_DEPENDS src/core/*.c)
foreach(standin ${standins})
  string(REGEX REPLACE "\\.c$" "" replaced ${standin})
  list(FILTER core_sources EXCLUDE REGEX "/src/${replaced}(\\.c|/.*)$")
  list(APPEND core_sources ${PROJECT_SOURCE_DIR}/src/core/${standin})
endforeach()

add_library(condyle_core STATIC ${core_sources})
add_library(condyle::condyle_core ALIAS condyle_core)
target_compile_definitions(condyle_core PRIVATE CONDYLE_SMALL MUJOCO_DLL_EXPORTS CONDYLE_VERSION="${PROJECT_VERSION}")
target_include_directories(condyle_core PRIVATE src
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
if(CONDYLE_SINGLE)
  target_compile_definitions(condyle_core PUBLIC mjUSESINGLE)
endif()
target_compile_definitions(condyle_core INTERFACE MJ_STATIC)
target_link_libraries(condyle_core PRIVATE $<BUILD_INTERFACE:condyle_flags> PUBLIC Threads::Threads m)
# small rather than fast (Clang makes a tenth less of -Oz); the same bits on every machine; a program leaves out what it doesn't call
target_compile_options(condyle_core PRIVATE -ffp-contract=off -fno-tree-slp-vectorize -ffunction-sections -fdata-sections
  -fno-asynchronous-unwind-tables $<$<CONFIG:Release>:$<IF:$<C_COMPILER_ID:Clang,AppleClang>,-Oz,-Os>>)

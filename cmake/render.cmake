# The renderer, a library of its own: whoever needs no pictures needs no font and no OpenGL. It links
# no graphics library; it finds one when a context is made.
find_package(Freetype QUIET)
find_file(CONDYLE_FONT DejaVuSans.ttf PATH_SUFFIXES truetype/dejavu dejavu dejavu-sans-fonts TTF
  PATHS /usr/share/fonts /usr/local/share/fonts DOC "outline font from which the renderer's is made")
find_path(GL_INCLUDE_DIR GL/glcorearb.h)
find_path(EGL_INCLUDE_DIR EGL/egl.h)
set(CONDYLE_RENDER ON)
foreach(needed FREETYPE_FOUND CONDYLE_FONT GL_INCLUDE_DIR EGL_INCLUDE_DIR)
  if(NOT ${needed})
    set(CONDYLE_RENDER OFF)
  endif()
endforeach()
if(NOT CONDYLE_RENDER)
  message(STATUS "No renderer: it needs FreeType, the font DejaVu Sans and the headers of OpenGL and EGL;"
    " on Debian: apt-get install libfreetype-dev fonts-dejavu-core libgl-dev libegl-dev")
  return()
endif()

set(render_dir ${PROJECT_BINARY_DIR}/render)
file(GLOB shaders CONFIGURE_DEPENDS src/render/shader/*)
add_custom_command(OUTPUT ${render_dir}/source.c
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${PROJECT_SOURCE_DIR}/src/render/shader -DOUT=${render_dir}/source.c
    -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${shaders} cmake/embed.cmake VERBATIM)
add_executable(condyle_bake src/render/font/bake.c)
target_include_directories(condyle_bake PRIVATE src)
target_link_libraries(condyle_bake PRIVATE Freetype::Freetype)
add_custom_command(OUTPUT ${render_dir}/font.c COMMAND condyle_bake ${CONDYLE_FONT} ${render_dir}/font.c
  DEPENDS condyle_bake ${CONDYLE_FONT} VERBATIM)

file(GLOB_RECURSE render_sources CONFIGURE_DEPENDS src/render/*.c)
list(FILTER render_sources EXCLUDE REGEX "/bake\\.c$")
add_library(condyle_render SHARED ${render_sources} ${render_dir}/source.c ${render_dir}/font.c)
add_library(condyle::condyle_render ALIAS condyle_render)
target_compile_definitions(condyle_render PRIVATE MUJOCO_DLL_EXPORTS)
target_include_directories(condyle_render PRIVATE src)
target_include_directories(condyle_render SYSTEM PRIVATE ${GL_INCLUDE_DIR} ${EGL_INCLUDE_DIR})
target_link_libraries(condyle_render PUBLIC condyle PRIVATE $<BUILD_INTERFACE:condyle_flags> ${CMAKE_DL_LIBS} m)
target_link_options(condyle_render PRIVATE -Wl,-Bsymbolic-functions
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
if(NOT (CMAKE_C_COMPILER_ID MATCHES "Clang" AND (CONDYLE_SANITIZE OR CONDYLE_FUZZ)))
  target_link_options(condyle_render PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(condyle_render PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${CONDYLE_SOVERSION} INSTALL_RPATH "$ORIGIN")

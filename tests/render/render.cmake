# Tests of the renderer, linked with the shared libraries as programs are. They are left out where no OpenGL can be had.
foreach(name context pixels ui)
  add_executable(test.render.${name} render/${name}_test.c support/compare.c)
  target_include_directories(test.render.${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${CMOCKA_INCLUDE_DIR})
  target_link_libraries(test.render.${name} PRIVATE condyle_render condyle condyle_flags test_options
    ${CMOCKA_LIBRARY} m)
  add_test(NAME render.${name} COMMAND test.render.${name})
endforeach()
add_test(NAME render.exports COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/exports/check.sh $<TARGET_FILE:condyle_render>
  ${PROJECT_SOURCE_DIR}/include render)

# the same pictures by both engines
find_library(EGL_LIBRARY EGL)
if(EGL_LIBRARY)
  add_executable(picture render/picture.c)
  target_link_libraries(picture PRIVATE condyle_render condyle condyle_flags test_options ${EGL_LIBRARY})
  if(CONDYLE_REFERENCE)
    add_executable(picture_ref render/picture.c)
    target_include_directories(picture_ref PRIVATE ${CONDYLE_REFERENCE}/include)
    target_link_libraries(picture_ref PRIVATE ${reference_library} ${EGL_LIBRARY})
    set_target_properties(picture_ref PROPERTIES BUILD_RPATH ${CONDYLE_REFERENCE})
    add_test(NAME render.reference COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/render/compare.py --test
      $<TARGET_FILE:picture> $<TARGET_FILE:picture_ref> ${CMAKE_CURRENT_BINARY_DIR}/pictures
      ${CMAKE_CURRENT_SOURCE_DIR}/render/zoo.xml ${PROJECT_SOURCE_DIR}/models)
    set_tests_properties(render.reference PROPERTIES SKIP_RETURN_CODE 77)
  endif()
endif()

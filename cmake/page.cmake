# The page that `condyle view` and condyle.viewer show. Another compiler and a package manager make it (scripts/web.sh), so a plain
# build is without it: the target condyle_page, part of `make install` and of the wheel, makes it where that is possible, and says else what
# brings it.
set(CONDYLE_PAGE ${PROJECT_SOURCE_DIR}/build/web/viewer.html)
add_custom_target(web COMMAND ${PROJECT_SOURCE_DIR}/scripts/web.sh USES_TERMINAL)
add_custom_target(condyle_page COMMAND ${PROJECT_SOURCE_DIR}/scripts/web.sh --if-possible USES_TERMINAL)

# condyle_install_page(DESTINATION folder ...): arguments are those of install(FILES)
function(condyle_install_page)
  cmake_parse_arguments(PARSE_ARGV 0 page "" "COMPONENT" "")
  install(FILES ${CONDYLE_PAGE} ${ARGN} OPTIONAL)
  set(options)
  if(page_COMPONENT)
    set(options COMPONENT ${page_COMPONENT} EXCLUDE_FROM_ALL)
  endif()
  install(CODE "if(NOT EXISTS \"${CONDYLE_PAGE}\")
  message(WARNING \"Installed without the page of the viewer, so condyle view has nothing to show: \"
    \"run scripts/need.sh web (as root) and make web in ${PROJECT_SOURCE_DIR}, then install again\")
endif()" ${options})
endfunction()

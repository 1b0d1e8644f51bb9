# The page that `condyle view` and condyle.viewer show. Another compiler and a package manager make it (scripts/web.sh), so a plain
# build is without it: the target condyle_page, part of `make install` and of the wheel, makes it where that is possible, and says else what
# brings it. Archives of sources (scripts/dist.sh) have it as web/viewer.html, which serves until another one is made.
set(CONDYLE_PAGE ${PROJECT_SOURCE_DIR}/build/web/viewer.html)
set(shipped_page ${PROJECT_SOURCE_DIR}/web/viewer.html)
add_custom_target(web COMMAND ${PROJECT_SOURCE_DIR}/scripts/web.sh USES_TERMINAL)
if(EXISTS ${shipped_page} AND NOT EXISTS ${CONDYLE_PAGE})
  set(CONDYLE_PAGE ${shipped_page})
  # where the program of this build looks
  file(COPY ${shipped_page} DESTINATION ${PROJECT_BINARY_DIR}/web)
  add_custom_target(condyle_page)
else()
  add_custom_target(condyle_page COMMAND ${PROJECT_SOURCE_DIR}/scripts/web.sh --if-possible USES_TERMINAL)
endif()

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

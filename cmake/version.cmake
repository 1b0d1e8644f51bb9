# What a version number promises (docs/releases.md): programs that are linked with a release run with later ones of the same major
# version; before 1.0, of the same minor one.
#   condyle_compatibility(SOVERSION RULE VERSION)   RULE: what CMake packages of that version serve
function(condyle_compatibility soversion rule version)
  string(REPLACE "." ";" parts ${version})
  list(GET parts 0 major)
  list(GET parts 1 minor)
  if(major EQUAL 0)
    set(${soversion} 0.${minor} PARENT_SCOPE)
    set(${rule} SameMinorVersion PARENT_SCOPE)
  else()
    set(${soversion} ${major} PARENT_SCOPE)
    set(${rule} SameMajorVersion PARENT_SCOPE)
  endif()
endfunction()

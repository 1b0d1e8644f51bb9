// limit.c: decides whether a range applies.
//
// limited is false, true or auto. Auto means true if the range is not empty. With the compiler's
// autolimits off, auto with a range is an error: the author must choose.
//                                                                     theory/model/model.md, Limits
#include "compile/limit.h"

int limit_active(Compile* c, const SpecObject* object, const char* prefix, int limited,
                 const double range[2], const char* empty) {
  int active = limited == mjLIMITED_AUTO ? range[0] < range[1] : limited == mjLIMITED_TRUE;
  if (limited == mjLIMITED_AUTO && !compile_options(object)->autolimits &&
      (range[0] != 0 || range[1] != 0)) {
    compile_error(c, object,
                  "%s has `%srange` but not `%slimited`. set the autolimits=\"true\" compiler "
                  "option, specify `%slimited` explicitly (\"true\" or \"false\"), or remove the "
                  "`%srange` attribute.",
                  spec_typename(object->element.elemtype), prefix, prefix, prefix, prefix);
  }
  if (active && empty && range[0] >= range[1]) {
    compile_error(c, object, "%s: it is %g %g", empty, range[0], range[1]);
  }
  return active;
}

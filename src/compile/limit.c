#include "compile/limit.h"

int limit_active(Compile* c, const SpecObject* object, const char* kind, int limited,
                 const double range[2]) {
  if (limited != mjLIMITED_AUTO) {
    return limited == mjLIMITED_TRUE;
  }
  if (!compile_options(object)->autolimits && (range[0] != 0 || range[1] != 0)) {
    compile_error(c, object,
                  "%s has `range` but not `limited`. set the autolimits=\"true\" compiler option, "
                  "specify `limited` explicitly (\"true\" or \"false\"), or remove the `range` "
                  "attribute.",
                  kind);
  }
  return range[0] < range[1];
}

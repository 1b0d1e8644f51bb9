#include "compile/mechanism/limit.h"

#include <mujoco/mjmodel.h>

int limit_active(Compile* c, const SpecObject* object, const char* kind, const char* prefix,
                 int limited, const double range[2]) {
  if (limited != mjLIMITED_AUTO) {
    return limited == mjLIMITED_TRUE;
  }
  if (!compile_options(object)->autolimits && (range[0] != 0 || range[1] != 0)) {
    compile_error(c, object,
                  "%s has `%srange` but not `%slimited`. set the autolimits=\"true\" compiler "
                  "option, specify `%slimited` explicitly (\"true\" or \"false\"), or remove the "
                  "`%srange` attribute.",
                  kind, prefix, prefix, prefix, prefix);
  }
  return range[0] < range[1];
}

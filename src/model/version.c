// version.c: the version of the compatible interface, and the version of this engine.

#include <condyle/condyle.h>
#include <mujoco/api/model.h>

// defined by the build from the version of the project
#ifndef CONDYLE_VERSION
#define CONDYLE_VERSION "development"
#endif

int mj_version(void) {
  return mjVERSION_HEADER;
}

const char* mj_versionString(void) {
  return "3.3.7";
}

const char* cnd_version(void) {
  return CONDYLE_VERSION;
}

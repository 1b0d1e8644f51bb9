// A program that compiles models to binary ones, all in one process, for check.sh.
//
// usage: compile FOLDER MODEL.xml...

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  for (int i = 2; i < argc; i++) {
    char error[1000] = "", path[2000];
    mjModel* m = mj_loadXML(argv[i], NULL, error, sizeof(error));
    if (!m) {
      fprintf(stderr, "%s: %s\n", argv[i], error);
      return 1;
    }
    const char* name = strrchr(argv[i], '/');
    name = name ? name + 1 : argv[i];
    snprintf(path, sizeof(path), "%s/%.*s.mjb", argv[1], (int)strcspn(name, "."), name);
    mj_saveModel(m, path, NULL, 0);
    mj_deleteModel(m);
  }
  return argc > 2 ? 0 : 1;
}

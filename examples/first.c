// A first program: loads a model, simulates two seconds, says where the head is.
//
//   cc examples/first.c $(pkg-config --cflags --libs condyle) -o first && ./first

#include <mujoco/mujoco.h>
#include <stdio.h>

int main(void) {
  char error[1000];
  mjModel* m = mj_loadXML("models/humanoid.xml", NULL, error, sizeof error);
  if (!m) {
    puts(error);
    return 1;
  }
  mjData* d = mj_makeData(m);
  while (d->time < 2) {
    mj_step(m, d);
  }
  printf("after %g s the head is %.3f m above the floor\n", d->time,
         d->geom_xpos[3 * mj_name2id(m, mjOBJ_GEOM, "head") + 2]);
  mj_deleteData(d);
  mj_deleteModel(m);
}

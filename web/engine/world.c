// world.c: the simulations of the page, and calls whose errors come back as text.

#include <condyle/error.h>
#include <stdio.h>
#include <string.h>

#include "viewer.h"

enum {
  MAX_GEOM = 20000,  // shapes in a picture; what is more is left out
};

Viewer viewer = {.own = -1};

World* main_world(void) {
  return &viewer.world[viewer.own < 0 ? 0 : viewer.own];
}

int attempt(void (*call)(void* argument), void* argument) {
  return !cnd_try(call, argument, viewer.error, sizeof viewer.error);
}

static void make_scene(void* world) {
  World* it = world;
  mjv_makeScene(it->m, &it->scene, MAX_GEOM);
}

void forward_world(void* world) {
  World* it = world;
  mj_forward(it->m, it->d);
}

void close_world(World* world) {
  mjv_freeScene(&world->scene);
  mj_deleteData(world->d);
  mj_deleteModel(world->m);
  memset(world, 0, sizeof *world);
}

int open_world(World* world, mjModel* m) {
  close_world(world);
  world->m = m;
  // the energy is displayed; it costs a product with the inertia matrix
  m->opt.enableflags |= mjENBL_ENERGY;
  world->d = mj_makeData(m);
  if (!world->d || !attempt(make_scene, world)) {
    strcpy(viewer.error, "there is no memory for a simulation of this model");
    close_world(world);
    return 0;
  }
  // ignore errors here: they are reported when the state is stepped
  attempt(forward_world, world);
  return 1;
}

WEB const char* web_error(void) {
  return viewer.error;
}

// Stores a warning of the engine as the reason, in case the call fails.
static void tell(const char* message) {
  snprintf(viewer.error, sizeof viewer.error, "%s", message);
  fprintf(stderr, "%s\n", message);
}

// To be called first.
WEB void web_start(void) {
  mju_user_warning = tell;
  mj_defaultVFS(&viewer.files);
}

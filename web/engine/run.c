// run.c: runs simulations by the page's clock, and applies its controls and pushes.

#include <condyle/condyle.h>
#include <emscripten/emscripten.h>
#include <string.h>

#include "viewer.h"

// Applies the mouse's perturbation before a step: forces to bodies that move; while the simulation
// is paused, new poses to free bodies.
static void push(World* world, int paused) {
  mjv_applyPerturbPose(world->m, world->d, &viewer.perturb, paused);
  if (!paused) {
    mju_zero(world->d->xfrc_applied, 6 * (int)world->m->nbody);
    mjv_applyPerturbForce(world->m, world->d, &viewer.perturb);
  }
}

static void step_all(void* unused) {
  (void)unused;
  for (World* it = viewer.world; it < viewer.world + cndNCONTACT; it++) {
    if (it->m) {
      push(it, 0);
      mj_step(it->m, it->d);
    }
  }
}

static void show_all(void* unused) {
  (void)unused;
  for (World* it = viewer.world; it < viewer.world + cndNCONTACT; it++) {
    if (it->m) {
      push(it, 1);
      mj_forward(it->m, it->d);
    }
  }
}

typedef struct Advance_ {
  double until, stop;
  int steps;
} Advance;

static void advance(void* argument) {
  Advance* it = argument;
  while (main_world()->d->time < it->until) {
    step_all(NULL);
    it->steps++;
    if (emscripten_get_now() >= it->stop) {
      return;
    }
  }
}

// Steps until the simulation has come to a time, but no longer than some milliseconds. Returns the
// number of steps, or -1, with an error, if a step failed.
WEB int web_advance(double until, double milliseconds) {
  Advance it = {until, emscripten_get_now() + milliseconds, 0};
  return main_world()->m && !attempt(advance, &it) ? -1 : it.steps;
}

// One step.
WEB int web_step(void) {
  return attempt(step_all, NULL) ? 1 : -1;
}

// Computes everything that follows from the state, which stands still. Returns 1 if it went well.
WEB int web_forward(void) {
  return attempt(show_all, NULL);
}

static void reset_all(void* argument) {
  const int* key = argument;
  for (World* it = viewer.world; it < viewer.world + cndNCONTACT; it++) {
    if (it->m && *key >= 0 && *key < it->m->nkey) {
      mj_resetDataKeyframe(it->m, it->d, *key);
    } else if (it->m) {
      mj_resetData(it->m, it->d);
    }
    if (it->m) {
      mj_forward(it->m, it->d);
    }
  }
}

// Back to a keyframe, or, with a negative one, to the beginning.
WEB int web_reset(int key) {
  return attempt(reset_all, &key);
}

typedef struct State_ {
  int count;
  const mjtNum* state;
} State;

static void restore_all(void* argument) {
  const State* it = argument;
  for (World* world = viewer.world; world < viewer.world + cndNCONTACT; world++) {
    if (world->m && it->count == mj_stateSize(world->m, mjSTATE_INTEGRATION)) {
      mj_setState(world->m, world->d, it->state, mjSTATE_INTEGRATION);
      mj_forward(world->m, world->d);
    }
  }
}

// Sets the state (mjSTATE_INTEGRATION) of all worlds. Returns 1, or 0 if its length is another.
WEB int web_restore(int count, const mjtNum* state) {
  State it = {count, state};
  const mjModel* m = main_world()->m;
  return m && count == mj_stateSize(m, mjSTATE_INTEGRATION) && attempt(restore_all, &it);
}

// Sets a component of the control, or of the configuration, in all worlds.
WEB void web_setControl(int i, double value) {
  for (World* it = viewer.world; it < viewer.world + cndNCONTACT; it++) {
    if (it->m && i >= 0 && i < it->m->nu) {
      it->d->ctrl[i] = value;
    }
  }
}

WEB void web_setPosition(int i, double value) {
  for (World* it = viewer.world; it < viewer.world + cndNCONTACT; it++) {
    if (it->m && i >= 0 && i < it->m->nq) {
      it->d->qpos[i] = value;
    }
  }
}

// Sets or clears bits of `mask` in opt.disableflags or opt.enableflags.
WEB void web_setPhysics(int enable, int mask, int on) {
  for (World* it = viewer.world; it < viewer.world + cndNCONTACT; it++) {
    if (it->m) {
      int* flags = enable ? &it->m->opt.enableflags : &it->m->opt.disableflags;
      *flags = on ? *flags | mask : *flags & ~mask;
    }
  }
}

// Finds an array of the model ("geom_rgba", "opt.timestep", "ngeom") or of the data of a world:
// writes its address, rows, columns and element type, as a letter of Array.fromAddress of the
// worker. Returns 1, or 0 if there is no such array.
WEB int web_array(int* where, int world, int of_data, const char* name) {
  World* it = world >= 0 && world < cndNCONTACT ? &viewer.world[world] : main_world();
  cndArray array;
  if (!it->m || !(of_data ? cnd_dataArray(&array, it->m, it->d, name)
                          : cnd_modelArray(&array, it->m, name))) {
    return 0;
  }
  const char* type = array.field->type;
  where[0] = (int)(size_t)array.data;
  where[1] = (int)array.rows;
  where[2] = (int)array.columns;
  where[3] = !strcmp(type, "mjtNum")  ? 'd'
             : !strcmp(type, "float") ? 'f'
             : !strcmp(type, "char")  ? 'c'
             : array.field->size == 1 ? 'b'
             : array.field->size == 8 ? 'l'
             : array.field->size == 4 ? 'i'
                                      : '?';
  return 1;
}

// The name of the i-th array of the model, its rows ("nbody") and its meaning, for `what` = 0, 1,
// 2; NULL after the last one.
WEB const char* web_field(int i, int what) {
  const cndField* field = cnd_modelField(i);
  if (!field) {
    return NULL;
  }
  return what == 0 ? field->name : what == 1 ? field->rows : field->meaning;
}

// The law of contacts that the model's own text asks for, -1 without a model.
WEB int web_law(void) {
  return viewer.own;
}

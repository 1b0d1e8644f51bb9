// models.c: models of the caller's for single simulations; models and data of simulations as whole
// objects.

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "batch/simulations/check.h"
#include "batch/simulations/expand.h"
#include "batch/simulations/run.h"

// Whether data of one model fit the other: all sizes of arrays, and the plugins whose data they
// hold.
static int has_layout(const mjModel* m, const mjModel* other) {
  return m->cnd_shape == other->cnd_shape &&
         (!m->nplugin || !memcmp(m->plugin, other->plugin, (size_t)m->nplugin * sizeof(int)));
}

static int has_expanded(const mjBatch* b) {
  for (int k = 0; k < b->nexpanded; k++) {
    if (b->expanded[k].is_asked) {
      return 1;
    }
  }
  return 0;
}

typedef struct Setting_ {
  mjBatch* b;
  const mjModel** models;
} Setting;

static void set_models(void* argument) {
  const Setting* s = argument;
  mju_free((void*)s->b->models);
  s->b->models = s->models;
  for (int i = 0; i < s->b->nsim; i++) {
    sim_forget_stages(s->b, i);
  }
}

void mjb_setModels(mjBatch* b, const mjModel* const* models) {
  sim_check("mjb_setModels", b);
  for (int i = 0; models && i < b->nsim; i++) {
    if (!models[i]) {
      mju_error("mjb_setModels: model %d is NULL", i);
    }
    if (!has_layout(b->m, models[i])) {
      mju_error("mjb_setModels: model %d does not give mjData the batch model's layout", i);
    }
  }
  if (models && has_expanded(b)) {
    mju_error("mjb_setModels: the batch has per-simulation model fields");
  }
  size_t bytes = (size_t)b->nsim * sizeof(mjModel*);
  Setting s = {b, models ? memory_take(bytes) : NULL};
  if (models && !s.models) {
    mju_error("mjb_setModels: " MEMORY_OUT);
  }
  if (models) {
    memcpy(s.models, models, bytes);
  }
  sim_alone(b, set_models, &s);
}

// Whether a model can be copied to another: all counts are the same.
static int has_sizes(const mjModel* m, const mjModel* other) {
  const cndField* field = NULL;
  for (int i = 0; (field = cnd_sizeField(i)); i++) {
    int is_count = strcmp(field->name, "ngravcomp") != 0;
    if (is_count &&
        memcmp((const char*)m + field->offset, (const char*)other + field->offset, field->size)) {
      return 0;
    }
  }
  return 1;
}

typedef struct Getting_ {
  mjBatch* b;
  int sim;
  mjModel* m;
  mjData* d;
} Getting;

static void get_model(void* argument) {
  const Getting* g = argument;
  g->b->ncall++;
  mj_copyModel(g->m, expand_enter(g->b, g->b->slot, g->sim));
}

void mjb_getModel(mjBatch* b, int sim, mjModel* m) {
  sim_check("mjb_getModel", b);
  check_given(m);
  sim_check_index("mjb_getModel", b, sim);
  if (!has_sizes(b->models ? b->models[sim] : b->m, m)) {
    mju_error("mjb_getModel: model sizes differ from the simulation's");
  }
  Getting g = {b, sim, m, NULL};
  sim_alone(b, get_model, &g);
}

static void get_data(void* argument) {
  const Getting* g = argument;
  const mjModel* m = g->b->models ? g->b->models[g->sim] : g->b->m;
  if (g->b->persistent) {
    mj_copyData(g->d, m, g->b->d[g->sim]);
  }
  sim_load(g->b, m, g->d, g->sim);
}

void mjb_getData(mjBatch* b, int sim, mjData* d) {
  sim_check("mjb_getData", b);
  check_given(d);
  sim_check_index("mjb_getData", b, sim);
  if (d->cnd_shape != b->m->cnd_shape) {
    mju_error("mjb_getData: data sizes differ from the batch's");
  }
  Getting g = {b, sim, NULL, d};
  sim_alone(b, get_data, &g);
}

// compile.c: the stages of compilation in order.           theory/model/model.md, Compilation order

#include "compile/compile.h"

#include <condyle/behaviour.h>
#include <limits.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/model.h>
#include <mujoco/api/spec.h>
#include <mujoco/api/step.h>
#include <stdio.h>
#include <string.h>

#include "base/joint.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "compile/asset/material.h"
#include "compile/asset/skin.h"
#include "compile/asset_set.h"
#include "compile/clock.h"
#include "compile/context.h"
#include "compile/derive/derive.h"
#include "compile/flex/flex.h"
#include "compile/mechanism/mechanism.h"
#include "compile/mechanism/sensor.h"
#include "compile/plugin.h"
#include "compile/scale/scale.h"
#include "compile/stages.h"
#include "compile/tree/frame.h"
#include "compile/tree/repair.h"
#include "compile/tree/tree.h"
#include "model/checks/discrete.h"
#include "model/derived/derived.h"
#include "model/field.h"
#include "model/meeting.h"
#include "model/model.h"
#include "model/options.h"
#include "model/plastic.h"
#include "model/plugin.h"
#include "model/structure.h"

static void make_work(Compile* c) {
  size_t nbody = (size_t)c->count[mjOBJ_BODY], ngeom = (size_t)c->count[mjOBJ_GEOM];
  size_t njnt = (size_t)c->count[mjOBJ_JOINT], nframe = (size_t)c->nframe;
  c->frame = heap_zero(nframe + 1, sizeof(Pose));
  c->frame_state = heap_zero(nframe + 1, 1);
  c->body = heap_zero(nbody + 1, sizeof(BodyWork));
  c->geom = heap_zero(ngeom + 1, sizeof(GeomWork));
  c->springdamper = heap_zero(2 * njnt + 1, sizeof(mjtNum));
}

static void free_work(Compile* c) {
  skins_free(c);
  for (int type = 0; type < mjNOBJECT; type++) {
    heap_free(c->list[type]);
  }
  heap_free(c->frame);
  heap_free(c->frame_state);
  heap_free(c->body);
  heap_free(c->geom);
  heap_free(c->springdamper);
  heap_free(c->slot);
  assets_free(c);
  flexes_free(c);
}

// Writes the tree and addresses. The elements of a body are consecutive, in the order of bodies.
static void write_tree(Compile* c) {
  mjModel* m = c->m;
  int nmocap = 0, qposadr = 0, dofadr = 0;
  for (int i = 0; i < m->nbody; i++) {
    const SpecObject* object = c->list[mjOBJ_BODY][i];
    m->body_parentid[i] = object->parent ? object->parent->id : 0;
    m->body_mocapid[i] = object->as.body.mocap ? nmocap++ : -1;
    m->body_jntadr[i] = m->body_geomadr[i] = -1;
  }
  for (int i = 0; i < m->njnt; i++) {
    const SpecObject* joint = c->list[mjOBJ_JOINT][i];
    int body = joint->parent->id;
    m->body_jntadr[body] = m->body_jntnum[body]++ ? m->body_jntadr[body] : i;
    m->jnt_qposadr[i] = qposadr;
    m->jnt_dofadr[i] = dofadr;
    qposadr += joint_nq(joint->as.joint.type);
    dofadr += joint_nv(joint->as.joint.type);
  }
  for (int i = 0; i < m->ngeom; i++) {
    int body = c->list[mjOBJ_GEOM][i]->parent->id;
    m->body_geomadr[body] = m->body_geomnum[body]++ ? m->body_geomadr[body] : i;
  }
}

// A file says of multiccd whether it is enabled, disabled, or nothing. Of the two bits for that, a
// model keeps the one that its behaviour reads.
static void keep_multiccd(mjOption* option) {
  if (option->behaviour >> cndBEHAVIOUR_multiccd & 1) {
    option->enableflags &= ~mjENBL_MULTICCD;
  } else {
    option->disableflags &= ~mjDSBL_MULTICCD;
  }
}

// Makes the draft: an mjModel with all elements, without the arrays of sizes not known yet.
static mjModel* make_draft(Compile* c) {
  mjModel sizes = {0};
  compile_pluginsizes(c, &sizes);
  double begin = clock_now();
  assets_make(c);
  c->tree->timer[mjCTIMER_ASSETS] += clock_now() - begin;
  skins_make(c);
  compile_sizes(c, &sizes);
  if (c->nerror) {
    return NULL;
  }
  make_work(c);
  c->m = c->draft = model_make(&sizes);
  if (!c->m) {
    compile_error(c, NULL, "could not create mjModel: out of memory, or sizes are impossible");
    return NULL;
  }
  c->m->opt = c->tree->spec.option;
  keep_multiccd(&c->m->opt);
  c->m->vis = c->tree->spec.visual;

  write_tree(c);
  compile_frames(c);
  compile_meshes(c);
  compile_hfields(c);
  compile_bodies(c);
  compile_textures(c);
  compile_materials(c);
  compile_flexes(c);
  skins_write(c);
  compile_contacts(c);
  compile_equalities(c);
  compile_tendons(c);
  compile_plastics(c);
  compile_actuators(c);
  compile_custom(c);
  compile_sensors(c);
  compile_histories(c);
  compile_keyframes(c);
  compile_user(c);
  compile_names(c);
  compile_contactoptions(c);
  if (c->m->nplugin && !c->nerror) {
    Heap* heap = heap_pause();  // blocks that a hook takes belong to the plugin
    compile_plugins(c);
    compile_pluginsensors(c);
    heap_resume(heap);
  }
  return c->m;
}

// Copies all arrays of the draft. Rows that only the final array has are derived later.
static void copy_arrays(mjModel* to, const mjModel* from) {
  for (int i = 0; i < field_model.count; i++) {
    const cndField* field = field_model.field + i;
    const Count* rows = &field_model.shape[i].rows;
    size_t bytes = field_bytes(&field_model, i, from, NULL);
    if (bytes && field_count(rows, from, NULL) <= field_count(rows, to, NULL)) {
      void *place = field_pointer(to, field), *value = field_pointer(from, field);
      if (field->since) {
        memcpy(place, value, bytes);  // zeros, too: the place may hold -1, for what is absent
      } else {
        memory_copy(place, value, bytes);
      }
    }
  }
}

// Writes the sizes of derived arrays. Returns 0, with an error, if one is more than an int counts.
static int set_derived_sizes(Compile* c, mjModel* sizes) {
  DeriveSizes derived;
  derive_sizes(&derived, c->draft);
  const struct {
    int64_t count;
    int* size;
    const char* reason;
  } row[] = {
      {derived.structure.ntree, &sizes->ntree, "too many trees"},
      {derived.structure.nM, &sizes->nM, "chains of bodies are too long: M has too many entries"},
      {derived.structure.nC, &sizes->nC, "chains of bodies are too long: M has too many entries"},
      {derived.structure.nB, &sizes->nB, "chains of bodies are too long: B has too many entries"},
      {derived.structure.nD, &sizes->nD, "chains of bodies are too long: D has too many entries"},
      {derived.nJmom, &sizes->nJmom, "too many actuators: their moments have too many entries"},
      {derived.nemax, &sizes->nemax, "too many equality constraints"},
      {derived.nbvhbody, &sizes->nbvhstatic, "too many geoms: trees of boxes have too many nodes"},
  };
  for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
    if (row[i].count > INT_MAX) {
      compile_error(c, NULL, "%s", row[i].reason);
      return 0;
    }
    *row[i].size = (int)row[i].count;
  }
  sizes->nbvh = sizes->nbvhstatic;
  return 1;
}

// Makes the final model with all arrays, from the draft and the sizes known now.
static mjModel* make_final(Compile* c) {
  const mjModel* draft = c->draft;
  mjModel sizes = *draft;
  if (!set_derived_sizes(c, &sizes) || !assets_sizes(c, &sizes) || !flexes_sizes(c, &sizes)) {
    return NULL;
  }
  sizes.ntexdata = c->ntexdata;
  mjModel* m = model_make(&sizes);
  if (!m) {
    compile_error(c, NULL, "could not create mjModel: out of memory, or sizes are impossible");
    return NULL;
  }
  m->opt = draft->opt;
  m->vis = draft->vis;
  m->cnd_contact = draft->cnd_contact;
  copy_arrays(m, draft);
  return m;
}

static void check_discrete(Compile* c) {
  const char* obstacle = options_is_discrete(c->m) ? discrete_obstacle(c->m) : NULL;
  if (obstacle) {
    compile_error(c, NULL, "the integrator discrete can't be used: %s", obstacle);
  }
}

// Derives everything that needs no evaluation of the model.
static void derive_structure(Compile* c) {
  const mjSpec* spec = &c->tree->spec;
  mjModel* m = c->m;
  compile_texturedata(c);
  assets_write(c);
  if (spec->compiler.settotalmass > 0) {
    mj_setTotalmass(m, (mjtNum)spec->compiler.settotalmass);
  }
  derive_tree(m);
  structure_patterns(m);
  meeting_write(m);
  compile_sleep(c);
  flexes_write(c, assets_writetrees(c, derive_bvh(m)));
  check_discrete(c);
  m->narena = derive_arena(m, spec->memory, spec->nstack);
  m->signature = compile_signature(c);
  c->m = derived_complete(m);
  if (!c->m) {
    compile_error(c, NULL, "could not create mjModel: out of memory");
  }
}

static int make_data(Compile* c) {
  c->makes_data = 1;
  c->d = mj_makeData(c->m);
  c->makes_data = 0;
  if (!c->d) {
    compile_error(c, NULL, "could not create mjData: out of memory, or the arena is impossible");
  }
  return c->d != NULL;
}

// Hides the plugins while constants are computed, because resets of the data would call them
// without need. Returns a copy of their state.
static mjtNum* hide_plugins(Compile* c) {
  size_t bytes = (size_t)c->m->npluginstate * sizeof(mjtNum);
  mjtNum* state = heap_take(bytes);
  if (bytes) {
    memcpy(state, c->d->plugin_state, bytes);
  }
  c->d->nplugin = 0;
  return state;
}

static void show_plugins(Compile* c, const mjtNum* state) {
  if (c->m->npluginstate) {
    memcpy(c->d->plugin_state, state, (size_t)c->m->npluginstate * sizeof(mjtNum));
  }
  c->d->nplugin = c->m->nplugin;
}

// Returns the data to their initial state. Without plugins, making new data costs less than
// clearing large ones.
static int renew_data(Compile* c) {
  if (c->m->nplugin) {
    mj_resetData(c->m, c->d);
    return 1;
  }
  mj_deleteData(c->d);
  return make_data(c);
}

// Bounds iterations during the trial step, because a file may ask for any number.
static void limit_iterations(mjOption* opt) {
  const int most = 1000;
  int* counts[] = {&opt->iterations,     &opt->ls_iterations,  &opt->noslip_iterations,
                   &opt->ccd_iterations, &opt->sdf_iterations, &opt->sdf_initpoints};
  for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
    *counts[i] = *counts[i] < most ? *counts[i] : most;
  }
}

// Derives what needs the evaluation of the model at its reference configuration, and takes a trial
// step. Contacts are disabled in it, because they would test the initial poses rather than the
// model. A sketch takes none: a ray would look for meshes that are only seen.
static void derive_constants(Compile* c) {
  mjModel* m = c->m;
  mjOption option = m->opt;
  m->opt.enableflags &= ~mjENBL_SLEEP;
  if (!make_data(c)) {
    m->opt = option;
    return;
  }
  m->opt.disableflags |= mjDSBL_CONTACT;
  limit_iterations(&m->opt);
  mjtNum* plugin_state = hide_plugins(c);
  char problem[200];
  derive_const(m, c->d);
  plastic_fill_keys(m);
  derive_springdamper(m, c->springdamper);
  Heap* heap = heap_pause();  // blocks that callbacks take belong to them
  int bad = derive_lengthranges(m, c->d, &c->tree->spec.compiler.LRopt, problem, sizeof(problem));
  heap_resume(heap);
  if (bad >= 0) {
    compile_error(c, c->list[mjOBJ_ACTUATOR][bad], "%s", problem);
  }
  derive_statistic(m, &c->tree->spec.stat);

  const char* invalid = model_validate(m);
  if (invalid) {
    compile_error(c, NULL, "%s", invalid);
  } else if (!c->tree->sketch && renew_data(c)) {
    show_plugins(c, plugin_state);
    heap_pause();
    mj_step(m, c->d);
    heap_resume(heap);
  }
  heap_free(plugin_state);
  m->opt = option;
}

// Writes the model's signature to the spec and its elements, so that values can be copied back
// later.
static void sign_spec(Compile* c) {
  c->tree->self.element.signature = c->m->signature;
  for (int type = 0; type < mjNOBJECT; type++) {
    for (int i = 0; i < c->count[type]; i++) {
      c->list[type][i]->element.signature = c->m->signature;
    }
  }
}

// Discards the draft, because the spec has changed, or what it means.
static void start_again(Compile* c, int simplified) {
  Compile fresh = {.tree = c->tree,
                   .vfs = c->vfs,
                   .simplified = simplified,
                   .doubtful = c->doubtful,
                   .nerror = c->nerror};
  memcpy(fresh.user_least, c->user_least, sizeof(fresh.user_least));
  free_work(c);
  mj_deleteModel(c->draft);
  *c = fresh;
}

// Makes the draft, once more if inertias have to be mended. Returns 0 if there are errors.
static int draft(Compile* c) {
  int ok = compile_number(c) && make_draft(c) && !c->nerror;
  if (ok && c->again) {
    start_again(c, 0);
    ok = compile_number(c) && make_draft(c) && !c->nerror;
  }
  return ok;
}

// Runs all stages of a Compile. The model is valid if no errors were counted.
static void run(void* argument) {
  Compile* c = argument;
  if ((scale_isneeded(c->tree) && !scale_apply(c)) || !draft(c)) {
    return;
  }
  // The draft has all elements. If simplifying changes the spec, they are compiled once more.
  Heap* heap = heap_pause();
  int simplified = simplify(c);
  heap_resume(heap);
  if (simplified) {
    start_again(c, 1);
    if (c->nerror || !compile_number(c) || !make_draft(c) || c->nerror) {
      return;
    }
  }
  // All sizes are known now.
  c->m = make_final(c);
  if (c->m) {
    derive_structure(c);
  }
  if (c->m) {
    compile_dialects(c);
    repair_bodies(c);
    derive_constants(c);
  }
  if (c->nerror == 0) {
    sign_spec(c);
  }
}

static _Thread_local char last_warning[400];

static void keep_warning(const char* text) {
  snprintf(last_warning, sizeof(last_warning), "%s", text);
}

// Runs stages. Errors and warnings of the engine become problems of the model.
static void run_caught(Compile* c, void (*stages)(void* compile)) {
  char message[400] = "";
  Heap held;
  last_warning[0] = 0;
  ErrorHandler before = warning_handle(keep_warning);
  if (error_catchheld(&held, message, sizeof(message), stages, c)) {
    int nomemory = strcmp(message, MEMORY_OUT) == 0;
    int failed = c->makes_data ? plugin_failed() : -1;
    const SpecObject* object = failed >= 0 ? c->list[mjOBJ_PLUGIN][failed] : c->running;
    compile_error(c, object, nomemory ? "%s while compiling the model" : "engine error: %s",
                  message);
  }
  warning_handle(before);
  free_work(c);
  heap_drop(&held);
  if (last_warning[0]) {
    compile_warning(c, NULL, "%s", last_warning);
  }
}

// Compiles a tree as it is.
static mjModel* compile_written(SpecTree* tree, const mjVFS* vfs) {
  Compile c = {.tree = tree, .vfs = vfs};
  double begin = clock_now();
  memset(tree->timer, 0, sizeof(tree->timer));
  repair_allow(tree);
  if (tree->attached) {
    compile_error(&c, NULL, "cannot compile child spec if attached by reference to a parent spec");
  } else if (!spec_fillkeys(tree) || !spec_flushkeys(tree)) {
    compile_error(&c, NULL, "out of memory");
  } else {
    run_caught(&c, run);
  }
  if (c.d) {
    c.d->nplugin = c.m->nplugin;
    mj_deleteData(c.d);
  }
  if (c.m != c.draft) {
    mj_deleteModel(c.draft);
  }
  if (!c.nerror && !compile_keep(tree, c.m)) {
    compile_error(&c, NULL, "out of memory");
  }
  if (c.nerror) {
    mj_deleteModel(c.m);
    c.m = NULL;
    compile_keep(tree, NULL);
  }
  tree->timer[mjCTIMER_TOTAL] = clock_now() - begin;
  return c.m;
}

static void swap_problems(SpecTree* a, SpecTree* b) {
  cndDiagnostics* diagnostics = a->diagnostics;
  a->diagnostics = b->diagnostics;
  b->diagnostics = diagnostics;
  mjString error = a->error;
  a->error = b->error;
  b->error = error;
  int is_warning = a->is_warning;
  a->is_warning = b->is_warning;
  b->is_warning = is_warning;
}

// Compiles a copy, which is scaled first. What compiling changes of the spec by the format is done
// before: keyframes and names of assets.
static mjModel* compile_copy(SpecTree* tree, const mjVFS* vfs) {
  Compile c = {.tree = tree};
  SpecTree* copy = NULL;
  if (spec_fillkeys(tree) && spec_flushkeys(tree) && compile_complete(&c)) {
    copy = spec_copy(tree);
  }
  if (!copy) {
    compile_error(&c, NULL, MEMORY_OUT);
    compile_keep(tree, NULL);
    return NULL;
  }
  swap_problems(tree, copy);
  mjModel* m = compile_written(copy, vfs);
  swap_problems(tree, copy);
  memcpy(tree->timer, copy->timer, sizeof(tree->timer));
  if (m && !compile_keep(tree, m)) {
    compile_error(&c, NULL, MEMORY_OUT);
    mj_deleteModel(m);
    m = NULL;
  }
  if (!m) {
    compile_keep(tree, NULL);
    spec_release(copy);
    return NULL;
  }
  scale_return(tree, copy);
  spec_settle(copy);
  tree->scaled = copy;
  return m;
}

mjModel* compile_tree(SpecTree* tree, const mjVFS* vfs) {
  spec_release(tree->scaled);
  tree->scaled = NULL;
  return scale_isneeded(tree) && !tree->attached ? compile_copy(tree, vfs)
                                                 : compile_written(tree, vfs);
}

// Makes the draft for the sake of its bodies, which outlive it.
static void weigh(void* argument) {
  Compile* c = argument;
  if (draft(c)) {
    c->weighed = c->body;
    c->body = NULL;
  }
}

BodyWork* compile_weigh(SpecTree* tree, const mjVFS* vfs) {
  mjSpec* copy = mj_copySpec(&tree->spec);
  if (!copy) {
    return spec_nomemory(tree);
  }
  copy->compiler.fusestatic = 1;  // free joints may be in static bodies: these may still be fused
  Compile c = {.tree = spec_tree(copy), .vfs = vfs};
  repair_allow(c.tree);
  if (!spec_fillkeys(c.tree) || !spec_flushkeys(c.tree)) {
    compile_error(&c, NULL, "out of memory");
  } else {
    run_caught(&c, weigh);
  }
  mj_deleteModel(c.draft);
  if (c.nerror) {
    heap_free(c.weighed);
    c.weighed = NULL;
    if (!string_set(&tree->error, string_text(&c.tree->error))) {
      spec_nomemory(tree);
    }
    tree->is_warning = 0;
  }
  mj_deleteSpec(copy);
  return c.weighed;
}

mjModel* mj_compile(mjSpec* s, const mjVFS* vfs) {
  if (!s) {
    return NULL;
  }
  SpecTree* tree = spec_tree(s);
  spec_clearerrors(tree);
  return compile_tree(tree, vfs);
}

// recompile.c: mj_recompile, which compiles an edited model in place and keeps the state.
//                                                                theory/model/model.md, Recompiling

#include <mujoco/api/base.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>

#include "base/joint.h"
#include "base/memory/memory.h"
#include "model/checks/pair.h"
#include "spec/spec.h"

// The state of one object in an mjData, kept by object because its id may change.
typedef struct Carried_ {
  SpecObject* object;
  int num[2];     // counts of the two parts
  mjtNum* value;  // num[0] + num[1]: joint qpos, qvel; actuator act, ctrl; mocap body pos, quat
} Carried;

// The two slices of d that belong to an object. Returns 0 if it has none.
static int slices(const mjModel* m, mjData* d, const SpecObject* object, mjtNum* slice[2],
                  int num[2]) {
  int i = object->id;
  switch (object->element.elemtype) {
    case mjOBJ_JOINT:
      num[0] = joint_nq(m->jnt_type[i]);
      num[1] = joint_nv(m->jnt_type[i]);
      slice[0] = d->qpos + m->jnt_qposadr[i];
      slice[1] = d->qvel + m->jnt_dofadr[i];
      return 1;
    case mjOBJ_ACTUATOR:
      num[0] = m->actuator_actnum[i];
      num[1] = m->actuator_ctrlnum[i];
      slice[0] = num[0] ? d->act + m->actuator_actadr[i] : NULL;
      slice[1] = d->ctrl + m->actuator_ctrladr[i];
      return 1;
    default:
      if (m->body_mocapid[i] < 0) {
        return 0;
      }
      num[0] = 3;
      num[1] = 4;
      slice[0] = d->mocap_pos + 3 * m->body_mocapid[i];
      slice[1] = d->mocap_quat + 4 * m->body_mocapid[i];
      return 1;
  }
}

static const mjtObj carriers[] = {mjOBJ_JOINT, mjOBJ_ACTUATOR, mjOBJ_BODY};
enum {
  NCARRIER = sizeof(carriers) / sizeof(carriers[0])
};

static int model_count(const mjModel* m, mjtObj type) {
  return type == mjOBJ_JOINT ? m->njnt : type == mjOBJ_ACTUATOR ? (int)m->nactuator : m->nbody;
}

// Gathers the state by object in one block. Objects that are not in the previous model have no id.
// Returns the number of entries, -1 if memory runs out.
static int gather(Carried** out, SpecTree* tree, const mjModel* m, mjData* d) {
  int room = 0, n = 0;
  for (int k = 0; k < NCARRIER; k++) {
    room += spec_count(tree, carriers[k]);
  }
  size_t numbers =
      (size_t)m->nq + (size_t)m->nv + (size_t)m->na + (size_t)m->nu + 7 * (size_t)m->nmocap;
  Carried* entry = heap_take((size_t)room * sizeof(Carried) + numbers * sizeof(mjtNum));
  if (!entry) {
    return -1;
  }
  mjtNum* value = (mjtNum*)(entry + room);
  for (int k = 0; k < NCARRIER; k++) {
    for (SPEC_EACH(object, tree, carriers[k])) {
      mjtNum* slice[2];
      Carried* e = &entry[n];
      if (object->id < 0 || object->id >= model_count(m, carriers[k]) ||
          object->element.signature != m->signature || !slices(m, d, object, slice, e->num)) {
        continue;
      }
      e->object = object;
      e->value = value;
      value += e->num[0] + e->num[1];
      mju_copy(e->value, slice[0], e->num[0]);
      mju_copy(e->value + e->num[0], slice[1], e->num[1]);
      n++;
    }
  }
  *out = entry;
  return n;
}

// Writes the state back at the objects' new ids. An object with other sizes gets its initial state.
static void scatter(const Carried* entry, int n, const mjModel* m, mjData* d) {
  for (int i = 0; i < n; i++) {
    mjtNum* slice[2];
    int num[2];
    const Carried* e = &entry[i];
    if (slices(m, d, e->object, slice, num) && num[0] == e->num[0] && num[1] == e->num[1]) {
      mju_copy(slice[0], e->value, num[0]);
      mju_copy(slice[1], e->value + num[0], num[1]);
    }
  }
}

int mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel* m, mjData* d) {
  check_given(s, m);
  if (d) {
    check_pair(m, d);
  }
  Carried* entry = NULL;
  int n = d ? gather(&entry, spec_tree(s), m, d) : 0;
  mjtNum time = d ? d->time : 0;

  mjModel* new_model = n < 0 ? NULL : mj_compile(s, vfs);
  mjData* new_data = new_model && d ? mj_makeData(new_model) : NULL;
  int ok = new_model && (!d || new_data);
  if (ok) {
    // swap contents, so that the caller's structs keep their addresses and the old contents are
    // freed
    mjModel old_model = *m;
    *m = *new_model;
    *new_model = old_model;
    if (d) {
      if (d->threadpool) {
        mju_bindThreadPool(new_data, (void*)d->threadpool);
        new_data->cnd_ownsPool = d->cnd_ownsPool && new_data->threadpool;
        d->cnd_ownsPool = d->cnd_ownsPool && !new_data->threadpool;
      }
      scatter(entry, n, m, new_data);
      new_data->time = time;
      mjData old_data = *d;
      *d = *new_data;
      *new_data = old_data;
    }
  } else {
    if (n < 0) {
      spec_clearerrors(spec_tree(s));
    }
    if (n < 0 || new_model) {
      spec_problem(spec_tree(s), NULL, cndSEVERITY_ERROR, MEMORY_OUT);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  mj_deleteData(new_data);
  mj_deleteModel(new_model);
  heap_free(entry);
  return ok ? 0 : -1;
}

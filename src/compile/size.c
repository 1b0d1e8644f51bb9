// size.c: counts the sizes that follow from the lists of objects alone.
#include <mujoco/mjspec.h>

#include "base/actuator.h"
#include "base/joint.h"
#include "compile/asset/skin.h"
#include "compile/context.h"
#include "compile/mechanism/mechanism.h"
#include "compile/mechanism/sensor.h"
#include "compile/stages.h"
#include "spec/key.h"

// Sets one count per type.
static void element_counts(const Compile* c, mjModel* m) {
  const int* n = c->count;
  m->nbody = n[mjOBJ_BODY];
  m->njnt = n[mjOBJ_JOINT];
  m->ngeom = n[mjOBJ_GEOM];
  m->nsite = n[mjOBJ_SITE];
  m->ncam = n[mjOBJ_CAMERA];
  m->nlight = n[mjOBJ_LIGHT];
  m->nflex = n[mjOBJ_FLEX];
  m->nmesh = n[mjOBJ_MESH];
  m->nhfield = n[mjOBJ_HFIELD];
  m->ntex = n[mjOBJ_TEXTURE];
  m->nmat = n[mjOBJ_MATERIAL];
  m->npair = n[mjOBJ_PAIR];
  m->nexclude = n[mjOBJ_EXCLUDE];
  m->neq = n[mjOBJ_EQUALITY];
  m->ntendon = n[mjOBJ_TENDON];
  m->nactuator = (mjtSize)n[mjOBJ_ACTUATOR];
  m->nsensor = n[mjOBJ_SENSOR];
  m->nnumeric = n[mjOBJ_NUMERIC];
  m->ntext = n[mjOBJ_TEXT];
  m->ntuple = n[mjOBJ_TUPLE];
  m->nkey = n[mjOBJ_KEY];
  m->nplastic = plastic_count(c);
}

enum {
  MOST_ACT = 100000000,  // largest number of activations of all actuators
};

// Adds to a sum of sizes. Returns 0, with an error, on overflow, which only API callers can cause:
// a text would need as many characters.
static int add(Compile* c, const SpecObject* object, int* sum, size_t items) {
  if (items > (size_t)(0x7FFFFFFF - *sum)) {
    compile_error(c, object, "too much data in %s", spec_typename(object->element.elemtype));
    return 0;
  }
  *sum += (int)items;
  return 1;
}

static void custom_sizes(Compile* c, mjModel* m) {
  for (SPEC_EACH(numeric, c->tree, mjOBJ_NUMERIC)) {
    const mjsNumeric* spec = &numeric->as.numeric;
    int given = (int)spec->data->num;
    if (spec->size > 0 && spec->size < given) {
      compile_error(c, numeric,
                    "numeric '%s' (id = %d): specified size smaller than initialization array",
                    spec_name(numeric), numeric->id);
    }
    int size = spec->size > given ? spec->size : given;
    if (size == 0) {
      compile_error(c, numeric, "numeric '%s' (id = %d): size cannot be zero", spec_name(numeric),
                    numeric->id);
    }
    add(c, numeric, &m->nnumericdata, (size_t)size);
  }
  for (SPEC_EACH(text, c->tree, mjOBJ_TEXT)) {
    if (string_empty(text->as.text.data)) {
      compile_error(c, text, "text '%s' (id = %d): size cannot be zero", spec_name(text), text->id);
    }
    add(c, text, &m->ntextdata, text->as.text.data->num + 1);
  }
  for (SPEC_EACH(tuple, c->tree, mjOBJ_TUPLE)) {
    const mjsTuple* spec = &tuple->as.tuple;
    if (spec->objtype->num == 0) {
      compile_error(c, tuple, "tuple '%s' (id = %d) is empty", spec_name(tuple), tuple->id);
    } else if (spec->objname->num != spec->objtype->num ||
               spec->objprm->num != spec->objtype->num) {
      compile_error(c, tuple, "tuple '%s' (id = %d) has object arrays with different sizes",
                    spec_name(tuple), tuple->id);
    }
    add(c, tuple, &m->ntupledata, spec->objtype->num);
  }
}

// Activations of an actuator. Only users' laws and plugins may have any number; more than its law
// has is an error of the element (mechanism/actuator.c), for which no memory is taken.
static int states_within(const mjsActuator* actuator) {
  int dim = actuator_states(actuator);
  int own = activation_count((int)actuator->gaintype, (int)actuator->dyntype, actuator->gainprm,
                             actuator->dynprm);
  int is_free = actuator->dyntype == mjDYN_USER || actuator->plugin.active;
  return is_free || dim <= own + 1 ? dim : own;
}

void compile_sizes(Compile* c, mjModel* m) {
  const mjSpec* spec = &c->tree->spec;
  element_counts(c, m);
  for (int i = 0; i < m->njnt; i++) {
    mjtJoint type = c->list[mjOBJ_JOINT][i]->as.joint.type;
    m->nq += joint_nq(type);
    m->nv += joint_nv(type);
  }
  for (int i = 0; i < m->nbody; i++) {
    m->nmocap += c->list[mjOBJ_BODY][i]->as.body.mocap != 0;
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    const SpecObject* object = c->list[mjOBJ_ACTUATOR][i];
    const mjsActuator* actuator = &object->as.actuator;
    int dim = states_within(actuator);
    m->nu += input_count((int)actuator->gaintype, actuator->ctrlspec);
    m->nout += (mjtSize)output_count((int)actuator->gaintype);
    if (dim > MOST_ACT - m->na) {
      compile_error(c, object, "actuators have more than %d activations, actdim is %d", MOST_ACT,
                    dim);
    } else {
      m->na += dim;
    }
  }
  for (int i = 0; i < m->ntendon; i++) {
    for (SPEC_EACH_CHILD(wrap, c->list[mjOBJ_TENDON][i], mjOBJ_UNKNOWN)) {
      m->nwrap++;
    }
  }
  custom_sizes(c, m);
  skins_sizes(c, m);
  compile_sensorsizes(c, m);
  compile_usersizes(c, m);
  compile_namesizes(c, m);
  if (spec->nuserdata < 0) {
    compile_error(c, NULL, "could not create mjData: nuserdata cannot be negative");
  }
  m->nuserdata = spec->nuserdata;
  m->njmax = spec->njmax;
  m->nconmax = spec->nconmax;
}

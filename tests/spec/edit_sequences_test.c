// Random edits through the mjs_* functions: whatever the order, nothing breaks, and what compiles
// is what its copy and what the file written from it compile to.
//
// A sequence is a function of its number, so that one that fails can be run alone:
//   CONDYLE_SEQUENCE=1234 test.spec.edit_sequences
//   CONDYLE_SEQUENCES=10000 test.spec.edit_sequences   runs so many, whatever the time

#include <condyle/condyle.h>
#include <condyle/spec.h>
#include <time.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

enum {
  NEDIT = 32,       // edits of a sequence
  MAX_SECONDS = 3,  // of all sequences, if their number is not given
  XML_BYTES = 1 << 18,
};

typedef struct World_ {
  mjSpec* spec;
  mjModel* model;  // last compiled, NULL if there is none
  mjData* data;
  uint32_t random;
  int made;  // names given so far
  int ncompiled, nrefused;
} World;

static int pick(World* w, int n) {
  w->random = w->random * 1664525u + 1013904223u;
  return n > 0 ? (int)((w->random >> 8) % (uint32_t)n) : 0;
}

static double real(World* w) {
  return (pick(w, 2001) - 1000) / 1000.0;
}

// A name that was not given yet, now and then none.
static const char* new_name(World* w) {
  static char name[32];
  snprintf(name, sizeof(name), "n%d", w->made++);
  return pick(w, 12) ? name : "";
}

// A name for what must have one in a file.
static const char* sure_name(World* w) {
  const char* name;
  while (!*(name = new_name(w))) {
  }
  return name;
}

// A random element of a type, NULL if there is none.
static mjsElement* any(World* w, mjtObj type) {
  int n = 0;
  mjsElement* it;
  for (it = mjs_firstElement(w->spec, type); it; it = mjs_nextElement(w->spec, it)) {
    n++;
  }
  n = pick(w, n);
  for (it = mjs_firstElement(w->spec, type); it && n--;) {
    it = mjs_nextElement(w->spec, it);
  }
  return it;
}

static mjsBody* any_body(World* w) {
  return mjs_asBody(any(w, mjOBJ_BODY));
}

// The name of a random element, one that nothing has if it is nameless and sometimes else.
static const char* any_name(World* w, mjtObj type) {
  mjsElement* element = any(w, type);
  const char* name = element && pick(w, 200) ? mjs_getString(mjs_getName(element)) : "";
  return name[0] ? name : "nobody";
}

static const mjsDefault* any_default(World* w) {
  char name[8];
  snprintf(name, sizeof(name), "class%d", pick(w, 4));
  return pick(w, 2) ? mjs_findDefault(w->spec, name) : NULL;
}

static void set_pose(World* w, double pos[3], mjsOrientation* alt) {
  for (int i = 0; i < 3; i++) {
    pos[i] = real(w);
  }
  if (pick(w, 3) == 0) {
    alt->type = mjORIENTATION_EULER;
    alt->euler[0] = 90 * real(w);
    alt->euler[2] = 45;
  }
}

static void add_geom(World* w, mjsBody* body) {
  static const mjtGeom types[] = {mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_BOX, mjGEOM_ELLIPSOID,
                                  mjGEOM_CYLINDER};
  mjsGeom* geom = mjs_addGeom(body, any_default(w));
  geom->type = types[pick(w, 5)];
  for (int i = 0; i < 3; i++) {
    geom->size[i] = 0.05 + 0.01 * pick(w, 10);
  }
  set_pose(w, geom->pos, &geom->alt);
  geom->contype = geom->conaffinity = pick(w, 2);
  if (pick(w, 3) == 0 && mjs_firstElement(w->spec, mjOBJ_MATERIAL)) {
    mjs_setString(geom->material, any_name(w, mjOBJ_MATERIAL));
  }
  mjs_setName(geom->element, new_name(w));
}

static void add_meshgeom(World* w, mjsBody* body) {
  mjsGeom* geom = mjs_addGeom(body, any_default(w));
  geom->type = pick(w, 3) ? mjGEOM_MESH : mjGEOM_BOX;  // a box is fitted
  set_pose(w, geom->pos, &geom->alt);
  geom->contype = geom->conaffinity = pick(w, 2);
  mjs_setString(geom->meshname, any_name(w, mjOBJ_MESH));
  mjs_setName(geom->element, new_name(w));
}

static void add_joint(World* w, mjsBody* body) {
  mjsJoint* joint = mjs_addJoint(body, any_default(w));
  joint->type = pick(w, 3) ? mjJNT_HINGE : mjJNT_SLIDE;
  joint->axis[pick(w, 3)] = 2;
  joint->pos[pick(w, 3)] = real(w);
  joint->damping = pick(w, 2);
  joint->armature = 0.1;  // two in one line don't make the inertia singular
  if (pick(w, 3) == 0) {
    joint->range[0] = -1;
    joint->range[1] = 1;
  }
  mjs_setName(joint->element, new_name(w));
}

static void add_body(World* w) {
  mjsBody* parent = any_body(w);
  mjsBody* body = mjs_addBody(parent, NULL);
  set_pose(w, body->pos, &body->alt);
  mjs_setName(body->element, new_name(w));
  add_geom(w, body);
  if (pick(w, 2)) {
    add_joint(w, body);
  }
  if (pick(w, 12) == 0 && parent == mjs_findBody(w->spec, "world")) {
    body->mocap = 1;
  }
  mjsElement* frame = any(w, mjOBJ_FRAME);
  if (frame && mjs_getParent(frame) == parent) {
    assert_int_equal(mjs_setFrame(body->element, mjs_asFrame(frame)), 0);
  }
}

static void add_onbody(World* w) {
  mjsBody* body = any_body(w);
  switch (pick(w, 7)) {
    case 0:
      add_geom(w, body);
      break;
    case 6:
      if (mjs_firstElement(w->spec, mjOBJ_MESH)) {
        add_meshgeom(w, body);
      }
      break;
    case 1:
      if (body != mjs_findBody(w->spec, "world")) {
        add_joint(w, body);
      }
      break;
    case 2: {
      mjsCamera* camera = mjs_addCamera(body, any_default(w));
      set_pose(w, camera->pos, &camera->alt);
      break;
    }
    case 3: {
      mjsLight* light = mjs_addLight(body, any_default(w));
      mjs_setName(light->element, new_name(w));
      break;
    }
    default: {
      mjsSite* site = mjs_addSite(body, any_default(w));
      set_pose(w, site->pos, &site->alt);
      mjs_setName(site->element, new_name(w));
    }
  }
}

static void add_frame(World* w) {
  mjsBody* body = any_body(w);
  mjsElement* around = any(w, mjOBJ_FRAME);
  int inside = around && mjs_getParent(around) == body;
  mjsFrame* frame = mjs_addFrame(body, inside ? mjs_asFrame(around) : NULL);
  set_pose(w, frame->pos, &frame->alt);
  mjs_setName(frame->element, new_name(w));
  for (int type = mjOBJ_JOINT; type <= mjOBJ_SITE; type++) {
    mjsElement* child = mjs_firstChild(body, (mjtObj)type, 0);
    if (child && pick(w, 2)) {
      assert_int_equal(mjs_setFrame(child, frame), 0);
    }
  }
}

static void set_default(World* w) {
  char name[8];
  snprintf(name, sizeof(name), "class%d", pick(w, 4));
  mjsDefault* def = mjs_findDefault(w->spec, name);
  if (!def) {
    def = mjs_addDefault(w->spec, name, any_default(w));
  }
  if (def) {
    def->geom->rgba[pick(w, 4)] = 0.25f;
    def->geom->friction[0] = 0.5 + 0.1 * pick(w, 5);
    def->joint->frictionloss = 0.01 * pick(w, 5);
    def->site->group = pick(w, 5);
    mjsElement* element = any(w, mjOBJ_GEOM);
    if (element && pick(w, 2)) {
      mjs_setDefault(element, def);
    }
  }
}

static void add_reference(World* w) {
  switch (pick(w, 7)) {
    case 0: {
      mjsActuator* actuator = mjs_addActuator(w->spec, NULL);
      actuator->trntype = mjTRN_JOINT;
      mjs_setString(actuator->target, any_name(w, mjOBJ_JOINT));
      double kv = 1;
      if (pick(w, 2)) {
        assert_string_equal(mjs_setToPosition(actuator, 10, &kv, NULL, NULL, 0), "");
      } else {
        actuator->dyntype = mjDYN_INTEGRATOR;
      }
      mjs_setName(actuator->element, new_name(w));
      break;
    }
    case 1: {
      mjsSensor* sensor = mjs_addSensor(w->spec);
      int site = pick(w, 2);
      sensor->type = site ? mjSENS_GYRO : mjSENS_FRAMEPOS;
      sensor->objtype = site ? mjOBJ_SITE : mjOBJ_XBODY;
      mjs_setString(sensor->objname, any_name(w, site ? mjOBJ_SITE : mjOBJ_BODY));
      break;
    }
    case 2: {
      mjsTendon* tendon = mjs_addTendon(w->spec, NULL);
      mjs_setName(tendon->element, new_name(w));
      for (int i = 0; i < 2; i++) {
        mjs_wrapJoint(tendon, any_name(w, mjOBJ_JOINT), 1 + i);
      }
      break;
    }
    case 3: {
      mjsTendon* tendon = mjs_addTendon(w->spec, NULL);
      mjs_setName(tendon->element, new_name(w));
      for (int i = 0; i < 2; i++) {
        mjs_wrapSite(tendon, any_name(w, mjOBJ_SITE));
      }
      break;
    }
    case 4: {
      mjsEquality* equality = mjs_addEquality(w->spec, NULL);
      equality->type = mjEQ_WELD;
      equality->objtype = mjOBJ_BODY;
      equality->data[10] = 1;
      mjs_setString(equality->name1, any_name(w, mjOBJ_BODY));
      break;
    }
    case 5: {
      mjsExclude* exclude = mjs_addExclude(w->spec);
      mjs_setString(exclude->bodyname1, any_name(w, mjOBJ_BODY));
      mjs_setString(exclude->bodyname2, any_name(w, mjOBJ_BODY));
      break;
    }
    default: {
      mjsPair* pair = mjs_addPair(w->spec, NULL);
      mjs_setString(pair->geomname1, any_name(w, mjOBJ_GEOM));
      mjs_setString(pair->geomname2, any_name(w, mjOBJ_GEOM));
    }
  }
}

static void add_mesh(World* w) {
  mjsMesh* mesh = mjs_addMesh(w->spec, NULL);
  float vertex[12] = {0, 0, 0, .1f, 0, 0, 0, .2f, 0, 0, 0, .3f};
  for (int i = 0; i < 12; i++) {
    vertex[i] += 0.02f * (float)real(w);
  }
  mjs_setFloat(mesh->uservert, vertex, 12);
  mesh->scale[pick(w, 3)] = pick(w, 4) ? 2 : -1;
  mesh->inertia = pick(w, 3) ? mjMESH_INERTIA_LEGACY : mjMESH_INERTIA_SHELL;
  mesh->refpos[0] = real(w);
  mjs_setName(mesh->element, sure_name(w));
}

static void add_texture(World* w) {
  mjsTexture* texture = mjs_addTexture(w->spec);
  texture->type = pick(w, 2) ? mjTEXTURE_2D : mjTEXTURE_CUBE;
  texture->builtin = pick(w, 2) ? mjBUILTIN_CHECKER : mjBUILTIN_GRADIENT;
  texture->width = 2 + pick(w, 4);
  texture->height = texture->type == mjTEXTURE_2D ? 3 : texture->width;
  texture->rgb1[pick(w, 3)] = 0.25;
  mjs_setName(texture->element, sure_name(w));
}

static void add_material(World* w) {
  mjsMaterial* material = mjs_addMaterial(w->spec, any_default(w));
  material->specular = 0.25f * (float)pick(w, 4);
  material->rgba[pick(w, 4)] = 0.5f;
  if (pick(w, 2) && mjs_firstElement(w->spec, mjOBJ_TEXTURE)) {
    mjs_setInStringVec(material->textures, mjTEXROLE_RGB, any_name(w, mjOBJ_TEXTURE));
  }
  mjs_setName(material->element, sure_name(w));
}

static void add_tuple(World* w) {
  static const mjtObj types[] = {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_SITE};
  mjsTuple* tuple = mjs_addTuple(w->spec);
  int objtype[2];
  double prm[2];
  for (int i = 0; i < 2; i++) {
    objtype[i] = types[pick(w, 3)];
    prm[i] = real(w);
    mjs_appendString(tuple->objname, any_name(w, (mjtObj)objtype[i]));
  }
  mjs_setInt(tuple->objtype, objtype, 2);
  mjs_setDouble(tuple->objprm, prm, 2);
  mjs_setName(tuple->element, sure_name(w));
}

static void add_custom(World* w) {
  double data[4] = {1, real(w), 0, -2};
  switch (pick(w, 3)) {
    case 0: {
      mjsNumeric* numeric = mjs_addNumeric(w->spec);
      mjs_setDouble(numeric->data, data, 1 + pick(w, 4));
      numeric->size = pick(w, 2) ? 5 : (int)numeric->data->num;
      mjs_setName(numeric->element, sure_name(w));
      break;
    }
    case 1: {
      mjsText* text = mjs_addText(w->spec);
      mjs_setString(text->data, "a & <b> \"c\"");
      mjs_setName(text->element, sure_name(w));
      break;
    }
    default:
      add_tuple(w);
  }
}

static void add_asset(World* w) {
  static void (*const kinds[])(World*) = {add_mesh, add_texture, add_material, add_custom};
  kinds[pick(w, 4)](w);
}

static void add_key(World* w) {
  mjsKey* key = mjs_addKey(w->spec);
  double value[64];
  for (int i = 0; i < 64; i++) {
    value[i] = real(w);
  }
  int nq = w->model && w->model->nq <= 64 ? w->model->nq : 0;
  mjs_setDouble(key->qpos, value, nq);
  mjs_setDouble(key->ctrl, value, w->model && w->model->nu < nq ? w->model->nu : 0);
  mjs_setName(key->element, new_name(w));
}

static void delete_any(World* w) {
  static const mjtObj types[] = {
      mjOBJ_BODY,  mjOBJ_BODY,  mjOBJ_JOINT,   mjOBJ_GEOM,    mjOBJ_SITE,     mjOBJ_CAMERA,
      mjOBJ_LIGHT, mjOBJ_FRAME, mjOBJ_TENDON,  mjOBJ_SENSOR,  mjOBJ_ACTUATOR, mjOBJ_EQUALITY,
      mjOBJ_PAIR,  mjOBJ_KEY,   mjOBJ_EXCLUDE, mjOBJ_NUMERIC, mjOBJ_TEXT,     mjOBJ_TUPLE};
  mjsElement* element = any(w, types[pick(w, (int)(sizeof(types) / sizeof(types[0])))]);
  if (element && element != mjs_findBody(w->spec, "world")->element) {
    assert_int_equal(mjs_delete(w->spec, element), 0);
  }
}

// Takes an asset away from all that use it, then out of the model.
static void delete_asset(World* w) {
  static const mjtObj types[] = {mjOBJ_MESH, mjOBJ_MATERIAL, mjOBJ_TEXTURE};
  mjsElement* element = any(w, types[pick(w, 3)]);
  if (!element) {
    return;
  }
  const char* name = mjs_getString(mjs_getName(element));
  for (mjsElement* it = mjs_firstElement(w->spec, mjOBJ_GEOM); it;
       it = mjs_nextElement(w->spec, it)) {
    mjsGeom* geom = mjs_asGeom(it);
    if (element->elemtype == mjOBJ_MESH && !strcmp(mjs_getString(geom->meshname), name)) {
      mjs_setString(geom->meshname, "");
      geom->type = mjGEOM_SPHERE;
      geom->size[0] = 0.1;
    }
    if (element->elemtype == mjOBJ_MATERIAL && !strcmp(mjs_getString(geom->material), name)) {
      mjs_setString(geom->material, "");
    }
  }
  for (mjsElement* it = mjs_firstElement(w->spec, mjOBJ_MATERIAL); it;
       it = mjs_nextElement(w->spec, it)) {
    if (element->elemtype == mjOBJ_TEXTURE) {
      mjs_setInStringVec(mjs_asMaterial(it)->textures, mjTEXROLE_RGB, "");
    }
  }
  assert_int_equal(mjs_delete(w->spec, element), 0);
}

static const char* const child_text =
    "<mujoco model='child'><asset><texture name='t' builtin='flat' width='2' "
    "height='12'/><material "
    "name='mat' texture='t'/><mesh name='tet' vertex='0 0 0 1 0 0 0 2 0 0 0 3'/></asset><compiler "
    "angle='radian'/><default><geom rgba='1 0 0 1'/><joint "
    "armature='.1'/><default class='d'><joint damping='3'/></default></default><worldbody><frame "
    "name='f' pos='0 0 1'><body name='a' "
    "euler='0 1 0'><joint name='j' class='d' range='-1 1'/><geom name='g' size='.1'/><site "
    "name='s'/><body name='b' pos='1 0 0'><joint name='k' type='slide'/><geom size='.1 .2' "
    "type='capsule' material='mat'/><geom type='mesh' "
    "mesh='tet'/></body></body></frame></worldbody><contact><exclude body1='a' body2='b'/>"
    "</contact><actuator><motor name='m' joint='j'/></actuator><sensor><gyro site='s'/></sensor>"
    "<keyframe><key name='up' qpos='.1 .2' ctrl='3'/></keyframe></mujoco>";

static void attach(World* w) {
  char prefix[16];
  snprintf(prefix, sizeof(prefix), "p%d_", w->made++);
  mjsElement* parent = any(w, pick(w, 2) ? mjOBJ_BODY : pick(w, 2) ? mjOBJ_SITE : mjOBJ_FRAME);
  if (!parent) {
    return;
  }
  if (pick(w, 4) == 0) {
    mjs_setDeepCopy(w->spec, 1);
    mjsBody* own = any_body(w);
    if (own != mjs_findBody(w->spec, "world") && w->made < 60 && parent->elemtype != mjOBJ_BODY) {
      mjs_attach(parent, own->element, prefix, "");
    }
    mjs_setDeepCopy(w->spec, 0);
    return;
  }
  mjSpec* child = test_spec(child_text);
  mjs_setDeepCopy(w->spec, pick(w, 2));
  mjsElement* what = parent->elemtype == mjOBJ_BODY ? mjs_findFrame(child, "f")->element
                     : pick(w, 3) ? mjs_findBody(child, pick(w, 2) ? "a" : "b")->element
                                  : child->element;
  assert_non_null(mjs_attach(parent, what, prefix, ""));
  mjs_setDeepCopy(w->spec, 0);
  test_release(child);
}

static void body_to_frame(World* w) {
  mjsBody* body = any_body(w);
  if (body != mjs_findBody(w->spec, "world") && !mjs_firstChild(body, mjOBJ_JOINT, 0)) {
    mjs_bodyToFrame(&body);
  }
}

static void rename_any(World* w) {
  mjsElement* element = any(w, pick(w, 2) ? mjOBJ_BODY : mjOBJ_JOINT);
  if (element && element != mjs_findBody(w->spec, "world")->element) {
    mjs_setName(element, pick(w, 8) ? new_name(w) : any_name(w, mjOBJ_BODY));
  }
}

static void copy(World* w) {
  mjSpec* copied = mj_copySpec(w->spec);
  assert_non_null(copied);
  mj_deleteSpec(w->spec);
  w->spec = copied;
  mj_deleteData(w->data);
  mj_deleteModel(w->model);
  w->data = NULL;
  w->model = NULL;
}

// Compiles anew, or again with the state carried over: a joint keeps its number.
static void compile(World* w) {
  mjsElement* joint = w->model ? any(w, mjOBJ_JOINT) : NULL;
  int id = joint ? cnd_compiledId(joint) : -1;
  int known = id >= 0 && id < w->model->njnt && w->model->jnt_type[id] >= mjJNT_SLIDE;
  if (known) {
    w->data->qpos[w->model->jnt_qposadr[id]] = 0.75;
  }
  if (w->model) {
    if (mj_recompile(w->spec, NULL, w->model, w->data)) {
      w->model = NULL;
      w->data = NULL;
    } else if (known && joint->signature == w->model->signature) {
      id = mjs_getId(joint);
      assert_in_range(id, 0, w->model->njnt - 1);
      assert_near(w->data->qpos[w->model->jnt_qposadr[id]], 0.75, 0);
    }
  } else {
    w->model = mj_compile(w->spec, NULL);
    w->data = w->model ? mj_makeData(w->model) : NULL;
  }
  if (w->model) {
    assert_non_null(w->data);
    mj_step(w->model, w->data);
  } else {
    assert_string_not_equal(mjs_getError(w->spec), "");
  }
}

typedef void (*Edit)(World*);
static const Edit edits[] = {
    add_body,      add_body,  add_body,  add_onbody,   add_onbody,    add_onbody, add_frame,
    set_default,   compile,   compile,   add_key,      add_reference, attach,     add_reference,
    add_reference, copy,      attach,    delete_any,   delete_any,    rename_any, body_to_frame,
    add_asset,     add_asset, add_asset, delete_asset,
};

// 1 if two arrays agree; reals to a relative tolerance.
static int same_array(const cndArray* a, const cndArray* b, double tolerance) {
  size_t n = a->rows * a->columns;
  if (n != b->rows * b->columns) {
    return 0;
  }
  if (strcmp(a->field->type, "mjtNum") == 0 && tolerance > 0) {
    const mjtNum *x = a->data, *y = b->data;
    int differ = 0;
    for (size_t i = 0; i < n; i++) {
      differ += numbers_differ(a->field->name, x + i, y + i, 1, tolerance, 1);
    }
    return !differ;
  }
  return n == 0 || memcmp(a->data, b->data, n * a->field->size) == 0;
}

// The first field in which two models differ, NULL if they are the same.
static const char* difference(const mjModel* a, const mjModel* b, double tolerance) {
  cndArray x, y;
  for (int i = 0; i < cnd_modelFieldCount(); i++) {
    const char* name = cnd_modelField(i)->name;
    assert_true(cnd_modelArray(&x, a, name));
    assert_true(cnd_modelArray(&y, b, name));
    if (!same_array(&x, &y, tolerance)) {
      return name;
    }
  }
  return NULL;
}

// Takes out everything that refers to something else by its name or counts joints.
static void delete_references(World* w) {
  static const mjtObj types[] = {mjOBJ_SENSOR, mjOBJ_ACTUATOR, mjOBJ_TENDON, mjOBJ_EQUALITY,
                                 mjOBJ_PAIR,   mjOBJ_EXCLUDE,  mjOBJ_KEY};
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
    for (mjsElement* it; (it = mjs_firstElement(w->spec, types[i]));) {
      assert_int_equal(mjs_delete(w->spec, it), 0);
    }
  }
}

// What compiles equals its copy, and the file written from it.
static const char* check_equivalents(World* w) {
  mjModel* model = mj_compile(w->spec, NULL);
  if (!model) {
    delete_references(w);
    model = mj_compile(w->spec, NULL);
  }
  if (!model) {
    w->nrefused++;
    if (getenv("CONDYLE_SEQUENCES")) {
      print_message("refused: %s\n", mjs_getError(w->spec));
    }
    return NULL;
  }
  w->ncompiled++;
  const char* wrong = NULL;
  mjSpec* copied = mj_copySpec(w->spec);
  mjModel* again = mj_compile(copied, NULL);
  const char* field = again ? difference(model, again, 0) : mjs_getError(copied);
  if (field) {
    print_error("the copy differs: %s\n", field);
    wrong = "copy";
  }
  mj_deleteModel(again);
  mj_deleteSpec(copied);

  static char xml[XML_BYTES], error[400];
  if (mj_saveXMLString(w->spec, xml, XML_BYTES, error, sizeof(error)) != 0) {
    print_error("not written: %s\n", error);
    wrong = "write";
  } else {
    mjSpec* read = mj_parseXMLString(xml, NULL, error, sizeof(error));
    again = read ? mj_compile(read, NULL) : NULL;
    field = again ? difference(model, again, 1e-9) : read ? mjs_getError(read) : error;
    if (field) {
      print_error("the file differs: %s\n", field);
      fputs(getenv("CONDYLE_SEQUENCE") ? xml : "", stderr);
      wrong = "file";
    }
    mj_deleteModel(again);
    mj_deleteSpec(read);
  }
  mj_deleteModel(model);
  return wrong;
}

static int run(World* total, uint32_t sequence) {
  World w = {.spec = mj_makeSpec(), .random = sequence * 2654435761u + 1};
  for (int i = 0; i < NEDIT; i++) {
    edits[pick(&w, (int)(sizeof(edits) / sizeof(edits[0])))](&w);
  }
  const char* wrong = check_equivalents(&w);
  if (wrong) {
    print_error("sequence %u\n", sequence);
  }
  mj_deleteData(w.data);
  mj_deleteModel(w.model);
  mj_deleteSpec(w.spec);
  total->ncompiled += w.ncompiled;
  total->nrefused += w.nrefused;
  return wrong != NULL;
}

TEST(random_edits_compile_to_what_their_copy_and_their_file_compile_to) {
  const char *one = getenv("CONDYLE_SEQUENCE"), *many = getenv("CONDYLE_SEQUENCES");
  uint32_t first = one ? (uint32_t)atol(one) : 0, count = one ? 1 : many ? (uint32_t)atol(many) : 0;
  World total = {0};
  int wrong = 0;
  clock_t end = clock() + MAX_SECONDS * CLOCKS_PER_SEC;
  for (uint32_t i = 0; count ? i < count : clock() < end; i++) {
    wrong += run(&total, first + i);
  }
  print_message("%d models compiled, %d refused\n", total.ncompiled, total.nrefused);
  assert_int_equal(wrong, 0);
  assert_true(one || total.ncompiled > total.nrefused / 4);
}

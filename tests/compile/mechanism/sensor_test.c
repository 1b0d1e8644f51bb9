// Compiled sensors: what is refused and in which words, and what the fields become.

#include <condyle/diagnostic.h>
#include <condyle/load.h>

#include "base/diagnostic.h"
#include "support/load.h"
#include "support/test.h"

#define WORLD                                                                                    \
  "<size nuser_sensor='2'/><asset><mesh name='m' builtin='plate' params='2 "                     \
  "2'/></asset><worldbody><geom name='g0' type='plane' size='1 1 1'/>"                           \
  "<site name='s0'/><camera name='c0' resolution='10 10'/><camera name='c1' resolution='0 10'/>" \
  "<light name='l'/><body name='b'><joint name='j'/>"                                            \
  "<joint name='jl' range='-1 1' axis='1 0 0'/><geom name='g' size='.1'/><site name='s'/>"       \
  "<body name='bb'><joint name='jb' type='ball'/><geom name='gg' size='.1'/></body></body>"      \
  "</worldbody><tendon><fixed name='t'><joint joint='j' coef='1'/></fixed><fixed name='tl'"      \
  " range='-1 1'><joint joint='j' coef='1'/></fixed></tendon>"                                   \
  "<actuator><motor name='a' joint='j'/></actuator>"

// sensor, message
static const char* const refused[][2] = {
    {"<touch site='x'/>", "unrecognized name 'x' of sensorized object"},
    {"<touch/>", "required attribute missing: 'site'"},
    {"<touch site=''/>", "missing name of sensorized object in sensor"},
    {"<touch site='s' noise='-1'/>", "negative noise in sensor"},
    {"<touch site='s' cutoff='-1'/>", "negative cutoff in sensor"},
    {"<touch site='s' user='1 2 3'/>", "user has more values than nuser_sensor in sensor"},
    {"<camprojection site='s' camera='c1'/>",
     "camera projection sensor requires camera resolution"},
    {"<camprojection site='s' camera='zz'/>", "unrecognized name 'zz' of object"},
    {"<camprojection site='s'/>", "required attribute missing: 'camera'"},
    {"<jointpos joint='jb'/>", "joint must be slide or hinge in sensor"},
    {"<jointactuatorfrc joint='jb'/>", "joint must be slide or hinge in sensor"},
    {"<ballquat joint='j'/>", "joint must be ball in sensor"},
    {"<ballangvel joint='j'/>", "joint must be ball in sensor"},
    {"<jointlimitpos joint='j'/>", "joint must be limited in sensor"},
    {"<jointlimitvel joint='jb'/>", "joint must be limited in sensor"},
    {"<tendonlimitfrc tendon='t'/>", "tendon must be limited in sensor"},
    {"<tendonpos tendon='x'/>", "unrecognized name 'x' of sensorized object"},
    {"<actuatorpos actuator='x'/>", "unrecognized name 'x' of sensorized object"},
    {"<ballquat joint='jb' cutoff='1'/>",
     "cutoff applied to axis or quaternion datatype in sensor"},
    {"<framexaxis objtype='body' objname='b' cutoff='1'/>",
     "cutoff applied to axis or quaternion datatype in sensor"},
    {"<framepos objtype='joint' objname='j'/>",
     "sensor must be attached to (x)body, geom, site or camera"},
    {"<framepos objtype='dof' objname='j'/>", "unrecognized name 'j' of sensorized object"},
    {"<framepos objtype='bdy' objname='b'/>", "invalid type in sensor"},
    {"<framepos objtype='frame' objname='b'/>", "invalid type in sensor"},
    {"<framepos objname='b'/>", "required attribute missing: 'objtype'"},
    {"<framepos objtype='body'/>", "required attribute missing: 'objname'"},
    {"<framepos objtype='body' objname='b' refname='s'/>",
     "refname 's' given but reftype is missing"},
    {"<framepos objtype='body' objname='b' reftype='site'/>",
     "required attribute missing: 'refname'"},
    {"<framepos objtype='body' objname='b' reftype='site' refname='x'/>",
     "unrecognized name 'x' of object"},
    {"<framepos objtype='body' objname='b' reftype='joint' refname='j'/>",
     "reference frame object must be (x)body, geom, site or camera in sensor"},
    {"<framelinacc objtype='body' objname='b' reftype='site' refname='s'/>",
     "unrecognized attribute: 'reftype'"},
    {"<subtreecom body='x'/>", "unrecognized name 'x' of sensorized object"},
    {"<insidesite objtype='body' objname='b'/>", "required attribute missing: 'site'"},
    {"<insidesite objtype='body' objname='b' site='x'/>", "unrecognized name 'x' of object"},
    {"<distance geom1='g'/>", "exactly one of (geom2, body2) must be specified"},
    {"<distance geom1='g' body1='b' geom2='g0'/>",
     "exactly one of (geom1, body1) must be specified"},
    {"<distance geom1='g' geom2='g'/>", "1st body/geom must be different from 2nd body/geom"},
    {"<fromto body1='b' body2='b'/>", "1st body/geom must be different from 2nd body/geom"},
    {"<normal geom1='g' body2='x'/>", "unrecognized name 'x' of object"},
    {"<contact geom1='g' body1='b'/>",
     "at most one of (geom1, body1, subtree1, site) can be specified"},
    {"<contact site='s' subtree1='b'/>",
     "at most one of (geom1, body1, subtree1, site) can be specified"},
    {"<contact geom2='g' subtree2='b'/>",
     "at most one of (geom2, body2, subtree2) can be specified"},
    {"<contact geom2='x'/>", "unrecognized name 'x' of object"},
    {"<contact num='0'/>", "'num' must be positive in sensor"},
    {"<contact data='found found'/>", "duplicate keyword: "},
    {"<contact data='force found'/>",
     "data attributes must be in order: found, force, torque, dist, pos, normal, tangent"},
    {"<contact data='foo'/>", "invalid keyword: "},
    {"<contact reduce='x'/>", "invalid keyword: 'x'"},
    {"<contact noise='-1'/>", "negative noise in sensor"},
    {"<contact num='2000000000' data='force pos'/>", "sensors give more than"},
    {"<user/>", "required attribute missing: 'dim'"},
    {"<user dim='-1'/>", "sensor dim must be non-negative in sensor"},
    {"<user dim='2' datatype='axis'/>", "datatype AXIS requires dim=3 in sensor"},
    {"<user dim='3' datatype='quaternion'/>", "datatype QUATERNION requires dim=4 in sensor"},
    {"<user dim='3' datatype='foo'/>", "invalid keyword: 'foo'"},
    {"<user dim='3' objtype='body'/>", "objtype 'body' given but objname is missing"},
    {"<user dim='3' objname='b'/>", "objname 'b' given but objtype is missing"},
    {"<user dim='3' objtype='body' objname='x'/>", "unrecognized name 'x' of sensorized object"},
    {"<gyro name='a' site='s'/><gyro name='a' site='s'/>", "repeated name 'a' in sensor"},
    {"<tactile mesh='m'/>", "required attribute missing: 'geom'"},
    {"<tactile geom='g'/>", "required attribute missing: 'mesh'"},
    {"<tactile mesh='x' geom='g'/>", "unrecognized name 'x' of sensorized object"},
    {"<tactile mesh='m' geom='x'/>", "unrecognized name 'x' of object"},
    {"<tactile mesh='m' geom='g' noise='1'/>", "unrecognized attribute: 'noise'"},
    {"<tactile mesh='m' geom='g' user='1 2 3'/>", "user has more values than nuser_sensor"},
    {"<plugin plugin='x'/>", "unrecognized plugin 'x'"},
};

TEST(wrong_sensors_are_refused_with_the_known_words) {
  for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
    char xml[4000];
    snprintf(xml, sizeof(xml), "<mujoco>" WORLD "<sensor>%s</sensor></mujoco>", refused[i][0]);
    cndDiagnostics* problems = cnd_makeDiagnostics();
    mjModel* m = cnd_loadXMLString(xml, NULL, problems);
    const cndDiagnostic* first = diagnostic_first(problems, cndSEVERITY_ERROR);
    if (m || !first || !strstr(first->message, refused[i][1])) {
      fail_msg("%s: %s", refused[i][0], m ? "accepted" : first ? first->message : "no message");
    }
    cnd_deleteDiagnostics(problems);
  }
}

// what only the API can say wrong
static const struct {
  mjsSensor sensor;
  const char *objname, *refname, *message;
} wrong[] = {
    {{.type = mjSENS_TOUCH, .objtype = mjOBJ_BODY}, "b", "", "sensor must be attached to site"},
    {{.type = mjSENS_TOUCH}, "s", "", "invalid type in sensor"},
    {{.type = (mjtSensor)99}, "s", "", "invalid type in sensor"},
    {{.type = (mjtSensor)-1}, "s", "", "invalid type in sensor"},
    {{.type = mjSENS_JOINTPOS, .objtype = mjOBJ_SITE}, "s", "", "sensor must be attached to joint"},
    {{.type = mjSENS_TENDONLIMITPOS, .objtype = mjOBJ_SITE},
     "s",
     "",
     "sensor must be attached to tendon"},
    {{.type = mjSENS_ACTUATORFRC, .objtype = mjOBJ_SITE},
     "s",
     "",
     "sensor must be attached to actuator"},
    {{.type = mjSENS_SUBTREECOM, .objtype = mjOBJ_XBODY},
     "b",
     "",
     "sensor must be attached to body"},
    {{.type = mjSENS_TACTILE, .objtype = mjOBJ_BODY},
     "b",
     "",
     "sensor must be associated with a mesh"},
    {{.type = mjSENS_TACTILE, .objtype = mjOBJ_MESH},
     "m",
     "",
     "sensor must be associated with a geom"},
    {{.type = mjSENS_TACTILE, .objtype = mjOBJ_MESH, .reftype = mjOBJ_BODY},
     "m",
     "b",
     "sensor must be associated with a geom"},
    {{.type = mjSENS_TACTILE, .objtype = mjOBJ_GEOM, .reftype = mjOBJ_GEOM},
     "g",
     "x",
     "unrecognized name 'x' of object"},
    {{.type = mjSENS_TACTILE, .objtype = mjOBJ_MESH, .reftype = mjOBJ_GEOM},
     "m",
     "",
     "missing name of reference frame object in sensor"},
    {{.type = mjSENS_INSIDESITE, .objtype = mjOBJ_BODY},
     "b",
     "",
     "sensor must be associated with a site"},
    {{.type = mjSENS_CAMPROJECTION, .objtype = mjOBJ_SITE},
     "s",
     "",
     "camera projection sensor requires camera resolution"},
    {{.type = mjSENS_GEOMDIST, .objtype = mjOBJ_GEOM, .reftype = mjOBJ_SITE},
     "g",
     "s",
     "sensor must be attached to body or geom"},
    {{.type = mjSENS_FRAMEPOS, .objtype = mjOBJ_BODY, .reftype = mjOBJ_BODY},
     "b",
     "",
     "missing name of reference frame object in sensor"},
    {{.type = mjSENS_CONTACT, .objtype = mjOBJ_JOINT, .intprm = {1, 0, 1}},
     "j",
     "",
     "first matching criterion: if set, must be (x)body, geom or site"},
    {{.type = mjSENS_CONTACT, .reftype = mjOBJ_SITE, .intprm = {1, 0, 1}},
     "",
     "s",
     "second matching criterion: if set, must be (x)body or geom"},
    {{.type = mjSENS_CONTACT, .intprm = {0, 0, 1}},
     "",
     "",
     "data spec (intprm[0]) must be positive, got 0"},
    {{.type = mjSENS_CONTACT, .intprm = {512, 0, 1}},
     "",
     "",
     "data spec intprm[0]=512 must have at least one bit set of the first mjNCONDATA bits"},
    {{.type = mjSENS_CONTACT, .intprm = {513, 0, 1}},
     "",
     "",
     "data spec intprm[0]=513 has bits set beyond the first mjNCONDATA bits"},
    {{.type = mjSENS_CONTACT, .intprm = {128, 3, 1}},
     "",
     "",
     "netforce reduction is incompatible with linvel or angvel"},
    {{.type = mjSENS_CONTACT, .intprm = {1, 4, 1}},
     "",
     "",
     "unknown reduction criterion. got 4, expected one of {0, 1, 2, 3}"},
    {{.type = mjSENS_CONTACT, .intprm = {1, 3, 0}},
     "",
     "",
     "num (intprm[2]) must be positive in sensor, got 0"},
};

static mjSpec* make_world(void) {
  return test_spec("<mujoco>" WORLD "</mujoco>");
}

static void set_sensor(mjsSensor* to, const mjsSensor* from, const char* objname,
                       const char* refname) {
  to->type = from->type;
  to->objtype = from->objtype;
  to->reftype = from->reftype;
  memcpy(to->intprm, from->intprm, sizeof(to->intprm));
  mjs_setString(to->objname, objname);
  mjs_setString(to->refname, refname);
}

TEST(wrong_sensors_of_programs_are_refused) {
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    mjSpec* s = make_world();
    set_sensor(mjs_addSensor(s), &wrong[i].sensor, wrong[i].objname, wrong[i].refname);
    assert_null(mj_compile(s, NULL));
    if (!strstr(mjs_getError(s), wrong[i].message)) {
      fail_msg("expected \"%s\", got \"%s\"", wrong[i].message, mjs_getError(s));
    }
    test_release(s);
  }
}

TEST(the_type_decides_dimension_stage_and_kind) {
  mjSpec* s = make_world();
  mjsSensor* touch = mjs_addSensor(s);
  set_sensor(touch, &(mjsSensor){.type = mjSENS_TOUCH, .objtype = mjOBJ_SITE}, "s", "");
  touch->datatype = mjDATATYPE_QUATERNION;
  touch->needstage = mjSTAGE_POS;
  touch->dim = 9;
  mjsSensor* contact = mjs_addSensor(s);
  set_sensor(contact, &(mjsSensor){.type = mjSENS_CONTACT, .intprm = {127, 0, 2}}, "", "");
  mjsSensor* user = mjs_addSensor(s);
  set_sensor(user, &(mjsSensor){.type = mjSENS_USER, .objtype = mjOBJ_XBODY}, "bb", "");
  user->dim = 3;
  user->datatype = mjDATATYPE_AXIS;
  user->needstage = mjSTAGE_VEL;
  mjModel* m = test_compile(s);
  const int adr[] = {0, 1, 35}, dim[] = {1, 34, 3}, objid[] = {1, -1, 2};
  const int stage[] = {mjSTAGE_ACC, mjSTAGE_ACC, mjSTAGE_VEL};
  const int kind[] = {mjDATATYPE_POSITIVE, mjDATATYPE_REAL, mjDATATYPE_AXIS};
  assert_int_equal(m->nsensordata, 38);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(m->sensor_adr[i], adr[i]);
    assert_int_equal(m->sensor_dim[i], dim[i]);
    assert_int_equal(m->sensor_needstage[i], stage[i]);
    assert_int_equal(m->sensor_datatype[i], kind[i]);
    assert_int_equal(m->sensor_objid[i], objid[i]);
    assert_int_equal(m->sensor_refid[i], -1);
  }
}

// The geom with the number of the mesh, whatever it is, is the one whose body must be able to
// touch.
TEST(a_skin_needs_a_body_that_can_touch) {
  static const char* const geoms[][2] = {{"", "1"},
                                         {" contype='0'", "1"},
                                         {" conaffinity='0'", "1"},
                                         {" contype='0' conaffinity='0'", NULL}};
  for (int i = 0; i < 8; i++) {
    char xml[1000], error[300] = "";
    const char* geom = geoms[i % 4][0];
    // the first geom is on the body of the sensor, or is another one's; mesh 0 asks for geom 0
    snprintf(
        xml, sizeof(xml),
        "<mujoco><asset><mesh name='m' builtin='plate' params='2 3'/></asset><worldbody>"
        "<body><geom name='first'%s size='1'/></body><body><geom name='second'%s size='1'/>"
        "</body></worldbody><sensor><tactile name='skin' mesh='m' geom='%s'/></sensor></mujoco>",
        geom, i % 4 == 3 ? "" : " contype='0' conaffinity='0'", i < 4 ? "first" : "second");
    mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
    mjModel* m = mj_compile(s, NULL);
    assert_int_equal(m != NULL, geoms[i % 4][1] != NULL);
    if (m) {
      assert_int_equal(m->sensor_dim[0], 18);
      assert_int_equal(m->sensor_needstage[0], mjSTAGE_ACC);
      assert_int_equal(m->sensor_objtype[0], mjOBJ_MESH);
      assert_int_equal(m->sensor_reftype[0], mjOBJ_GEOM);
      assert_int_equal(m->sensor_refid[0], i < 4 ? 0 : 1);
    } else if (!strstr(mjs_getError(s),
                       "Touch sensor requires a body with at least one collision geom")) {
      fail_msg("%s", mjs_getError(s));
    }
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

// The vertices of a file are counted when they are read, in the model and for those who ask the
// spec.
TEST(a_skin_from_a_file_has_the_size_of_what_was_read) {
  static const char text[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "p.obj", text, sizeof(text) - 1), 0);
  mjSpec* s = mj_parseXMLString(
      "<mujoco><asset><mesh name='p' file='p.obj'/></asset><worldbody><geom name='g' size='.1'/>"
      "</worldbody><sensor><tactile mesh='p' geom='g'/></sensor></mujoco>",
      NULL, NULL, 0);
  mjsSensor* sensor = mjs_asSensor(mjs_firstElement(s, mjOBJ_SENSOR));
  assert_int_equal(mjs_sensorDim(sensor), 0);
  mjModel* m = mj_compile(s, &vfs);
  assert_non_null(m);
  assert_int_equal(m->sensor_dim[0], 12);
  assert_int_equal(mjs_sensorDim(sensor), 12);
  mjs_setName(mjs_addMesh(s, NULL)->element, "later");
  mjs_setString(sensor->objname, "later");
  assert_int_equal(mjs_sensorDim(sensor), 0);
  mjs_setString(sensor->objname, "none");
  assert_int_equal(mjs_sensorDim(sensor), 0);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  mj_deleteVFS(&vfs);
}

static void change_and_reload(mjModel* m, int* place, int value) {
  int right = *place, size = mj_sizeModel(m);
  char* bytes = malloc((size_t)size);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  *place = value;
  mj_saveModel(m, NULL, bytes, size);
  mj_addBufferVFS(&vfs, "a.mjb", bytes, size);
  mjModel* loaded = mj_loadModel("a.mjb", &vfs);
  if ((loaded != NULL) != (value == right)) {
    fail_msg("%d in place of %d was %s", value, right, loaded ? "accepted" : "refused");
  }
  *place = right;
  mj_deleteModel(loaded);
  mj_deleteVFS(&vfs);
  free(bytes);
}

TEST(a_skin_of_a_model_file_is_checked) {
  mjModel* m =
      test_model("<mujoco>" WORLD "<sensor><tactile mesh='m' geom='g'/></sensor></mujoco>");
  mju_user_warning = silent;
  change_and_reload(m, m->sensor_objid, 0);
  int* const places[] = {m->sensor_objid,   m->sensor_refid, m->sensor_objtype,
                         m->sensor_reftype, m->sensor_dim,   m->sensor_needstage};
  for (int i = 0; i < 6; i++) {
    change_and_reload(m, places[i], -1);
    change_and_reload(m, places[i], 9);
  }
  change_and_reload(m, m->sensor_reftype, mjOBJ_UNKNOWN);
  change_and_reload(m, m->sensor_objtype, mjOBJ_UNKNOWN);
  change_and_reload(m, m->sensor_reftype, mjOBJ_BODY);
  change_and_reload(m, m->mesh_vertnum, 3);
  mju_user_warning = NULL;
}

TEST(an_unknown_optional_type_is_a_warning) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* m = cnd_loadXMLString("<mujoco>" WORLD
                                 "<sensor><framepos objtype='body' objname='b' reftype='sites'"
                                 " refname='s'/></sensor></mujoco>",
                                 NULL, problems);
  assert_non_null(m);
  assert_int_equal(m->sensor_refid[0], -1);
  assert_int_equal(cnd_diagnostic(problems, 0)->severity, cndSEVERITY_WARNING);
  assert_string_equal(cnd_diagnostic(problems, 0)->hint, "did you mean 'site'?");
  mj_deleteModel(m);
  cnd_deleteDiagnostics(problems);
}

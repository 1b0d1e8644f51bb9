// Default values against numbers recorded from the reference (3.3.7): each struct there has exactly
// these members set, the rest 0.

#include "support/near.h"
#include "support/test.h"

#define SOLREF \
  { (mjtNum)0.02, 1 }
#define SOLIMP \
  { (mjtNum)0.9, (mjtNum)0.95, (mjtNum)0.001, (mjtNum)0.5, 2 }
#define GREY \
  { 0.5f, 0.5f, 0.5f, 1 }

// Fills a struct with garbage, sets its defaults and compares all of its bytes.
#define CHECK(Name, ...)                               \
  do {                                                 \
    static const mjs##Name expected = __VA_ARGS__;     \
    static mjs##Name got;                              \
    memset(&got, 0x55, sizeof(got));                   \
    mjs_default##Name(&got);                           \
    assert_memory_equal(&got, &expected, sizeof(got)); \
  } while (0)

TEST(tree_elements_start_from_the_recorded_values) {
  CHECK(Orientation, {0});
  CHECK(Body,
        {.quat = {1}, .iquat = {1}, .ipos = {NAN}, .fullinertia = {NAN}, .simple = 1, .fuse = 1});
  CHECK(Frame, {.quat = {1}, .scale = {1, 1, 1}});
  CHECK(Joint, {.type = mjJNT_HINGE,
                .axis = {0, 0, 1},
                .align = 2,
                .limited = 2,
                .solref_limit = SOLREF,
                .solimp_limit = SOLIMP,
                .actfrclimited = 2,
                .solref_friction = SOLREF,
                .solimp_friction = SOLIMP});
  CHECK(Geom, {.type = mjGEOM_SPHERE,
               .quat = {1},
               .fromto = {NAN},
               .contype = 1,
               .conaffinity = 1,
               .condim = 3,
               .friction = {1, 0.005, 0.0001},
               .solmix = 1,
               .solref = SOLREF,
               .solimp = SOLIMP,
               .mass = NAN,
               .density = 1000,
               .fluid_coefs = {(mjtNum)0.5, (mjtNum)0.25, (mjtNum)1.5, 1, 1},
               .rgba = GREY,
               .castshadow = 1,
               .fitscale = 1});
  CHECK(Site, {.quat = {1},
               .fromto = {NAN},
               .size = {0.005, 0.005, 0.005},
               .type = mjGEOM_SPHERE,
               .rgba = GREY});
  CHECK(Camera,
        {.quat = {1}, .output = mjCAMOUT_RGB, .fovy = 45, .ipd = 0.068, .resolution = {1, 1}});
  CHECK(Light, {.dir = {0, 0, -1},
                .active = 1,
                .castshadow = 1,
                .bulbradius = 0.02f,
                .range = 10,
                .attenuation = {1},
                .cutoff = 45,
                .exponent = 10,
                .softness = 0.2f,
                .diffuse = {0.7f, 0.7f, 0.7f},
                .specular = {0.3f, 0.3f, 0.3f}});
}

TEST(assets_start_from_the_recorded_values) {
  CHECK(Flex, {.contype = 1,
               .conaffinity = 1,
               .condim = 3,
               .friction = {1, 0.005, 0.0001},
               .solmix = 1,
               .solref = SOLREF,
               .solimp = SOLIMP,
               .dim = 2,
               .radius = 0.005,
               .selfcollide = mjFLEXSELF_AUTO,
               .activelayers = 1,
               .rgba = GREY,
               .thickness = -1,
               .cellcount = {1, 1, 1}});
  CHECK(Mesh, {.refquat = {1},
               .scale = {1, 1, 1},
               .inertia = mjMESH_INERTIA_LEGACY,
               .maxhullvert = -1,
               .octree_maxdepth = 6});
  CHECK(HField, {0});
  CHECK(Skin, {.rgba = GREY});
  CHECK(Texture, {.type = mjTEXTURE_CUBE,
                  .rgb1 = {0.8, 0.8, 0.8},
                  .rgb2 = {0.5, 0.5, 0.5},
                  .random = 0.01,
                  .nchannel = 3,
                  .gridsize = {1, 1},
                  .gridlayout = "............",
                  .embed = mjEMBED_AUTO});
  CHECK(Material, {.texrepeat = {1, 1},
                   .specular = 0.5f,
                   .shininess = 0.5f,
                   .metallic = -1,
                   .roughness = -1,
                   .rgba = {1, 1, 1, 1}});
}

TEST(listed_elements_start_from_the_recorded_values) {
  CHECK(
      Pair,
      {.condim = 3, .solref = SOLREF, .solimp = SOLIMP, .friction = {1, 1, 0.005, 0.0001, 0.0001}});
  CHECK(Equality, {.type = mjEQ_CONNECT,
                   .data = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1},
                   .active = 1,
                   .solref = SOLREF,
                   .solimp = SOLIMP});
  CHECK(Tendon, {.springlength = {-1, -1},
                 .solref_friction = SOLREF,
                 .solimp_friction = SOLIMP,
                 .limited = 2,
                 .solref_limit = SOLREF,
                 .solimp_limit = SOLIMP,
                 .width = 0.003,
                 .rgba = GREY});
  CHECK(Actuator, {.gainprm = {1},
                   .dynprm = {1},
                   .actdim = -1,
                   .trntype = mjTRN_UNDEFINED,
                   .gear = {1},
                   .ctrllimited = 2,
                   .forcelimited = 2,
                   .actlimited = 2});
  CHECK(Sensor, {.type = mjSENS_TOUCH, .datatype = mjDATATYPE_REAL, .needstage = mjSTAGE_ACC});
  CHECK(Numeric, {0});
  CHECK(Text, {0});
  CHECK(Tuple, {0});
  CHECK(Key, {0});
  CHECK(Plugin, {0});
}

TEST(a_new_spec_has_the_recorded_settings) {
  mjSpec* s = mj_makeSpec();
  assert_string_equal(mjs_getString(s->modelname), "MuJoCo Model");
  assert_string_equal(mjs_getString(s->compiler.meshdir), "");
  assert_int_equal(s->compiler.autolimits, 1);
  assert_near(s->compiler.settotalmass, -1, 0);
  assert_int_equal(s->compiler.degree, 1);
  assert_memory_equal(s->compiler.eulerseq, "xyz", 3);
  assert_int_equal(s->compiler.usethread, 1);
  assert_int_equal(s->compiler.savecompiled, 1);
  assert_int_equal(s->compiler.savecanonical, 1);
  assert_int_equal(s->compiler.inertiafromgeom, 2);
  assert_int_equal(s->compiler.inertiagrouprange[0], 0);
  assert_int_equal(s->compiler.inertiagrouprange[1], 5);
  assert_near(s->compiler.LRopt.accel, 20, 0);
  assert_that(s->memory, ==, (mjtSize)-1);
  assert_that(s->nstack, ==, (mjtSize)-1);
  assert_int_equal(s->njmax, -1);
  assert_int_equal(s->nconmax, -1);
  assert_int_equal(s->nuser_body, -1);
  assert_int_equal(s->nuser_sensor, -1);
  assert_int_equal(s->nkey, 0);
  assert_true(isnan(s->stat.extent));
  assert_true(isnan(s->stat.center[0]));
  assert_near(s->stat.center[1], 0, 0);
  mj_deleteSpec(s);
}

// context_test.c: contexts without a screen, and what is said when something is wrong with them.

#define _POSIX_C_SOURCE 200809L

#include "render/context.h"

#include <condyle/error.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

static void unknown_backends_are_named(void** state) {
  (void)state;
  char error[300] = "";
  assert_null(cnd_makeGL("vulkan", 0, 0, error, sizeof(error)));
  assert_non_null(strstr(error, "vulkan"));
  assert_null(cnd_makeGL("egl", -1, 0, error, sizeof(error)));
  assert_null(cnd_makeGL("vulkan", 0, 0, NULL, 0));
  setenv("MUJOCO_GL", "nothing", 1);
  assert_null(cnd_makeGL(NULL, 0, 0, error, sizeof(error)));
  assert_non_null(strstr(error, "nothing"));
  unsetenv("MUJOCO_GL");
  cnd_freeGL(NULL);
}

static void devices_that_do_not_exist_are_an_error(void** state) {
  (void)state;
  cnd_freeGL(context_or_skip("egl"));
  char error[300] = "";
  setenv("MUJOCO_EGL_DEVICE_ID", "99", 1);
  assert_null(cnd_makeGL("egl", 0, 0, error, sizeof(error)));
  assert_non_null(strstr(error, "99"));
  unsetenv("MUJOCO_EGL_DEVICE_ID");
}

// A picture of the given size in the color (1, 0, 0.2).
static void draw_red(mjrContext* con, unsigned char* rgb, int width, int height) {
  mjrRect all = {0, 0, width, height};
  mjr_rectangle(all, 1, 0, 0.2f, 1);
  mjr_readPixels(rgb, NULL, all, con);
}

static void check_backend(const char* backend) {
  cndGL* gl = context_or_skip(backend);
  assert_string_equal(cnd_backendGL(gl), backend);
  mjrContext con;
  mjr_defaultContext(&con);
  mjr_makeContext(NULL, &con, 100);
  mjr_setBuffer(mjFB_OFFSCREEN, &con);
  assert_int_equal(con.currentBuffer, mjFB_OFFSCREEN);
  assert_int_equal(con.offWidth, 800);
  unsigned char rgb[3 * 4 * 5];
  draw_red(&con, rgb, 4, 5);
  for (int i = 0; i < 4 * 5; i++) {
    assert_int_equal(rgb[3 * i], 255);
    assert_int_equal(rgb[3 * i + 1], 0);
    assert_int_equal(rgb[3 * i + 2], 51);
  }
  assert_int_equal(mjr_getError(), 0);
  mjr_finish();
  mjr_freeContext(&con);
  cnd_freeGL(gl);
}

static void egl_draws(void** state) {
  (void)state;
  check_backend("egl");
}

static void osmesa_draws(void** state) {
  (void)state;
  check_backend("osmesa");
}

static void contexts_of_two_libraries_live_together(void** state) {
  (void)state;
  // the one that may be missing first: a test that is skipped frees nothing
  cndGL* gl[2] = {NULL, context_or_skip("osmesa")};
  mjrContext con[2];
  cnd_currentGL(NULL, NULL, 0);
  gl[0] = context_or_skip("egl");
  mjr_defaultContext(con);
  mjr_defaultContext(con + 1);
  mjr_makeContext(NULL, con, 100);
  cnd_currentGL(NULL, NULL, 0);
  assert_int_equal(cnd_currentGL(gl[1], NULL, 0), 0);
  mjr_makeContext(NULL, con + 1, 100);
  for (int round = 0; round < 4; round++) {
    int i = round % 2;
    cnd_currentGL(NULL, NULL, 0);
    assert_int_equal(cnd_currentGL(gl[i], NULL, 0), 0);
    mjr_setBuffer(mjFB_OFFSCREEN, con + i);
    unsigned char rgb[3];
    draw_red(con + i, rgb, 1, 1);
    assert_int_equal(rgb[0], 255);
  }
  // the second is current: the first is freed without its OpenGL
  mjr_freeContext(con);
  mjr_freeContext(con + 1);
  cnd_freeGL(gl[0]);
  cnd_freeGL(gl[1]);
}

static void windows_in_memory_are_drawn_into(void** state) {
  (void)state;
  char error[300] = "";
  cndGL* gl = cnd_makeGL("egl", 64, 48, error, sizeof(error));
  if (!gl) {
    skip();
  }
  assert_int_equal(cnd_currentGL(gl, error, sizeof(error)), 0);
  mjrContext con;
  mjr_defaultContext(&con);
  mjr_makeContext(NULL, &con, 100);
  assert_int_equal(con.windowAvailable, 1);
  assert_int_equal(con.currentBuffer, mjFB_WINDOW);
  mjrRect max = mjr_maxViewport(&con);
  assert_int_equal(max.width, 64);
  assert_int_equal(max.height, 48);
  unsigned char rgb[3 * 64 * 48];
  draw_red(&con, rgb, 64, 48);
  assert_int_equal(rgb[3 * 64 * 48 - 3], 255);

  // to the other buffer and back
  mjrRect all = {0, 0, 64, 48}, half = {0, 0, 32, 24};
  mjr_blitBuffer(all, half, 1, 0, &con);
  mjr_setBuffer(mjFB_OFFSCREEN, &con);
  memset(rgb, 0, sizeof(rgb));
  mjr_readPixels(rgb, NULL, half, &con);
  assert_int_equal(rgb[0], 255);
  mjr_blitBuffer(half, all, 1, 0, &con);
  assert_int_equal(mjr_getError(), 0);
  mjr_freeContext(&con);
  assert_int_equal(con.windowAvailable, 1);
  cnd_freeGL(gl);
}

// calls that must end in errors
static mjrContext empty;
static void call_without_context(void* con) {
  mjr_makeContext(NULL, con, 100);
}
static void call_unmade(void* con) {
  mjr_setBuffer(mjFB_OFFSCREEN, con);
}
static void call_font(void* con) {
  mjr_changeFont(120, con);
}
static void call_aux(void* con) {
  mjr_setAux(3, con);
}
static void call_aux_index(void* con) {
  mjr_addAux(mjNAUX, 1, 1, 1, con);
}
static void call_size(void* con) {
  mjr_resizeOffscreen(1 << 28, 1, con);
}
static void call_buffer(void* con) {
  mjr_setBuffer(2, con);
}
static void call_overlay(void* con) {
  mjrRect rect = {0, 0, 10, 10};
  mjr_overlay(mjFONT_NORMAL, 8, rect, "a", NULL, con);
}

static void expect_error(void (*call)(void*), mjrContext* con, const char* part) {
  char error[500] = "";
  assert_int_equal(cnd_try(call, con, error, sizeof(error)), 1);
  if (!strstr(error, part)) {
    fail_msg("'%s' does not say '%s'", error, part);
  }
}

static void misuse_is_an_error(void** state) {
  (void)state;
  mjrContext con;
  mjr_defaultContext(&con);
  expect_error(call_without_context, &con, "no OpenGL context");
  expect_error(call_unmade, &empty, "mjr_makeContext");
  cndGL* gl = context_or_skip(NULL);
  mjr_makeContext(NULL, &con, 100);
  expect_error(call_font, &con, "120");
  expect_error(call_aux, &con, "mjr_addAux");
  expect_error(call_aux_index, &con, "10");
  expect_error(call_buffer, &con, "2");
  expect_error(call_overlay, &con, "8");
  expect_error(call_size, &con, "too large");
  cnd_currentGL(NULL, NULL, 0);
  expect_error(call_unmade, &con, "not current");
  mjr_freeContext(&con);
  cnd_freeGL(gl);
}

static void many_contexts_are_made_and_freed(void** state) {
  (void)state;
  cndGL* gl = context_or_skip(NULL);
  mjrContext con;
  mjr_defaultContext(&con);
  for (int i = 0; i < 50; i++) {
    mjr_makeContext(NULL, &con, 50 * (i % 8));
    assert_in_range(con.fontScale, 100, 300);
  }
  mjr_freeContext(&con);
  mjr_freeContext(&con);
  assert_int_equal(mjr_getError(), 0);
  cnd_freeGL(gl);
}

static mjModel* compile(const char* xml) {
  char error[300] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  assert_non_null(spec);
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  mj_deleteSpec(spec);
  return m;
}

// A model with one of everything that a context holds, and a picture of it.
static void draw_everything(int round) {
  static const char xml[] =
      "<mujoco><visual><global offwidth='64' offheight='48'/><quality "
      "shadowsize='64'/></visual><asset>"
      "<texture name='sky' type='skybox' builtin='gradient' rgb1='1 1 1' width='16' height='96'/>"
      "<texture name='flat' type='2d' builtin='checker' width='33' height='20'/>"
      "<texture name='cube' type='cube' builtin='checker' width='16' height='16'/>"
      "<material name='flat' texture='flat' reflectance='.3'/>"
      "<material name='cube' texture='cube'/>"
      "<mesh name='tet' vertex='0 0 0 .5 0 0 0 .5 0 0 0 .5'/>"
      "<hfield name='field' nrow='3' ncol='3' size='1 1 .1 .1' elevation='0 1 0 1 0 1 0 1 "
      "0'/></asset>"
      "<worldbody><light pos='0 0 3'/><geom type='plane' size='1 1 1' material='flat'/>"
      "<geom type='hfield' hfield='field' pos='2 0 0'/><geom type='mesh' mesh='tet' "
      "material='cube'/>"
      "<geom size='.1' pos='0 0 1' rgba='1 0 0 .5'/>"
      "<body><joint/><geom size='.1' pos='0 1 1'/></body>"
      "<flexcomp name='cloth' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' radius='.01'/>"
      "</worldbody></mujoco>";
  mjModel* m = compile(xml);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  cndGL* gl = context_or_skip(NULL);
  mjrContext con;
  mjr_defaultContext(&con);
  mjr_makeContext(m, &con, 100);
  mjr_setBuffer(mjFB_OFFSCREEN, &con);
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 200);
  mjvOption opt;
  mjv_defaultOption(&opt);
  opt.label = mjLABEL_GEOM;
  mjvCamera cam;
  mjv_defaultFreeCamera(m, &cam);
  mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &scn);
  scn.flags[mjRND_WIREFRAME] = (mjtByte)(round % 2);
  static unsigned char rgb[3 * 64 * 48];
  static float depth[64 * 48];
  mjrRect all = {0, 0, 64, 48};
  mjr_render(all, &scn, &con);
  mjr_readPixels(rgb, depth, all, &con);
  assert_int_equal(mjr_getError(), 0);
  mjv_freeScene(&scn);
  mjr_freeContext(&con);
  cnd_freeGL(gl);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// No device has textures of that size: they are halved.
static void large_textures_are_made_smaller(void** state) {
  (void)state;
  mjModel* m = compile(
      "<mujoco><asset>"
      "<texture name='wide' type='2d' builtin='flat' rgb1='0 1 0' width='100000' height='2'/>"
      "<material name='wide' texture='wide' emission='1'/></asset><worldbody>"
      "<light pos='0 0 3' dir='0 0 -1' diffuse='0 0 0' specular='0 0 0' castshadow='false'/>"
      "<geom type='box' size='.5 .5 .1' material='wide'/>"
      "<camera pos='0 0 2'/></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  cndGL* gl = context_or_skip(NULL);
  mjrContext con;
  mjr_defaultContext(&con);
  mjr_makeContext(m, &con, 100);
  mjr_setBuffer(mjFB_OFFSCREEN, &con);
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 10);
  mjvOption opt;
  mjv_defaultOption(&opt);
  mjvCamera cam;
  mjv_defaultCamera(&cam);
  cam.type = mjCAMERA_FIXED;
  cam.fixedcamid = 0;
  mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &scn);
  unsigned char rgb[3 * 8 * 8];
  mjrRect all = {0, 0, 8, 8};
  mjr_render(all, &scn, &con);
  mjr_readPixels(rgb, NULL, all, &con);
  assert_int_equal(mjr_getError(), 0);
  const unsigned char* middle = rgb + 3 * (8 * 4 + 4);
  assert_that(middle[0], <, 10);
  assert_that(middle[1], >, 200);
  assert_that(middle[2], <, 10);
  mjv_freeScene(&scn);
  mjr_freeContext(&con);
  cnd_freeGL(gl);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A cube of two squares would be read behind its end.
static const mjModel* odd;
static void call_upload(void* con) {
  mjr_makeContext(odd, con, 100);
}
static void cubes_have_one_side_or_six(void** state) {
  (void)state;
  mjModel* m = compile(
      "<mujoco><asset><texture name='c' type='cube' builtin='flat' width='8' height='8'/></asset>"
      "<worldbody/></mujoco>");
  m->tex_height[0] = 2 * m->tex_width[0];
  odd = m;
  cndGL* gl = context_or_skip(NULL);
  mjrContext con;
  mjr_defaultContext(&con);
  expect_error(call_upload, &con, "texture 0 has 8 x 16 pixels");
  mjr_freeContext(&con);
  cnd_freeGL(gl);
  mj_deleteModel(m);
}

// Pages of memory that the process has.
static long pages(void) {
  long all = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file) {
    assert_int_equal(fscanf(file, "%ld %ld", &all, &resident), 2);
    fclose(file);
  }
  return resident;
}

// Sanitizers keep what was freed for a while; that of addresses looks for leaks itself. OSMesa has
// one.
#ifdef __SANITIZE_ADDRESS__
static const int kKeepsFreed = 1;
__attribute__((visibility("default"))) const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void) {
  return "leak:libOSMesa";
}
#elif defined(__SANITIZE_THREAD__)
static const int kKeepsFreed = 1;
#else
static const int kKeepsFreed = 0;
#endif

// RENDER_ROUNDS: how many. Memory may grow by 1 kB a round, which allocators need to settle.
static void models_and_contexts_leave_nothing(void** state) {
  (void)state;
  const char* wanted = getenv("RENDER_ROUNDS");
  int rounds = wanted ? atoi(wanted) : 50;
  for (int i = 0; i < 20; i++) {
    draw_everything(i);
  }
  long before = pages();
  for (int i = 0; i < rounds; i++) {
    draw_everything(i);
  }
  long grown = 4096 * (pages() - before);
  if (wanted) {
    print_message("%d rounds: %ld bytes more\n", rounds, grown);
  }
  assert_true(kKeepsFreed || grown < 4000000 + 1024L * rounds);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unknown_backends_are_named),
      cmocka_unit_test(devices_that_do_not_exist_are_an_error),
      cmocka_unit_test(egl_draws),
      cmocka_unit_test(osmesa_draws),
      cmocka_unit_test(contexts_of_two_libraries_live_together),
      cmocka_unit_test(windows_in_memory_are_drawn_into),
      cmocka_unit_test(misuse_is_an_error),
      cmocka_unit_test(many_contexts_are_made_and_freed),
      cmocka_unit_test(large_textures_are_made_smaller),
      cmocka_unit_test(cubes_have_one_side_or_six),
      cmocka_unit_test(models_and_contexts_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

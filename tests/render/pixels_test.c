// pixels_test.c: what pictures show, pixel by pixel, where it follows from geometry.

#include "render/context.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDTH = 80,
  HEIGHT = 60,
};
static const mjrRect ALL = {0, 0, WIDTH, HEIGHT};

// A context, a scene of given shapes and their picture. The eye is at the origin and looks along y.
typedef struct Stage_ {
  cndGL* gl;
  mjrContext con;
  mjvScene scn;
  unsigned char rgb[3 * WIDTH * HEIGHT];
  float depth[WIDTH * HEIGHT];
} Stage;

static void set_up(Stage* s) {
  memset(s, 0, sizeof(*s));
  s->gl = context_or_skip(NULL);
  mjr_makeContext(NULL, &s->con, 100);
  mjr_setBuffer(mjFB_OFFSCREEN, &s->con);
  mjv_makeScene(NULL, &s->scn, 100);
  for (int i = 0; i < 2; i++) {
    mjvGLCamera* camera = s->scn.camera + i;
    camera->forward[1] = camera->up[2] = 1;
    camera->frustum_near = 0.1f;
    camera->frustum_far = 100;
    camera->frustum_top = 0.05f;
    camera->frustum_bottom = -0.05f;
  }
}

static void tear_down(Stage* s) {
  assert_int_equal(mjr_getError(), 0);
  mjv_freeScene(&s->scn);
  mjr_freeContext(&s->con);
  cnd_freeGL(s->gl);
}

static mjvGeom* add(Stage* s, int type, double x, double y, double z, double size, float r, float g,
                    float b, float a) {
  mjvGeom* geom = s->scn.geoms + s->scn.ngeom;
  const mjtNum sizes[3] = {size, size, size}, pos[3] = {x, y, z};
  const float rgba[4] = {r, g, b, a};
  memset(geom, 0, sizeof(*geom));
  mjv_initGeom(geom, type, sizes, pos, NULL, rgba);
  geom->segid = s->scn.ngeom++;
  geom->objtype = mjOBJ_UNKNOWN;
  geom->category = mjCAT_DYNAMIC;
  return geom;
}

static void draw(Stage* s) {
  mjr_render(ALL, &s->scn, &s->con);
  mjr_readPixels(s->rgb, s->depth, ALL, &s->con);
}

static const unsigned char* pixel(const Stage* s, int x, int y) {
  return s->rgb + 3 * (y * WIDTH + x);
}

static int is_color(const unsigned char* p, int r, int g, int b) {
  return abs(p[0] - r) <= 1 && abs(p[1] - g) <= 1 && abs(p[2] - b) <= 1;
}

static void rows_go_up(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  mjvGeom* geom = add(&s, mjGEOM_BOX, -1, 5, 1, 0.5, 1, 0, 0, 1);
  geom->emission = 1;
  draw(&s);
  int x = WIDTH / 2 - WIDTH / 8, y = HEIGHT / 2 + HEIGHT / 8;
  assert_int_equal(pixel(&s, x, y)[0], 255);
  assert_int_equal(pixel(&s, x, HEIGHT - 1 - y)[0], 0);
  assert_int_equal(pixel(&s, WIDTH - 1 - x, y)[0], 0);
  tear_down(&s);
}

// depth is near (far - z) / (z (far - near)) from the far plane, whatever the way it is read
static void depth_is_the_distance_along_the_view(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  add(&s, mjGEOM_BOX, 0, 6, 0, 1, 1, 1, 1, 1);
  s.con.readDepthMap = mjDEPTH_ZEROFAR;
  draw(&s);
  float near = 0.1f, far = 100, r = s.depth[HEIGHT / 2 * WIDTH + WIDTH / 2];
  float z = near * far / (r * (far - near) + near);
  assert_float_equal(z, 5, 1e-4);
  assert_float_equal(s.depth[0], 0, 0);
  s.con.readDepthMap = mjDEPTH_ZERONEAR;
  draw(&s);
  assert_float_equal(s.depth[HEIGHT / 2 * WIDTH + WIDTH / 2], 1 - r, 1e-7);
  assert_float_equal(s.depth[0], 1, 0);
  tear_down(&s);
}

static void segments_are_numbers(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  add(&s, mjGEOM_SPHERE, 0, 5, 0, 1, 1, 1, 1, 0.2f)->segid = 0x030201;
  s.scn.flags[mjRND_SEGMENT] = s.scn.flags[mjRND_IDCOLOR] = 1;
  draw(&s);
  assert_true(is_color(pixel(&s, WIDTH / 2, HEIGHT / 2), 2, 2, 3));
  assert_true(is_color(pixel(&s, 0, 0), 0, 0, 0));
  s.scn.geoms[0].segid = -1;
  draw(&s);
  assert_true(is_color(pixel(&s, WIDTH / 2, HEIGHT / 2), 0, 0, 0));
  tear_down(&s);
}

static void scenes_are_marked(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  add(&s, mjGEOM_SPHERE, 0, 9, 0, 1, 1, 1, 1, 0.5f);
  add(&s, mjGEOM_SPHERE, 0, 5, 0, 1, 1, 1, 1, 0.5f);
  add(&s, mjGEOM_BOX, 0, 7, 0, 1, 1, 1, 1, 1)->reflectance = 0.5f;
  add(&s, mjGEOM_BOX, 0, 7, 0, 1, 1, 1, 1, 1)->reflectance = 0.5f;
  draw(&s);
  assert_int_equal(s.scn.geoms[0].transparent, 1);
  assert_int_equal(s.scn.geoms[2].transparent, 0);
  assert_float_equal(s.scn.geoms[0].camdist, 8, 1e-5);
  assert_int_equal(s.scn.geomorder[0], 1);
  assert_int_equal(s.scn.geomorder[1], 0);
  assert_float_equal(s.scn.geoms[2].reflectance, 0.5, 0);
  assert_float_equal(s.scn.geoms[3].reflectance, 0, 0);
  tear_down(&s);
}

// two layers of opacity a cover 1 - (1-a)^2
static void transparent_shapes_are_drawn_from_both_sides(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  mjvGeom* geom = add(&s, mjGEOM_BOX, 0, 6, 0, 1, 1, 0, 0, 0.5f);
  geom->emission = 1;
  draw(&s);
  assert_that(abs(pixel(&s, WIDTH / 2, HEIGHT / 2)[0] - 191), <=, 1);
  s.scn.flags[mjRND_ADDITIVE] = 1;
  draw(&s);
  assert_that(abs(pixel(&s, WIDTH / 2, HEIGHT / 2)[0] - 128), <=, 1);
  tear_down(&s);
}

// light straight into a wall: ambient + diffuse
static void walls_reflect_light(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  add(&s, mjGEOM_BOX, 0, 6, 0, 1, 0.8f, 0.4f, 0, 1)->specular = 0;
  mjvLight* light = s.scn.lights;
  s.scn.nlight = 1;
  light->type = mjLIGHT_DIRECTIONAL;
  light->dir[1] = 1;
  for (int k = 0; k < 3; k++) {
    light->ambient[k] = 0.1f;
    light->diffuse[k] = 0.4f;
  }
  draw(&s);
  assert_true(is_color(pixel(&s, WIDTH / 2, HEIGHT / 2), 102, 51, 0));
  light->dir[1] = -1;
  draw(&s);
  assert_true(is_color(pixel(&s, WIDTH / 2, HEIGHT / 2), 20, 10, 0));
  s.scn.nlight = 0;
  draw(&s);
  assert_true(is_color(pixel(&s, WIDTH / 2, HEIGHT / 2), 61, 31, 0));
  light->type = mjLIGHT_POINT;
  tear_down(&s);
}

// pixels of a square that aren't black
static int bright(const Stage* s, int left, int bottom, int size) {
  int n = 0;
  for (int y = bottom; y < bottom + size; y++) {
    for (int x = left; x < left + size; x++) {
      n += pixel(s, x, y)[0] > 0;
    }
  }
  return n;
}

// a side of a box is 4 x 4 squares, of 6 pixels here, without their diagonals
static void wires_are_the_sides_of_polygons(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  add(&s, mjGEOM_BOX, 0, 6, 0, 1, 1, 1, 1, 1)->emission = 1;
  s.scn.flags[mjRND_WIREFRAME] = 1;
  draw(&s);
  const int left = WIDTH / 2 - 6, bottom = HEIGHT / 2;
  assert_in_range(bright(&s, left - 1, bottom - 1, 8), 24, 32);
  assert_int_equal(bright(&s, left + 1, bottom + 1, 4), 0);

  // what is behind is seen through
  s.scn.flags[mjRND_CULL_FACE] = 0;
  draw(&s);
  assert_that(bright(&s, left + 1, bottom + 1, 4), >, 0);

  // so is the mirror image, from its front
  s.scn.flags[mjRND_CULL_FACE] = s.scn.flags[mjRND_REFLECTION] = 1;
  s.scn.camera[0].pos[2] = s.scn.camera[1].pos[2] = 1;
  mjvGeom* floor = add(&s, mjGEOM_PLANE, 0, 0, -1.1, 50, 0, 0, 0, 1);
  floor->reflectance = 1;
  floor->dataid = -1;
  draw(&s);
  assert_that(bright(&s, WIDTH / 2 - 12, 0, 14), >, 20);
  tear_down(&s);
}

static void eyes_stand_side_by_side(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  add(&s, mjGEOM_BOX, 0, 6, 0, 1, 1, 1, 1, 1)->emission = 1;
  s.scn.camera[1].pos[0] = 100;
  s.scn.stereo = mjSTEREO_SIDEBYSIDE;
  draw(&s);
  assert_int_equal(pixel(&s, WIDTH / 4, HEIGHT / 2)[0], 255);
  assert_int_equal(pixel(&s, 3 * WIDTH / 4, HEIGHT / 2)[0], 0);
  tear_down(&s);
}

static void borders_lie_inside(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  s.scn.framewidth = 3;
  s.scn.framergb[1] = 1;
  draw(&s);
  assert_int_equal(pixel(&s, 2, 30)[1], 255);
  assert_int_equal(pixel(&s, 3, 30)[1], 0);
  assert_int_equal(pixel(&s, 40, HEIGHT - 1)[1], 255);
  tear_down(&s);
}

// a mirror on the ground shows what floats above it
static void mirrors_show_what_is_above(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  for (int i = 0; i < 2; i++) {
    s.scn.camera[i].pos[2] = 1;
  }
  mjvGeom* floor = add(&s, mjGEOM_PLANE, 0, 0, 0, 50, 0, 0, 0, 1);
  floor->reflectance = 0.5f;
  floor->dataid = -1;
  mjvGeom* box = add(&s, mjGEOM_BOX, 0, 10, 1, 0.5, 1, 0, 0, 1);
  box->emission = 1;
  s.scn.flags[mjRND_REFLECTION] = 1;
  draw(&s);
  // the image is at height -1: two tenths below the middle
  int y = HEIGHT / 2 - HEIGHT / 5;
  assert_true(is_color(pixel(&s, WIDTH / 2, HEIGHT / 2), 255, 0, 0));
  assert_true(is_color(pixel(&s, WIDTH / 2, y), 128, 0, 0));
  s.scn.flags[mjRND_REFLECTION] = 0;
  floor->reflectance = 0.5f;
  draw(&s);
  assert_true(is_color(pixel(&s, WIDTH / 2, y), 0, 0, 0));
  tear_down(&s);
}

static void pixels_come_back_as_they_were_written(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  mjrRect part = {7, 5, 3, 2};
  unsigned char rgb[18], out[18];
  float depth[6] = {0, 0.25f, 0.5f, 0.75f, 1, 0.125f}, far[6];
  for (int i = 0; i < 18; i++) {
    rgb[i] = (unsigned char)(13 * i);
  }
  s.con.readDepthMap = mjDEPTH_ZEROFAR;
  mjr_drawPixels(rgb, depth, part, &s.con);
  mjr_readPixels(out, far, part, &s.con);
  assert_memory_equal(rgb, out, 18);
  assert_memory_equal(depth, far, sizeof(far));
  tear_down(&s);
}

static int lit(const Stage* s, mjrRect r) {
  int n = 0;
  for (int y = r.bottom; y < r.bottom + r.height; y++) {
    for (int x = r.left; x < r.left + r.width; x++) {
      n += pixel(s, x, y)[0] > 128;
    }
  }
  return n;
}

static void texts_are_drawn(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  mjrRect empty = {0, 0, 0, 10};
  mjr_rectangle(ALL, 0, 0, 0, 1);
  mjr_text(mjFONT_NORMAL, "Ag%", &s.con, 0.5, 0.5, 1, 1, 1);
  mjr_readPixels(s.rgb, NULL, ALL, &s.con);
  mjrRect right = {WIDTH / 2, HEIGHT / 2, WIDTH / 2, s.con.charHeight}, left = {0, 0, 39, HEIGHT};
  assert_that(lit(&s, right), >, 20);
  assert_int_equal(lit(&s, left), 0);

  mjr_rectangle(ALL, 0, 0, 0, 1);
  mjr_overlay(mjFONT_NORMAL, mjGRID_BOTTOMLEFT, ALL, "a\nb", "1\n2\n3", &s.con);
  mjr_readPixels(s.rgb, NULL, ALL, &s.con);
  mjrRect corner = {0, 0, WIDTH / 2, HEIGHT};
  assert_that(lit(&s, corner), >, 20);
  mjr_overlay(mjFONT_BIG, mjGRID_TOP, empty, "a", NULL, &s.con);
  mjr_overlay(mjFONT_SHADOW, mjGRID_RIGHT, ALL, NULL, NULL, &s.con);

  mjr_label(ALL, mjFONT_NORMAL, "H", 1, 0, 0, 1, 0, 1, 0, &s.con);
  mjr_readPixels(s.rgb, NULL, ALL, &s.con);
  assert_true(is_color(pixel(&s, 0, 0), 255, 0, 0));
  int green = 0;
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    green += s.rgb[3 * i + 1] > 128;
  }
  assert_that(green, >, 5);
  tear_down(&s);
}

static void figures_say_where_they_are(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  mjvFigure* fig = malloc(sizeof(*fig));
  mjv_defaultFigure(fig);
  mjrRect rect = {0, 0, 700, 500};
  fig->linepnt[0] = 3;
  const float data[6] = {0, -2, 5, NAN, 10, 3};
  memcpy(fig->linedata[0], data, sizeof(data));
  strcpy(fig->linename[0], "line");
  strcpy(fig->title, "one  two");
  // formats that would read what is not there, or write
  strcpy(fig->xformat, "%s%n");
  strcpy(fig->yformat, "%*d");
  fig->flg_selection = 1;
  fig->highlightid = 0;
  mjr_figure(rect, fig, &s.con);
  assert_float_equal(fig->xaxisdata[0], 0, 0);
  assert_float_equal(fig->xaxisdata[1], 10, 0);
  assert_float_equal(fig->yaxisdata[0], -2, 0);
  assert_float_equal(fig->yaxisdata[1], 3, 0);
  assert_that(0, <, fig->xaxispixel[0]);
  assert_that(fig->xaxispixel[0], <, fig->xaxispixel[1]);
  assert_that(0, <, fig->yaxispixel[0]);
  assert_that(fig->yaxispixel[1], <=, rect.height);
  fig->flg_symmetric = 1;
  fig->linepnt[1] = mjMAXLINEPNT + 5;
  memset(fig->title, 'x', sizeof(fig->title));
  mjr_figure(rect, fig, &s.con);
  assert_float_equal(fig->yaxisdata[0], -3, 0);
  free(fig);
  tear_down(&s);
}

static void auxiliary_buffers_are_copied(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  mjr_addAux(2, 30, 20, 4, &s.con);
  assert_int_equal(s.con.auxWidth[2], 30);
  mjr_setAux(2, &s.con);
  mjrRect part = {0, 0, 30, 20};
  mjr_rectangle(part, 0, 0, 1, 1);
  mjr_restoreBuffer(&s.con);
  mjr_rectangle(ALL, 0, 0, 0, 1);
  mjr_blitAux(2, part, 10, 10, &s.con);
  mjr_readPixels(s.rgb, NULL, ALL, &s.con);
  assert_true(is_color(pixel(&s, 10, 10), 0, 0, 255));
  assert_true(is_color(pixel(&s, 9, 10), 0, 0, 0));
  mjr_addAux(2, 0, 0, 0, &s.con);
  mjr_blitAux(2, part, 0, 0, &s.con);
  tear_down(&s);
}

static void points_find_their_rectangle(void** state) {
  (void)state;
  const mjrRect rect[2] = {{0, 0, 10, 10}, {5, 5, 10, 10}};
  assert_int_equal(mjr_findRect(5, 5, 2, rect), 0);
  assert_int_equal(mjr_findRect(10, 10, 2, rect), 1);
  assert_int_equal(mjr_findRect(15, 10, 2, rect), -1);
}

// any numbers may stand in a scene
static void hostile_scenes_are_drawn(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  for (int type = -1; type < 120; type++) {
    s.scn.ngeom = 0;
    mjvGeom* geom = add(&s, type, 0, 5, 0, 1, 1, 1, 1, 1);
    geom->dataid = geom->matid = geom->objid = 1 << 30;
    geom = add(&s, type, NAN, INFINITY, -1e30, 1e30, NAN, 2, -1, 0.5f);
    geom->dataid = geom->matid = geom->objid = -(1 << 30);
    memset(geom->label, 'x', sizeof(geom->label));
    draw(&s);
  }
  s.scn.nlight = 1 << 20;
  for (int i = 0; i < mjMAXLIGHT; i++) {
    s.scn.lights[i].castshadow = (mjtByte)(i % 2);
    s.scn.lights[i].cutoff = NAN;
  }
  s.con.shadowSize = 64;
  memset(s.scn.flags, 1, sizeof(s.scn.flags));
  s.scn.flags[mjRND_SEGMENT] = 0;
  draw(&s);
  tear_down(&s);
}

static void depths_alone_have_no_colors(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  mjvGeom* geom = add(&s, mjGEOM_BOX, 0, 5, 0, 0.5, 1, 0, 0, 1);
  geom->emission = 1;
  draw(&s);
  int middle = HEIGHT / 2 * WIDTH + WIDTH / 2;
  float depth = s.depth[middle];
  assert_true(is_color(s.rgb + 3 * middle, 255, 0, 0));
  s.scn.cnd_flags[mjRND_DEPTH - mjNRNDFLAG] = 1;
  draw(&s);
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    assert_true(is_color(s.rgb + 3 * i, 0, 0, 0));
  }
  assert_that(s.depth[middle], ==, depth);
  assert_that(s.depth[0], >, depth);
  tear_down(&s);
}

// A box before a wall, and a light from the right: its shadow falls onto the middle of the wall.
static void shapes_may_cast_no_shadow(void** state) {
  (void)state;
  Stage s;
  set_up(&s);
  add(&s, mjGEOM_BOX, 0, 12, 0, 4, 1, 1, 1, 1);
  mjvGeom* box = add(&s, mjGEOM_BOX, 1, 4, 0, 0.3, 1, 1, 1, 1);
  mjvLight* light = s.scn.lights;
  s.scn.nlight = 1;
  light->type = mjLIGHT_DIRECTIONAL;
  light->castshadow = 1;
  light->pos[0] = 2;
  light->dir[0] = -0.25f;
  light->dir[1] = 1;
  light->diffuse[0] = light->diffuse[1] = light->diffuse[2] = 1;
  s.con.shadowSize = 256;
  s.con.shadowClip = 10;
  s.scn.flags[mjRND_SHADOW] = 1;
  int lit[2];
  for (int casts = 0; casts < 2; casts++) {
    box->castshadow = (mjtByte)casts;
    draw(&s);
    lit[casts] = pixel(&s, WIDTH / 2, HEIGHT / 2)[0];
  }
  assert_that(lit[0], >, lit[1] + 100);
  tear_down(&s);
}

// A shape has its own texture, or else that of its material.
static void textures_belong_to_shapes(void** state) {
  (void)state;
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><asset><texture name='r' type='cube' builtin='flat' width='4' height='4' "
      "rgb1='1 0 0' rgb2='1 0 0'/><texture name='g' type='cube' builtin='flat' width='4' "
      "height='4' rgb1='0 1 0' rgb2='0 1 0'/><material name='m' texture='r'/></asset></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  Stage s;
  set_up(&s);
  mjr_freeContext(&s.con);
  mjr_makeContext(m, &s.con, 100);
  mjr_setBuffer(mjFB_OFFSCREEN, &s.con);
  mjvGeom* geom = add(&s, mjGEOM_BOX, 0, 5, 0, 0.5, 1, 1, 1, 1);
  geom->emission = 1;
  for (int k = 0; k < 3; k++) {
    geom->matid = k ? 0 : -1;
    geom->texid = k == 2 ? 1 : -1;
    draw(&s);
    const unsigned char* p = pixel(&s, WIDTH / 2, HEIGHT / 2);
    assert_true(is_color(p, k == 2 ? 0 : 255, k == 1 ? 0 : 255, k ? 0 : 255));
  }
  tear_down(&s);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// a square of two triangles and a line of two segments, each red to the left and green to the right
static void elements_of_flexes_have_their_materials(void** state) {
  (void)state;
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><asset><material name='r' rgba='1 0 0 1' emission='1' specular='0'/><material "
      "name='g' "
      "rgba='0 1 0 1' emission='1' specular='0'/></asset><worldbody/><deformable><flex name='f' "
      "dim='2' "
      "body='world' vertex='-1 5 0  0 5 1  0 5 -1  1 5 0' element='0 2 1 2 3 1' material='r g'/>"
      "<flex name='l' dim='1' body='world' radius='.1' vertex='-1 5 1.5  0 5 1.5  1 5 1.5' "
      "element='0 1 1 2' material='r g'/></deformable></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  Stage s;
  set_up(&s);
  mjvGLCamera eye = s.scn.camera[0];
  mjvOption option;
  mjvCamera camera;
  mjv_defaultOption(&option);
  mjv_defaultCamera(&camera);
  mjv_makeScene(m, &s.scn, 100);
  mjr_freeContext(&s.con);
  mjr_makeContext(m, &s.con, 100);
  mjr_setBuffer(mjFB_OFFSCREEN, &s.con);
  mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &s.scn);
  s.scn.camera[0] = s.scn.camera[1] = eye;
  draw(&s);
  int line = (int)((0.5 + 0.5 * 1.5 / 2.5) * HEIGHT);
  for (int i = 0; i < 2; i++) {
    int x = i ? WIDTH / 2 + 5 : WIDTH / 2 - 6;
    assert_true(is_color(pixel(&s, x, HEIGHT / 2), i ? 0 : 255, i ? 255 : 0, 0));
    assert_true(is_color(pixel(&s, x, line), i ? 0 : 255, i ? 255 : 0, 0));
  }
  tear_down(&s);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_go_up),
      cmocka_unit_test(depth_is_the_distance_along_the_view),
      cmocka_unit_test(segments_are_numbers),
      cmocka_unit_test(scenes_are_marked),
      cmocka_unit_test(transparent_shapes_are_drawn_from_both_sides),
      cmocka_unit_test(walls_reflect_light),
      cmocka_unit_test(wires_are_the_sides_of_polygons),
      cmocka_unit_test(eyes_stand_side_by_side),
      cmocka_unit_test(borders_lie_inside),
      cmocka_unit_test(mirrors_show_what_is_above),
      cmocka_unit_test(pixels_come_back_as_they_were_written),
      cmocka_unit_test(texts_are_drawn),
      cmocka_unit_test(figures_say_where_they_are),
      cmocka_unit_test(auxiliary_buffers_are_copied),
      cmocka_unit_test(points_find_their_rectangle),
      cmocka_unit_test(hostile_scenes_are_drawn),
      cmocka_unit_test(depths_alone_have_no_colors),
      cmocka_unit_test(shapes_may_cast_no_shadow),
      cmocka_unit_test(textures_belong_to_shapes),
      cmocka_unit_test(elements_of_flexes_have_their_materials),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

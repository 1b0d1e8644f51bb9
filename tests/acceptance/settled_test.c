// Things that fall on a table and come to rest, in the reference: at states on the way both engines
// find the same contacts, in the same order, of meshes that are boxes, prisms, wheels, hammers and
// robots, and of cylinders and boxes beside them. Faces are nearly parallel all the time there, so
// rounding may decide; where the contacts differ, the reference must jump as far by itself when the
// pose is moved by 1e-13, and that happens to few pairs.
//
// CONDYLE_SCENES is how many scenes fall with each set of flags, CONDYLE_SEED the first one.

#include "support/bridge.h"
#include "support/draw.h"
#include "support/text.h"
#include "support/zoo.h"

enum {
  SCENES = 8,
  BODIES = 8,
  STEPS = 300,
  LOOK = 10,   // steps between two looks
  NUDGES = 16  // of a pose where contacts differ
};

static const double TOLERANCE = 1e-7;  // m, of things of 0.1 m
static const double NUDGE = 1e-13;     // m, and of quaternions
static const double FEW = 5e-4;        // share of pairs, beside one, that rounding may decide

// scenes

static void add_box(Text* t, double x, double y, double z) {
  for (int i = 0; i < 8; i++) {
    text_add(t, "%.9g %.9g %.9g ", i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
  }
}

// The hull of a polygon of n corners and its copy, at z = -h and h.
static void add_extruded(Text* t, int n, const double (*corner)[2], double h) {
  for (int i = 0; i < 2 * n; i++) {
    text_add(t, "%.9g %.9g %.9g ", corner[i / 2][0], corner[i / 2][1], i % 2 ? h : -h);
  }
}

static void mesh_box(Text* t, const char* name, double x, double y, double z) {
  text_add(t, "<mesh name='%s' vertex='", name);
  add_box(t, x, y, z);
  text_add(t, "'/>");
}

static void mesh_prism(Text* t, const char* name, int n, double radius, double h, double uneven) {
  double corner[64][2];
  for (int i = 0; i < n; i++) {
    double a = 2 * mjPI / n * (i + uneven * real(-0.4, 0.4));
    corner[i][0] = radius * cos(a);
    corner[i][1] = radius * sin(a);
  }
  text_add(t, "<mesh name='%s' vertex='", name);
  add_extruded(t, n, corner, h);
  text_add(t, "'/>");
}

static const char* const meshes[] = {"cube",    "brick",   "box",     "triangle", "pentagon",
                                     "hexagon", "octagon", "wheel16", "wheel32",  "wheel64",
                                     "ell",     "hammer",  "ball",    "cone"};

static void write_assets(Text* t) {
  static const double ell[6][2] = {{0, 0}, {.2, 0}, {.2, .06}, {.06, .06}, {.06, .2}, {0, .2}};
  text_add(t, "<asset>");
  mesh_box(t, "slab", .6, .5, .03);
  mesh_prism(t, "disc", 24, .6, .03, 0);
  mesh_box(t, "cube", .1, .1, .1);
  mesh_box(t, "brick", .1, .05, .03);
  mesh_box(t, "box", real(.03, .15), real(.03, .15), real(.03, .15));
  mesh_prism(t, "triangle", 3, .1, .06, 1);
  mesh_prism(t, "pentagon", 5, .1, .04, 1);
  mesh_prism(t, "hexagon", 6, .1, .05, 0);
  mesh_prism(t, "octagon", 8, .08, .05, 1);
  mesh_prism(t, "wheel16", 16, .1, .03, 0);
  mesh_prism(t, "wheel32", 32, .1, .03, 0);
  mesh_prism(t, "wheel64", 64, .12, .02, 0);
  text_add(t, "<mesh name='ell' vertex='");
  add_extruded(t, 6, ell, .03);
  text_add(t, "'/><mesh name='hammer' vertex='");
  for (int i = 0; i < 16; i++) {
    text_add(t, "%g %.9g %.9g ", i % 2 ? .25 : 0, .015 * cos(i / 2 * mjPI / 4),
             .015 * sin(i / 2 * mjPI / 4));
  }
  for (int i = 0; i < 8; i++) {
    text_add(t, "%g %g %g ", i & 1 ? .28 : .25, i & 2 ? .08 : -.08, i & 4 ? .025 : -.025);
  }
  text_add(t,
           "'/><mesh name='ball' builtin='sphere' params='1' scale='.08 .08 .08'/>"
           "<mesh name='cone' builtin='cone' params='12 .4' scale='.08 .08 .1'/></asset>");
}

static void write_ground(Text* t) {
  static const char* const tables[] = {
      "", "<geom type='box' size='.6 .6 .05' pos='0 0 -.05'/>",
      "<geom type='mesh' mesh='slab' pos='0 0 -.03'/>",
      "<geom type='mesh' mesh='slab' pos='0 0 -.03' euler='0 0 20'/>",
      "<geom type='mesh' mesh='disc' pos='0 0 -.03'/>"};
  int table = whole(5);
  text_add(t, "<geom type='plane' size='3 3 1' pos='0 0 %g'/>%s", table ? -0.8 : 0, tables[table]);
}

// Along the axes of the world, turned about one, or any way.
static void write_turn(Text* t) {
  int how = whole(3);
  text_add(t, " euler='%.4f %.4f %.4f'", how == 2 ? real(-180, 180) : 90 * whole(4),
           how == 2 ? real(-180, 180) : 90 * whole(4), how ? real(-180, 180) : 90 * whole(4));
}

static void write_parts(Text* t) {
  switch (whole(10)) {
    case 0:
      text_add(t, "<geom type='box' size='%.3f %.3f %.3f'/>", real(.03, .15), real(.03, .15),
               real(.03, .15));
      break;
    case 1:
      text_add(t, "<geom type='cylinder' size='%.3f %.3f'/>", real(.03, .12), real(.02, .12));
      break;
    case 2:
      text_add(t,
               "<geom type='%s' size='.015 .1' euler='0 90 0'/><geom type='box' "
               "size='.03 .08 .025' pos='.12 0 0'/>",
               whole(2) ? "cylinder" : "capsule");
      break;
    case 3:
      text_add(t, "<geom type='mesh' mesh='brick'/>");
      for (int i = 0; i < 4; i++) {
        text_add(t,
                 "<body pos='%g %g 0' euler='90 0 0'><joint axis='0 0 1' damping='.01'/>"
                 "<geom type='mesh' mesh='wheel32'/></body>",
                 i & 1 ? .12 : -.12, i & 2 ? .1 : -.1);
      }
      text_add(t,
               "<body pos='0 0 .1'><joint axis='0 1 0' damping='.1'/><geom type='mesh' mesh='ell'/>"
               "<body pos='.2 0 .05'><joint axis='0 0 1' damping='.1'/><geom type='mesh' "
               "mesh='brick'/></body></body>");
      break;
    default:
      text_add(t, "<geom type='mesh' mesh='%s'/>",
               meshes[whole((int)(sizeof meshes / sizeof *meshes))]);
  }
}

static void write_scene(Text* t, const char* flags) {
  t->length = 0;
  text_add(t, "<mujoco><option><flag %s/></option>", flags);
  write_assets(t);
  text_add(t, "<worldbody>");
  write_ground(t);
  for (int i = 0; i < BODIES; i++) {
    text_add(t, "<body pos='%.3f %.3f %.3f'", real(-.3, .3), real(-.3, .3), .15 + .12 * i);
    write_turn(t);
    text_add(t, "><freejoint/>");
    write_parts(t);
    text_add(t, "</body>");
  }
  text_add(t, "</worldbody></mujoco>");
}

// contacts

// Contacts of one pair of geoms, which follow one another.
typedef struct Touch {
  mjContact con[mjMAXCONPAIR];
  int num;
} Touch;

static void find_touch(Touch* touch, const mjData* d, const int geom[2]) {
  touch->num = 0;
  for (int i = 0; i < d->ncon; i++) {
    if (d->contact[i].geom[0] == geom[0] && d->contact[i].geom[1] == geom[1]) {
      touch->con[touch->num++] = d->contact[i];
    }
  }
}

static int is_same(const Touch* a, const Touch* b) {
  double worst = a->num == b->num ? 0 : INFINITY;
  for (int i = 0; i < a->num && a->num == b->num; i++) {
    const mjContact *p = a->con + i, *q = b->con + i;
    worst = fmax(worst, fabs((double)(p->dist - q->dist)));
    for (int k = 0; k < 3; k++) {
      worst = fmax(worst, fabs((double)(p->pos[k] - q->pos[k])));
      worst = fmax(worst, fabs((double)(p->frame[k] - q->frame[k])) / 10);
    }
  }
  return worst <= TOLERANCE;
}

// A scene of both engines: each has compiled it by itself.
typedef struct Scene {
  Bridge* b;
  mjModel* m;
  mjData* d;
  int number;
  long same, jumps, wrong;
} Scene;

// Whether the reference finds other contacts of two geoms when everything is moved by next to
// nothing.
static int reference_jumps(Scene* s, const int geom[2], const Touch* theirs) {
  const int nq = (int)s->m->nq;
  mjData* d = s->b->d;
  mjtNum* qpos = calloc((size_t)nq, sizeof *qpos);
  mju_copy(qpos, d->qpos, nq);
  int jumps = 0;
  for (int i = 0; i < NUDGES && !jumps; i++) {
    Touch moved;
    for (int k = 0; k < nq; k++) {
      d->qpos[k] = qpos[k] + (mjtNum)(NUDGE * real(-1, 1));
    }
    bridge_push(s->b, "qpos");
    bridge_run(s->b, "mj_fwdPosition");
    bridge_pull(s->b, NULL);
    find_touch(&moved, d, geom);
    jumps = !is_same(&moved, theirs);
  }
  mju_copy(d->qpos, qpos, nq);
  bridge_push(s->b, "qpos");
  bridge_run(s->b, "mj_forward");
  bridge_pull(s->b, NULL);
  free(qpos);
  return jumps;
}

static void print_touch(const char* whose, const Touch* t) {
  for (int i = 0; i < t->num; i++) {
    const mjContact* c = t->con + i;
    print_error("  %s: at %.10f %.10f %.10f, normal %.8f %.8f %.8f, distance %.12g\n", whose,
                (double)c->pos[0], (double)c->pos[1], (double)c->pos[2], (double)c->frame[0],
                (double)c->frame[1], (double)c->frame[2], (double)c->dist);
  }
}

static void compare_pair(Scene* s, const int geom[2]) {
  Touch ours, theirs;
  find_touch(&ours, s->d, geom);
  find_touch(&theirs, s->b->d, geom);
  if (is_same(&ours, &theirs)) {
    s->same++;
  } else if (reference_jumps(s, geom, &theirs)) {
    s->jumps++;
  } else if (s->wrong++ < 3) {
    print_error("scene %d, time %.3f, geoms %d and %d:\n", s->number, (double)s->d->time, geom[0],
                geom[1]);
    print_touch("ours", &ours);
    print_touch("theirs", &theirs);
  }
}

// All pairs that touch in either engine.
static void compare_contacts(Scene* s) {
  const int pairs = (int)(s->m->ngeom * s->m->ngeom);
  char* seen = calloc((size_t)pairs, 1);
  for (int side = 0; side < 2; side++) {
    const mjData* d = side ? s->d : s->b->d;
    for (int i = 0; i < d->ncon; i++) {
      const int geom[2] = {d->contact[i].geom[0], d->contact[i].geom[1]};
      char* mark = seen + geom[0] * s->m->ngeom + geom[1];
      if (!*mark) {
        *mark = 1;
        compare_pair(s, geom);
      }
    }
  }
  free(seen);
}

static void let_fall(Scene* s) {
  mjData *d = s->d, *other = s->b->d;
  for (int i = 0; i <= STEPS; i++) {
    if (i % LOOK == 0) {
      bridge_run(s->b, "mj_forward");
      bridge_pull(s->b, NULL);
      mju_copy(d->qpos, other->qpos, (int)s->m->nq);
      mju_copy(d->qvel, other->qvel, (int)s->m->nv);
      d->time = other->time;
      mj_forward(s->m, d);
      compare_contacts(s);
    }
    bridge_run(s->b, "mj_step");
  }
}

static void compare_falls(const char* flags) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  Text t = {0};
  int scenes = (int)test_setting("CONDYLE_SCENES", SCENES);
  int first = (int)test_setting("CONDYLE_SEED", 0);
  Scene s = {0};
  for (int i = first; i < first + scenes; i++) {
    draw_scene(i);
    write_scene(&t, flags);
    s.number = i;
    s.b = bridge_load_text(t.text);
    assert_non_null(s.b);
    s.m = test_model(t.text);
    s.d = mj_makeData(s.m);
    let_fall(&s);
    mj_deleteData(s.d);
    test_release(s.m);
    bridge_free(s.b);
  }
  free(t.text);
  print_message("%s: %ld pairs alike, %ld decided by rounding, %ld wrong\n", flags, s.same, s.jumps,
                s.wrong);
  assert_int_equal(s.wrong, 0);
  assert_that((double)s.jumps, <=, 1 + FEW * (double)s.same);
}

TEST(falling_things_touch_as_in_the_reference) {
  compare_falls("multiccd='disable'");
}

TEST(falling_things_touch_as_in_the_reference_with_manifolds) {
  compare_falls("multiccd='enable'");
}

TEST(falling_things_touch_as_in_the_reference_by_the_legacy_search) {
  compare_falls("nativeccd='disable' multiccd='enable'");
}

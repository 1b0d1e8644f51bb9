// Contacts of flexes: where they are, whom they push, and that nothing is lost by trees.

#include "support/models.h"
#include "support/near.h"

// A sphere above the middle of a triangle, an edge, a corner: dist and normal of the nearest point.
TEST(a_sphere_touches_the_nearest_point_of_a_triangle) {
  static const struct {
    double pos[3], near[3];
  } cases[] = {{{0.2, 0.2, 0.25}, {0.2, 0.2, 0}},
               {{0.3, -0.1, 0.2}, {0.3, 0, 0}},
               {{-0.1, -0.15, 0.1}, {0, 0, 0}},
               {{0.6, 0.6, 0.1}, {0.5, 0.5, 0}}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[800];
    const double* p = cases[i].pos;
    snprintf(
        text, sizeof text,
        "<mujoco><worldbody><body pos='%g %g %g'><freejoint/><geom size='.3'/></body></worldbody>"
        "<deformable><flex dim='2' radius='.01' body='world' vertex='0 0 0 1 0 0 0 1 0' element='0 "
        "1 2'/>"
        "</deformable></mujoco>",
        p[0], p[1], p[2]);
    mjModel* m = test_model(text);
    mjData* d = test_data(m);
    mj_forward(m, d);
    double gap[3], length = 0;
    for (int k = 0; k < 3; k++) {
      gap[k] = cases[i].near[k] - p[k];
      length += gap[k] * gap[k];
    }
    length = sqrt(length);
    assert_int_equal(d->ncon, 1);
    assert_near(d->contact[0].dist, length - 0.3 - 0.01, 1e-12);
    for (int k = 0; k < 3; k++) {
      assert_near(d->contact[0].frame[k], gap[k] / length, 1e-12);
    }
    assert_int_equal(d->contact[0].geom[0], 0);
    assert_int_equal(d->contact[0].flex[1], 0);
    assert_int_equal(d->contact[0].elem[1], 0);
    test_release(m);
  }
}

// A cloth falls on a sphere and a floor: what holds it up in the end is its weight.
TEST(a_cloth_at_rest_weighs_what_it_weighs) {
  mjModel* m = test_model(
      "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='2 2 .1'/>"
      "<flexcomp name='f' type='grid' count='4 4 1' spacing='.1 .1 .1' pos='0 0 .012' radius='.01' "
      "mass='.8'>"
      "<edge equality='true' damping='.1'/></flexcomp></worldbody></mujoco>");
  mjData* d = test_data(m);
  for (int i = 0; i < 1500; i++) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  double up = 0;
  for (int i = 0; i < m->nv / 3; i++) {
    up += d->qfrc_constraint[3 * i + 2];
    assert_near(d->flexvert_xpos[3 * i + 2], 0.01, 2e-3);
  }
  assert_near(up, -0.8 * m->opt.gravity[2], 1e-3);
  assert_int_equal(d->ncon, 16);
}

static int compare_contacts(const void* a, const void* b) {
  const mjContact *x = a, *y = b;
  int keys[][2] = {{x->geom[0], y->geom[0]}, {x->flex[0], y->flex[0]}, {x->flex[1], y->flex[1]},
                   {x->elem[0], y->elem[0]}, {x->elem[1], y->elem[1]}, {x->vert[1], y->vert[1]}};
  for (int i = 0; i < 6; i++) {
    if (keys[i][0] != keys[i][1]) {
      return keys[i][0] < keys[i][1] ? -1 : 1;
    }
  }
  return 0;
}

// Trees of boxes, sweeping, and everything with everything find the same contacts.
TEST(all_ways_to_search_find_the_same) {
  static const char* const modes[] = {"narrow", "bvh", "sap", "narrow"};
  mjContact* first = NULL;
  int count = 0;
  for (int k = 0; k < 4; k++) {
    char text[2000];
    snprintf(text, sizeof text,
             "<mujoco><option><flag midphase='%s'/></option><worldbody><body><freejoint/><geom "
             "type='box' size='.1 "
             ".1 .1' pos='0 0 -.05'/><geom type='capsule' size='.05 .1' pos='.2 0 0'/></body>"
             "<flexcomp name='f' type='grid' count='9 3 1' spacing='.1 .1 .1' radius='.02' pos='.1 "
             "0 .06'>"
             "<contact selfcollide='%s'/></flexcomp><flexcomp name='g' type='ellipsoid' dim='3' "
             "count='4 4 4' "
             "spacing='.1 .1 .1' radius='.01' pos='.4 0 .1'><contact selfcollide='%s' "
             "activelayers='9'/></flexcomp>"
             "</worldbody></mujoco>",
             k == 3 ? "disable" : "enable", modes[k], modes[k]);
    mjModel* m = test_model(text);
    mjData* d = test_data(m);
    for (int v = 0; v < 27; v++) {  // folded in the middle
      int row = v / 3;
      if (row > 4) {
        d->qpos[7 + 3 * v] = -0.2 * (row - 4);
        d->qpos[7 + 3 * v + 2] = 0.03;
      }
    }
    mj_forward(m, d);
    for (int i = 0; i < d->ncon; i++) {  // which of two elements comes first is free
      mjContact* c = d->contact + i;
      if (c->flex[0] == c->flex[1] && c->elem[0] > c->elem[1]) {
        int elem = c->elem[0];
        c->elem[0] = c->elem[1];
        c->elem[1] = elem;
      }
    }
    qsort(d->contact, d->ncon, sizeof(mjContact), compare_contacts);
    if (!k) {
      count = d->ncon;
      first = malloc(count * sizeof(mjContact));
      memcpy(first, d->contact, count * sizeof(mjContact));
      assert_that(count, >, 30);
    }
    assert_int_equal(d->ncon, count);
    for (int i = 0; i < count; i++) {
      assert_int_equal(compare_contacts(first + i, d->contact + i), 0);
    }
    test_release(m);
  }
  free(first);
}

static int same_contact(const mjContact* x, const mjContact* y, double tolerance) {
  return !memcmp(x->geom, y->geom, sizeof(x->geom)) && !memcmp(x->flex, y->flex, sizeof(x->flex)) &&
         !memcmp(x->elem, y->elem, sizeof(x->elem)) && !memcmp(x->vert, y->vert, sizeof(x->vert)) &&
         fabs(x->dist - y->dist) < tolerance && mju_dist3(x->pos, y->pos) < tolerance &&
         mju_dist3(x->frame, y->frame) < tolerance;
}

// The reference reads numbers on its stack that it never wrote where flexes meet height fields: now
// they are 0.
static void clear_stack(void) {
  volatile char room[1 << 17];
  for (size_t i = 0; i < sizeof room; i++) {
    room[i] = 0;
  }
}

// Contacts of ours and of the reference in the same state: the same in the same order. Returns how
// many; *differ: of ours and of the reference's, those that the other doesn't have.
static int same_flex_contacts(int* differ, Bridge* b, double tolerance) {
  bridge_push(b, "qpos");
  clear_stack();
  bridge_run(b, "mj_fwdPosition");
  bridge_pull(b, NULL);
  int num = b->d->ncon, same = 0;
  mjContact* reference = malloc((size_t)(num + 1) * sizeof(mjContact));
  assert_non_null(reference);
  memcpy(reference, b->d->contact, (size_t)num * sizeof(mjContact));
  mj_fwdPosition(b->m, b->d);
  for (int i = 0, next = 0; i < b->d->ncon; i++) {
    int k = next;
    while (k < num && !same_contact(b->d->contact + i, reference + k, tolerance)) {
      k++;
    }
    if (k < num) {
      same++;
      next = k + 1;
    }
  }
  *differ = b->d->ncon + num - 2 * same;
  free(reference);
  return num;
}

#define CRUMPLED(mode)                                                                       \
  "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='f' type='grid' count='18 14 " \
  "1' spacing='.1 .1 .1' radius='.02'><contact selfcollide='" mode                           \
  "'/><edge damping='1'/>"                                                                   \
  "</flexcomp></worldbody></mujoco>"

// Folds a sheet along a line that is none of its own, with waves so that the halves cut each other
// here and there.
static void crumple(mjtNum* qpos, const mjModel* m) {
  for (int v = 0; v < m->nflexvert; v++) {
    const mjtNum* at = m->body_pos + 3 * m->flex_vertbodyid[v];
    mjtNum across = mju_abs(at[1] + (mjtNum)0.1 * at[0] + (mjtNum)0.03);
    qpos[3 * v + 1] = across - at[1];
    qpos[3 * v + 2] = (at[1] > 0 ? (mjtNum)0.03 : 0) +
                      (mjtNum)0.03 * mju_sin(7 * at[0] + 5 * at[1]) +
                      (mjtNum)0.004 * (mjtNum)(v % 3);
  }
}

// The sweep is along x and in bands across: no pair is lost where boxes lie in two of them, none
// comes twice, and they come in the order in which boxes begin along x.
TEST(a_wide_cloth_meets_itself_as_if_in_one_band) {
  static const char* const text[] = {CRUMPLED("sap"), CRUMPLED("narrow")};
  mjContact* list[2];
  int count[2];
  for (int k = 0; k < 2; k++) {
    mjModel* m = test_model(text[k]);
    mjData* d = test_data(m);
    crumple(d->qpos, m);
    mj_fwdPosition(m, d);
    count[k] = d->ncon;
    list[k] = malloc((size_t)d->ncon * sizeof(mjContact) + 1);
    for (int i = 0; i < d->ncon; i++) {
      mjContact* c = list[k] + i;
      *c = d->contact[i];
      int low = c->elem[0] < c->elem[1] ? c->elem[0] : c->elem[1];
      c->elem[1] += c->elem[0] - low;
      c->elem[0] = low;
    }
    qsort(list[k], (size_t)count[k], sizeof(mjContact), compare_contacts);
    test_release(m);
  }
  assert_that(count[0], >, 100);
  assert_int_equal(count[0], count[1]);
  for (int i = 0; i < count[0]; i++) {
    assert_int_equal(compare_contacts(list[0] + i, list[1] + i), 0);
  }
  free(list[0]);
  free(list[1]);
}

TEST(a_wide_cloth_meets_itself_in_the_references_order) {
  BRIDGE_OR_SKIP();
  Bridge* b = test_bridge(CRUMPLED("sap"));
  crumple(b->d->qpos, b->m);
  int differ;
  assert_that(same_flex_contacts(&differ, b, 1e-9), >, 100);
  assert_int_equal(differ, 0);
}

// Ropes, sheets and solids on hills. The reference's acceleration there is not that of its own
// step, so what is held against it are the contacts.
#define HILLS(flex)                                                                               \
  "<mujoco><asset><hfield name='h' nrow='5' ncol='6' size='.5 .4 .2 .1' elevation='0 .2 .4 .3 "   \
  ".1 .6 .2 .5 .9 .4 .2 .1 .3 .6 .5 .3 .2 .7 .3 .1 .2 .4 .8 .2 .5 .1 .3 .2 .6 .4'/></asset>"      \
  "<worldbody><geom type='hfield' hfield='h' margin='.01'/><flexcomp name='f' radius='.02' " flex \
  "</worldbody></mujoco>"

TEST(flexes_touch_height_fields_where_the_reference_says) {
  BRIDGE_OR_SKIP();
  static const char* const text[] = {
      HILLS("type='grid' count='9 1 1' spacing='.09 .1 .1' dim='1' pos='.02 .03 .12'>"
            "<contact selfcollide='none'/></flexcomp>"),
      HILLS("type='grid' count='7 6 1' spacing='.1 .1 .1' pos='.01 .02 .12'>"
            "<contact selfcollide='none'/></flexcomp>"),
      HILLS("type='grid' dim='3' count='3 3 2' spacing='.15 .15 .1' pos='.01 .02 .14'>"
            "<contact selfcollide='none'/></flexcomp>"),
  };
  for (int k = 0; k < 3; k++) {
    Bridge* b = test_bridge(text[k]);
    int most = 0;
    for (unsigned int seed = 1; seed < 9; seed++) {
      bridge_random(b, seed, 0.01 * seed);
      int differ, num = same_flex_contacts(&differ, b, 1e-9);
      most = num > most ? num : most;
      assert_int_equal(differ, 0);
    }
    assert_that(most, >=, 8);
    test_release(b);
  }
}

// On a height field without hills every element under the surface has a contact as on a floor:
// straight up, a radius deeper than its lowest vertex.
TEST(a_flat_height_field_is_a_floor) {
  mjModel* m = test_model(
      "<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 .1 "
      ".1'/></asset><worldbody><geom "
      "type='hfield' hfield='h'/><flexcomp name='f' type='grid' count='4 4 1' spacing='.1 .1 .1' "
      "pos='.02 .03 0' radius='.01'><contact selfcollide='none'/></flexcomp></worldbody></mujoco>");
  mjData* d = test_data(m);
  double deepest[18] = {0};
  assert_int_equal(m->nflexelem, 18);
  for (int v = 0; v < m->nflexvert; v++) {
    d->qpos[3 * v + 2] = (mjtNum)(v / 4 < 2 ? -0.004 : 0.03);  // two rows under, two above
  }
  mj_fwdPosition(m, d);
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* c = d->contact + i;
    if (c->dist < deepest[c->elem[1]] && c->frame[2] > 1 - 1e-6) {
      deepest[c->elem[1]] = c->dist;
    }
  }
  for (int e = 0; e < 18; e++) {
    const int* v = m->flex_elem + 3 * e;
    int under = v[0] / 4 < 2 || v[1] / 4 < 2 || v[2] / 4 < 2;
    assert_near(deepest[e], under ? -0.014 : 0, 1e-6);
  }
}

#define GRASPED(jacobian)                                                                         \
  "<mujoco><option jacobian='" jacobian                                                           \
  "' cone='elliptic'/><worldbody><flexcomp name='f' dim='3' "                                     \
  "type='grid' count='3 3 3' spacing='.1 .1 .1' radius='.005'><contact selfcollide='none'/>"      \
  "<edge damping='1'/></flexcomp><body pos='.01 .02 .14'><freejoint/><geom type='box' "           \
  "size='.06 .07 .05' euler='5 8 20' condim='6' priority='1'/></body><body pos='-.15 .01 .02'>"   \
  "<freejoint/><geom type='capsule' size='.055 .03' condim='4' priority='1'/></body></worldbody>" \
  "</mujoco>"

// Rows of torsion and rolling of contacts on elements, too: sparse ones are the dense ones, which
// are the reference's. (Its sparse ones are not.)
TEST(rows_on_elements_are_the_same_sparse_and_dense) {
  mjModel* m[2] = {test_model(GRASPED("dense")), test_model(GRASPED("sparse"))};
  mjData* d[2];
  for (int k = 0; k < 2; k++) {
    d[k] = mj_makeData(m[k]);
    mj_fwdPosition(m[k], d[k]);
  }
  int nv = m[0]->nv, nefc = d[0]->nefc, turning = 0;
  assert_that(nefc, >, 30);
  assert_int_equal(d[1]->nefc, nefc);
  mjtNum* row = malloc((size_t)nv * sizeof(mjtNum));
  assert_non_null(row);
  for (int i = 0; i < nefc; i++) {
    memset(row, 0, (size_t)nv * sizeof(mjtNum));
    for (int k = 0; k < d[1]->efc_J_rownnz[i]; k++) {
      int entry = d[1]->efc_J_rowadr[i] + k;
      row[d[1]->efc_J_colind[entry]] = d[1]->efc_J[entry];
    }
    assert_numbers(row, d[0]->efc_J + (size_t)i * (size_t)nv, nv, 1e-12, 1);
  }
  for (int i = 0; i < d[0]->ncon; i++) {
    turning += d[0]->contact[i].dim > 3;
  }
  assert_that(turning, >, 4);
  free(row);
  for (int k = 0; k < 2; k++) {
    mj_deleteData(d[k]);
    test_release(m[k]);
  }

  BRIDGE_OR_SKIP();
  Bridge* b = test_bridge(GRASPED("dense"));
  bridge_run(b, "mj_fwdPosition");
  mj_fwdPosition(b->m, b->d);
  assert_int_equal(bridge_compare(b, "nefc efc_J efc_pos efc_D", 1e-9), 0);
}

// No rows, but forces of 10^4 N/m times the depth.
TEST(a_passive_contact_is_a_spring) {
  mjModel* m = test_model(
      "<mujoco><option gravity='0 0 0'/><worldbody><geom type='plane' size='2 2 .1'/>"
      "<flexcomp name='f' type='grid' count='2 2 1' spacing='.1 .1 .1' pos='0 0 .008' radius='.01'>"
      "<contact passive='true' selfcollide='none'/></flexcomp></worldbody></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(d->ncon, 4);
  assert_int_equal(d->nefc, 0);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(d->contact[i].exclude, 4);
    assert_near(d->qfrc_passive[3 * i + 2], 1e4 * 0.002, 1e-6);
  }
}

// A box from minus infinity to a number that is none: the sweep comes to its end, by which it
// leaves, first.
TEST(a_sweep_survives_boxes_that_overflow) {
  mjModel* m = test_model(CRUMPLED("sap"));
  mjData* d = test_data(m);
  for (int axis = 0; axis < 3; axis++) {
    mj_resetData(m, d);
    crumple(d->qpos, m);
    mj_fwdPosition(m, d);
    int count = d->ncon;
    d->qpos[3 * 40 + axis] = (mjtNum)-INFINITY;
    mj_fwdPosition(m, d);
    assert_that(d->ncon, >, count / 2);  // those of other elements
  }
}

#define BOX_ON_TRIANGLE(dialect, pose)                                                           \
  "<mujoco><compiler dialect='" dialect "'/><worldbody><body " pose                              \
  "><freejoint/><geom type='box' size='.1 .2 .3'/></body></worldbody><deformable><flex dim='2' " \
  "radius='.01' body='world' vertex='-1 -1 0 1 -1 0 0 1 0' element='0 1 "                        \
  "2'/></deformable></mujoco>"

// Numbers of 4.0.0: by the later rule a box touches a triangle by its corners, however its edges
// lie, and a corner of the triangle is beyond the face that is furthest along its own normal.
TEST(a_box_touches_a_triangle_by_corners) {
  mjModel* m = test_model(BOX_ON_TRIANGLE("4.0", "pos='0 -.4 .305'"));
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(d->ncon, 4);
  for (int i = 0; i < 4; i++) {
    const mjtNum pos[3] = {i & 1 ? .1 : -.1, i & 2 ? -.2 : -.6, .0075};
    assert_near(d->contact[i].dist, -.005, 1e-12);
    for (int k = 0; k < 3; k++) {
      assert_near(d->contact[i].pos[k], pos[k], 1e-12);
    }
    assert_near(d->contact[i].frame[2], -1, 1e-12);
  }
  // an edge alone
  m = test_model(BOX_ON_TRIANGLE("4.0", "pos='0 .8293 .35' euler='45 0 0'"));
  d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(d->ncon, 0);
  // beside an edge of the box: its face x, though the edge is nearer
  m = test_model(BOX_ON_TRIANGLE("4.0", "pos='1.105 -1.202 .1'"));
  d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(d->ncon, 1);
  assert_near(d->contact[0].dist, -.005, 1e-12);
  assert_near(d->contact[0].frame[0], -1, 1e-12);
  // by the earlier rule the edge counts
  m = test_model(BOX_ON_TRIANGLE("3.3", "pos='0 .8293 .35' euler='45 0 0'"));
  d = test_data(m);
  mj_forward(m, d);
  assert_that(d->ncon, >, 0);
}

// Quaternions of a state count by their direction alone: of any length and of length one they
// give the same step, bit for bit, in random models with all that reads quaternions.

#include "condyle/derivative.h"
#include "support/bridge.h"
#include "support/draw.h"
#include "support/text.h"
#include "support/zoo.h"

enum {
  MODELS = 12,  // four of each law of contact, with different integrators,
  STATES = 2,
  STEPS = 3
};

static void add_shape(Text* t) {
  text_add(t, "<geom type='%s' size='.06 .1 .08' pos='%.3f %.3f .05' fluidshape='%s' condim='%d'/>",
           whole(2) ? "box" : "capsule", real(0, 0.1), real(0, 0.1),
           whole(2) ? "ellipsoid" : "none", whole(2) ? 3 : 6);
}

// Trees on a plane with every other joint a ball, that have springs, limits, sensors and actuators.
static void write_model(Text* t, int trees, int cable, const char* contact) {
  static const char* const kinds[] = {"motor", "position", "velocity"};
  static const char* const sensors[] = {"ballquat", "ballangvel"};
  enum {
    LINKS = 4
  };
  t->length = 0;
  text_add(t,
           "<mujoco><option timestep='.0005' density='10' viscosity='.1' wind='1 0 0'><flag "
           "energy='enable'/></option><custom><text name='condyle.contact' "
           "data='%s'/></custom><extension><plugin plugin='mujoco.elasticity.cable'/>"
           "</extension><worldbody><geom type='plane' size='5 5 1'/>"
           "<body name='hand' mocap='true' pos='0 0 2'><geom size='.05' contype='0'/></body>",
           contact);
  if (cable) {
    text_add(t,
             "<composite type='cable' curve='s' count='6 1 1' size='1' offset='0 3 1' initial='%s'>"
             "<plugin plugin='mujoco.elasticity.cable'><config key='twist' value='1e3'/>"
             "<config key='bend' value='4e3'/></plugin><joint kind='main' damping='.01'/>"
             "<geom type='capsule' size='.01' density='1000'/></composite>",
             whole(2) ? "ball" : "free");
  }
  for (int i = 0; i < trees; i++) {
    text_add(t, "<body name='root%d' pos='%d %.3f %.3f' gravcomp='%.2f'>", i, i, real(-0.1, 0.1),
             real(0.05, 0.3), real(0, 1));
    text_add(t, "<joint name='free%d' type='free' stiffness='%.2f' damping='%.2f'/>", i,
             whole(2) ? real(1, 9) : 0, real(0, 1));
    add_shape(t);
    text_add(t, "<site name='root%d' euler='10 20 30'/><camera mode='trackcom'/>", i);
    for (int k = 0; k < LINKS; k++) {
      text_add(t, "<body name='link%d%d' pos='.2 .1 0' quat='%.3f %.3f %.3f %.3f'>", i, k,
               real(0.2, 1), real(-1, 1), real(-1, 1), real(-1, 1));
      if (k % 2) {
        text_add(t, "<joint name='hinge%d%d' axis='1 2 %.3f' springref='%.1f' stiffness='2'/>", i,
                 k, real(-1, 1), real(-30, 30));
      } else {
        text_add(t,
                 "<joint name='ball%d%d' type='ball' pos='.01 0 .02' stiffness='%.2f' damping='.1' "
                 "frictionloss='%.2f' limited='%s' range='0 %.1f'/>",
                 i, k, whole(3) ? real(1, 20) : 0, whole(2) ? 0.1 : 0, whole(2) ? "true" : "false",
                 real(20, 90));
      }
      add_shape(t);
      text_add(t, "<site name='link%d%d' pos='0 0 .1' euler='40 20 30'/>", i, k);
    }
    for (int k = 0; k < LINKS + 1; k++) {
      text_add(t, "</body>");
    }
  }
  text_add(t, "</worldbody><tendon>");
  for (int i = 0; i < trees; i++) {
    text_add(t,
             "<spatial stiffness='3' damping='.2'><site site='root%d'/><site site='link%d3'/>"
             "</spatial><fixed stiffness='3'><joint joint='hinge%d1' coef='2'/></fixed>",
             i, i, i);
  }
  text_add(t, "</tendon><equality><weld body1='hand' body2='root0' relpose='0 0 1 1 .2 0 0'/>");
  for (int i = 0; i < trees; i++) {
    text_add(t,
             "<weld site1='link%d3' site2='root%d'/><connect body1='link%d2' body2='hand' "
             "anchor='.1 0 0'/><joint joint1='hinge%d1' joint2='hinge%d3'/>",
             i, i, i, i, i);
  }
  text_add(t, "</equality><actuator>");
  for (int i = 0; i < trees; i++) {
    text_add(
        t,
        "<%s name='turn%d' joint='ball%d0' gear='1 2 3'/><%s jointinparent='ball%d2' gear='3 1 2'/>"
        "<motor jointinparent='free%d' gear='1 2 3 4 5 6'/><motor joint='free%d' gear='1 2 1'/>"
        "<position site='link%d2' refsite='root%d' gear='1 2 3 .4 .5 .6' kp='2'/>",
        kinds[whole(3)], i, i, kinds[whole(3)], i, i, i, i, i);
  }
  text_add(t, "</actuator><sensor><e_potential/><e_kinetic/>");
  for (int i = 0; i < trees; i++) {
    text_add(t,
             "<%s joint='ball%d0'/><ballquat joint='ball%d2'/><framequat objtype='site' "
             "objname='link%d3' reftype='body' refname='root%d'/><gyro site='link%d2'/><force "
             "site='link%d1'/><accelerometer site='root%d'/><subtreeangmom body='root%d'/>"
             "<actuatorpos actuator='turn%d'/><touch site='root%d'/>",
             sensors[whole(2)], i, i, i, i, i, i, i, i, i, i);
  }
  text_add(t, "</sensor></mujoco>");
}

static mjtNum* quaternion(const mjModel* m, mjtNum* qpos, int joint) {
  int type = m->jnt_type[joint];
  return type == mjJNT_FREE   ? qpos + m->jnt_qposadr[joint] + 3
         : type == mjJNT_BALL ? qpos + m->jnt_qposadr[joint]
                              : NULL;
}

// The same state twice: with quaternions of any length, now and then of none, and with those
// normalised.
static void draw_states(const mjModel* m, mjData* any, mjData* unit) {
  zoo_randomize(m, any, (uint64_t)whole(1 << 30));
  for (int j = 0; j < m->njnt; j++) {
    mjtNum* q = quaternion(m, any->qpos, j);
    if (q) {
      mju_scl(q, q, (mjtNum)(whole(20) ? exp(real(-3, 3)) : 0), 4);
    }
  }
  mju_scl(any->mocap_quat, any->mocap_quat, (mjtNum)real(0.3, 3), 4);
  assert_non_null(mj_copyData(unit, m, any));
  mj_normalizeQuat(m, unit->qpos);
  mju_normalize4(unit->mocap_quat);
}

static const char kComputed[] =
    "time energy qpos qvel act act_dot qacc_warmstart qacc sensordata xpos xquat xmat xipos ximat "
    "xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos subtree_com cdof cinert crb M "
    "ten_length ten_J actuator_length actuator_moment ten_velocity actuator_velocity cvel cdof_dot "
    "qfrc_bias qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive subtree_angmom "
    "actuator_force qfrc_actuator qfrc_smooth qacc_smooth qfrc_constraint qfrc_inverse cacc "
    "cfrc_int cfrc_ext nefc ncon efc_type efc_pos efc_J efc_aref efc_vel efc_force";

// Whether everything that is computed of both states has the same bits.
static void compare(const mjModel* m, const mjData* any, const mjData* unit, const char* what) {
  if (bridge_compare_datas(m, any, unit, kComputed, 0)) {
    fail_msg("%s with quaternions of any length and of length one", what);
  }
}

static const char* const kContact[] = {"soft", "hard", "stick"};

typedef void (*Try)(const mjModel* m, mjData* any, mjData* unit);

static void in_random_models(Try try, int models, int trees) {
  Text t = {0};
  for (int i = 0; i < models; i++) {
    draw_scene(i);
    write_model(&t, trees, (i + i / 4) % 2, kContact[i / 4]);
    mjModel* m = test_model(t.text);
    m->opt.integrator = i % 4;
    mjData *any = mj_makeData(m), *unit = mj_makeData(m);
    for (int k = 0; k < STATES; k++) {
      draw_states(m, any, unit);
      try(m, any, unit);
    }
    mj_deleteData(any);
    mj_deleteData(unit);
    test_release(m);
  }
  free(t.text);
}

static void try_steps(const mjModel* m, mjData* any, mjData* unit) {
  for (int i = 0; i < STEPS; i++) {
    mj_step(m, any);
    mj_step(m, unit);
  }
  compare(m, any, unit, "steps");
}

TEST(steps_do_not_depend_on_lengths_of_quaternions) {
  in_random_models(try_steps, MODELS, 2);
}

// positions are not written; all the rest is the same
static void try_inverse(const mjModel* m, mjData* any, mjData* unit) {
  mjData* all[] = {any, unit};
  for (int i = 0; i < 2; i++) {
    mj_forward(m, all[i]);
    mj_rnePostConstraint(m, all[i]);
    mj_subtreeVel(m, all[i]);
    if (m->cnd_contact.mode != cndCONTACT_HARD) {
      mj_inverse(m, all[i]);
    }
  }
  mju_copy(any->qpos, unit->qpos, m->nq);
  compare(m, any, unit, "forward and inverse dynamics");
}

TEST(dynamics_does_not_depend_on_lengths_of_quaternions) {
  in_random_models(try_inverse, MODELS, 2);
}

static void try_derivatives(const mjModel* m, mjData* any, mjData* unit) {
  size_t nx = (size_t)(2 * m->nv + m->na), ny = nx + (size_t)m->nsensordata, nv = (size_t)m->nv;
  size_t size = ny * (nx + (size_t)m->nu), of_inverse = 3 * nv * (nv + ny);
  mjtNum* out = calloc(2 * (2 * size + of_inverse), sizeof *out);
  for (int i = 0; i < 2; i++) {
    mjData* d = i ? unit : any;
    mjtNum* at = out + (size_t)i * (2 * size + of_inverse);
    mj_forward(m, d);
    for (int exact = 0; exact < 2; exact++, at += size) {
      mjtNum *A = at, *B = A + nx * nx, *C = B + nx * (size_t)m->nu;
      mjtNum* D = C + (size_t)m->nsensordata * nx;
      if (!exact) {
        mjd_transitionFD(m, d, (mjtNum)1e-6, 1, A, B, C, D);
      } else if (!m->nplugin) {
        cnd_transitionExact(m, d, A, B, C, D);
      }
    }
    mj_forward(m, d);
    mjtNum* sense = at + 3 * nv * nv;
    if (m->opt.integrator != mjINT_RK4) {
      mjd_inverseFD(m, d, (mjtNum)1e-6, 1, at, at + nv * nv, at + 2 * nv * nv, sense,
                    sense + nv * (size_t)m->nsensordata, sense + 2 * nv * (size_t)m->nsensordata,
                    NULL);
    }
  }
  for (size_t k = 0; k < 2 * size + of_inverse; k++) {
    mjtNum a = out[k], b = out[k + 2 * size + of_inverse];
    if (!(a == b)) {
      fail_msg("number %zu of the derivatives: %.17g, of length one %.17g", k, (double)a,
               (double)b);
    }
  }
  free(out);
}

TEST(derivatives_do_not_depend_on_lengths_of_quaternions) {
  in_random_models(try_derivatives, 4, 1);
}

// ... and is what the reference makes of them, the cable apart
TEST(reference_computes_the_same_of_any_length) {
  BRIDGE_OR_SKIP();
  Text t = {0};
  for (int i = 0; i < MODELS; i++) {
    draw_scene(i);
    write_model(&t, 2, 0, "soft");
    Bridge* b = test_bridge(t.text);
    mjData* unit = mj_makeData(b->m);
    draw_states(b->m, b->d, unit);
    bridge_push(b, "qpos qvel ctrl act mocap_pos mocap_quat");
    bridge_run(b, "mj_forward");
    mj_forward(b->m, b->d);
    int wrong = bridge_compare(
        b,
        "xpos xquat xmat qfrc_passive qfrc_bias qfrc_actuator actuator_length energy "
        "sensordata efc_pos qacc_smooth",
        1e-9);
    assert_int_equal(wrong, 0);
    mj_deleteData(unit);
    test_release(b);
  }
  free(t.text);
}

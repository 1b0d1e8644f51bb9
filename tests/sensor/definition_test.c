// Every type of sensor against its definition; velocities and accelerations are differences of
// positions.

#include "sensor/motion.h"
#include "support/models.h"

static const char kModel[] = CONDYLE_SOURCE_DIR "/tests/models/sensor_all.xml";

// limits: distance to the nearer end, its rate and force; zeros where no limit is near

static double distance_to_limit(const mjModel* m, const mjData* d, int joint, int id) {
  const mjtNum* range = joint ? m->jnt_range + 2 * id : m->tendon_range + 2 * id;
  double x = 0;
  if (joint && m->jnt_type[id] == mjJNT_BALL) {
    const mjtNum* q = d->qpos + m->jnt_qposadr[id];
    x = 2 * atan2((double)mju_norm3(q + 1), fabs((double)q[0]));
    return fmax((double)range[0], (double)range[1]) - x;
  }
  if (joint) {
    x = (double)d->qpos[m->jnt_qposadr[id]];
  } else {
    for (int k = m->tendon_adr[id]; k < m->tendon_adr[id] + m->tendon_num[id]; k++) {
      x += (double)(m->wrap_prm[k] * d->qpos[m->jnt_qposadr[m->wrap_objid[k]]]);
    }
  }
  return fmin(x - (double)range[0], (double)range[1] - x);
}

static void limit(mjtNum out[3], const Moment* now, int joint, int id) {
  const mjModel* m = now->m;
  double distance = distance_to_limit(m, now->d, joint, id);
  mju_zero3(out);
  if (distance >= 0) {
    return;
  }
  spread(now, kFirst);
  out[0] = (mjtNum)distance;
  out[1] = (mjtNum)((distance_to_limit(m, now->moved[1], joint, id) -
                     distance_to_limit(m, now->moved[0], joint, id)) /
                    (2 * kFirst));

  // a spring-damper of the row: -(J qacc - aref) / R where that pushes
  mjtNum* acc = calloc((size_t)now->d->nefc, sizeof *acc);
  mj_mulJacVec(m, now->d, acc, now->solved);
  for (int i = 0; i < now->d->nefc; i++) {
    if (now->d->efc_type[i] == (joint ? mjCNSTR_LIMIT_JOINT : mjCNSTR_LIMIT_TENDON) &&
        now->d->efc_id[i] == id) {
      out[2] = mju_max(0, (now->d->efc_aref[i] - acc[i]) / now->d->efc_R[i]);
    }
  }
  free(acc);
}

// others

static double energy(const Moment* now, int kinetic) {
  const mjModel* m = now->m;
  const Frame world = frame_of(m, now->d, mjOBJ_UNKNOWN, 0);
  double sum = 0;
  for (int i = 1; i < m->nbody; i++) {
    Frame f = frame_of(m, now->d, mjOBJ_BODY, i);
    mjtNum v[6], w[3];
    velocity(v, now, &f, &world);
    mju_mulMatTVec(w, f.mat, v, 3, 3);
    double turning = 0;
    for (int k = 0; k < 3; k++) {
      turning += (double)(m->body_inertia[3 * i + k] * w[k] * w[k]);
    }
    sum += kinetic ? (double)(m->body_mass[i] * mju_dot3(v + 3, v + 3)) / 2 + turning / 2
                   : -(double)(m->body_mass[i] * mju_dot3(m->opt.gravity, f.pos));
  }
  for (int i = 0; i < m->nv && kinetic; i++) {
    sum += (double)(m->dof_armature[i] * now->d->qvel[i] * now->d->qvel[i]) / 2;
  }
  for (int j = 0; j < m->njnt && !kinetic; j++) {
    const mjtNum* q = now->d->qpos + m->jnt_qposadr[j];
    double x = m->jnt_type[j] == mjJNT_BALL
                   ? 2 * atan2((double)mju_norm3(q + 1), fabs((double)q[0]))
                   : (double)(q[0] - m->qpos_spring[m->jnt_qposadr[j]]);
    sum += (double)m->jnt_stiffness[j] * x * x / 2;
  }
  for (int t = 0; t < m->ntendon && !kinetic; t++) {
    double x = (double)(now->d->ten_length[t] - m->tendon_lengthspring[2 * t]);
    sum += (double)m->tendon_stiffness[t] * x * x / 2;
  }
  return sum;
}

// Is the origin of a frame, seen from a site, within the site's shape?
static int is_inside(const mjtNum q[3], int type, const mjtNum size[3]) {
  double x = (double)q[0], y = (double)q[1], z = (double)q[2];
  double a = (double)size[0], b = (double)size[1], c = (double)size[2];
  switch (type) {
    case mjGEOM_SPHERE:
      return sqrt(x * x + y * y + z * z) < a;
    case mjGEOM_CAPSULE:
      return hypot(hypot(x, y), fmax(0, fabs(z) - b)) < a;
    case mjGEOM_ELLIPSOID:
      return hypot(hypot(x / a, y / b), z / c) < 1;
    case mjGEOM_CYLINDER:
      return hypot(x, y) < a && fabs(z) < b;
    default:
      return fabs(x) < a && fabs(y) < b && fabs(z) < c;
  }
}

// A pinhole: the pixel where the ray to the site passes the image.
static void project(mjtNum out[2], const mjModel* m, int camera, const mjtNum q[3]) {
  const float* size = m->cam_sensorsize + 2 * camera;
  for (int k = 0; k < 2; k++) {
    double pixels = m->cam_resolution[2 * camera + k];
    double height = m->cam_resolution[2 * camera + 1];
    double focal = size[0] != 0
                       ? (double)m->cam_intrinsic[4 * camera + k] / (double)size[k] * pixels
                       : height / 2 / tan((double)m->cam_fovy[camera] * mjPI / 360);
    out[k] = (mjtNum)(pixels / 2 + (k ? 1 : -1) * focal * (double)(q[k] / q[2]));
  }
}

static double touch(const Moment* now, int site) {
  const mjModel* m = now->m;
  const mjData* d = now->d;
  double sum = 0;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    int first = m->geom_bodyid[con->geom[0]] == m->site_bodyid[site];
    int second = m->geom_bodyid[con->geom[1]] == m->site_bodyid[site];
    mjtNum force[6], ray[3];
    mju_scl3(ray, con->frame, second ? -1 : 1);
    mj_contactForce(m, d, i, force);
    int hit = mju_rayGeom(d->site_xpos + 3 * site, d->site_xmat + 9 * site, m->site_size + 3 * site,
                          con->pos, ray, m->site_type[site]) >= 0;
    sum += (first || second) && hit ? (double)force[0] : 0;
  }
  return sum;
}

static double actuator_force(const mjModel* m, const mjData* d, int i) {
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * i, *bias = m->actuator_biasprm + mjNBIAS * i;
  return (double)(gain[0] * d->ctrl[i] + bias[0] + bias[1] * d->actuator_length[i] +
                  bias[2] * d->actuator_velocity[i]);
}

// gear times the coordinate of the joint or tendon; its rate
static void transmission(mjtNum out[2], const Moment* now, int i) {
  const mjModel* m = now->m;
  int id = m->actuator_trnid[2 * i], tendon = m->actuator_trntype[i] == mjTRN_TENDON;
  out[0] = tendon ? now->d->ten_length[id] : now->d->qpos[m->jnt_qposadr[id]];
  out[1] = tendon ? now->d->ten_velocity[id] : now->d->qvel[m->jnt_dofadr[id]];
  mju_scl(out, out, m->actuator_gear[6 * i], 2);
}

// all forces of actuators on a joint, with gears, directly and through the tendon
static double joint_actuation(const mjModel* m, const mjData* d, int joint) {
  double sum = 0;
  for (int i = 0; i < m->nu; i++) {
    double gear = (double)m->actuator_gear[6 * i], arm = 0;
    int id = m->actuator_trnid[2 * i];
    if (m->actuator_trntype[i] == mjTRN_JOINT) {
      arm = id == joint;
    }
    for (int k = 0; m->actuator_trntype[i] == mjTRN_TENDON && k < m->tendon_num[id]; k++) {
      int wrap = m->tendon_adr[id] + k;
      arm += m->wrap_objid[wrap] == joint ? (double)m->wrap_prm[wrap] : 0;
    }
    sum += gear * arm * actuator_force(m, d, i);
  }
  const mjtNum* range = m->jnt_actfrcrange + 2 * joint;
  return m->jnt_actfrclimited[joint] ? fmax((double)range[0], fmin((double)range[1], sum)) : sum;
}

static double tendon_coordinate(const mjModel* m, const mjData* d, int id, int rates) {
  double sum = 0;
  for (int k = m->tendon_adr[id]; k < m->tendon_adr[id] + m->tendon_num[id]; k++) {
    int joint = m->wrap_objid[k];
    mjtNum x = rates ? d->qvel[m->jnt_dofadr[joint]] : d->qpos[m->jnt_qposadr[joint]];
    sum += (double)(m->wrap_prm[k] * x);
  }
  return sum;
}

// the nearest of all pairs of the geoms or the bodies' geoms, within the cutoff
static double nearest(const Moment* now, int id, mjtNum fromto[6]) {
  const mjModel* m = now->m;
  double best = (double)m->sensor_cutoff[id];
  mju_zero(fromto, 6);
  for (int i = 0; i < m->ngeom; i++) {
    for (int j = 0; j < m->ngeom; j++) {
      int first = m->sensor_objtype[id] == mjOBJ_GEOM ? i : m->geom_bodyid[i];
      int second = m->sensor_reftype[id] == mjOBJ_GEOM ? j : m->geom_bodyid[j];
      mjtNum ends[6];
      if (first == m->sensor_objid[id] && second == m->sensor_refid[id]) {
        double d = (double)mj_geomDistance(m, now->d, i, j, m->sensor_cutoff[id], ends);
        if (d < best) {
          best = d;
          mju_copy(fromto, ends, 6);
        }
      }
    }
  }
  return best;
}

// What a sensor should read; 0 if its definition is tested elsewhere.
static int define(mjtNum out[7], const Moment* now, int id) {
  const mjModel* m = now->m;
  const mjData* d = now->d;
  int object = m->sensor_objid[id], type = m->sensor_type[id], count = m->sensor_dim[id];
  const Frame world = frame_of(m, d, mjOBJ_UNKNOWN, 0);
  Frame f = frame_of(m, d, m->sensor_objtype[id], object);
  Frame r =
      m->sensor_refid[id] < 0 ? world : frame_of(m, d, m->sensor_reftype[id], m->sensor_refid[id]);
  Frame seen = relative(&f, &r);
  mjtNum v[6], com[3];
  switch (type) {
    case mjSENS_TOUCH:
      out[0] = (mjtNum)touch(now, object);
      break;
    case mjSENS_ACCELEROMETER:
      acceleration(v, now, &f);
      mju_mulMatTVec(out, f.mat, v + 3, 3, 3);
      break;
    case mjSENS_VELOCIMETER:
    case mjSENS_GYRO:
      velocity(v, now, &f, &world);
      mju_mulMatTVec(out, f.mat, v + (type == mjSENS_GYRO ? 0 : 3), 3, 3);
      break;
    case mjSENS_FORCE:
    case mjSENS_TORQUE:
      // what the world holds are torques of several trees, each about its own center of mass: no
      // sum
      if (!f.body && type == mjSENS_TORQUE) {
        return 0;
      }
      from_parent(v, now, f.body, f.pos);
      mju_mulMatTVec(out, f.mat, v + (type == mjSENS_FORCE ? 0 : 3), 3, 3);
      break;
    case mjSENS_MAGNETOMETER:
      mju_mulMatTVec(out, f.mat, m->opt.magnetic, 3, 3);
      break;
    case mjSENS_RANGEFINDER: {
      mjtNum z[3] = {f.mat[2], f.mat[5], f.mat[8]};
      out[0] = mj_ray(m, d, f.pos, z, NULL, 1, f.body, NULL);
      break;
    }
    case mjSENS_CAMPROJECTION:
      project(out, m, m->sensor_refid[id], seen.pos);
      break;
    case mjSENS_JOINTPOS:
      out[0] = d->qpos[m->jnt_qposadr[object]];
      break;
    case mjSENS_JOINTVEL:
      out[0] = d->qvel[m->jnt_dofadr[object]];
      break;
    case mjSENS_TENDONPOS:
    case mjSENS_TENDONVEL:
      out[0] = (mjtNum)tendon_coordinate(m, d, object, type == mjSENS_TENDONVEL);
      break;
    case mjSENS_ACTUATORPOS:
    case mjSENS_ACTUATORVEL:
      transmission(v, now, object);
      out[0] = v[type == mjSENS_ACTUATORVEL];
      break;
    case mjSENS_ACTUATORFRC:
      out[0] = (mjtNum)actuator_force(m, d, object);
      break;
    case mjSENS_JOINTACTFRC:
      out[0] = (mjtNum)joint_actuation(m, d, object);
      break;
    case mjSENS_TENDONACTFRC:
      out[0] = 0;
      for (int i = 0; i < m->nu; i++) {
        out[0] += m->actuator_trntype[i] == mjTRN_TENDON ? (mjtNum)actuator_force(m, d, i) : 0;
      }
      break;
    case mjSENS_BALLQUAT:
      mju_copy4(out, d->qpos + m->jnt_qposadr[object]);
      mju_normalize4(out);
      break;
    case mjSENS_BALLANGVEL:
      mju_copy3(out, d->qvel + m->jnt_dofadr[object]);
      break;
    case mjSENS_JOINTLIMITPOS:
    case mjSENS_JOINTLIMITVEL:
    case mjSENS_JOINTLIMITFRC:
      limit(v, now, 1, object);
      out[0] = v[type - mjSENS_JOINTLIMITPOS];
      break;
    case mjSENS_TENDONLIMITPOS:
    case mjSENS_TENDONLIMITVEL:
    case mjSENS_TENDONLIMITFRC:
      limit(v, now, 0, object);
      out[0] = v[type - mjSENS_TENDONLIMITPOS];
      break;
    case mjSENS_FRAMEPOS:
      mju_copy3(out, seen.pos);
      break;
    case mjSENS_FRAMEQUAT:
      // the sign is free: that of the reading; cameras are taken as they are mounted
      if (m->sensor_objtype[id] == mjOBJ_CAMERA || m->sensor_reftype[id] == mjOBJ_CAMERA) {
        return 0;
      }
      mju_mat2Quat(out, seen.mat);
      mju_scl(out, out, mju_dot(out, d->sensordata + m->sensor_adr[id], 4) < 0 ? -1 : 1, 4);
      break;
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
      for (int k = 0; k < 3; k++) {
        out[k] = seen.mat[3 * k + type - mjSENS_FRAMEXAXIS];
      }
      break;
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
      velocity(v, now, &f, &r);
      mju_copy3(out, v + (type == mjSENS_FRAMELINVEL ? 3 : 0));
      break;
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
      acceleration(v, now, &f);
      mju_copy3(out, v + (type == mjSENS_FRAMELINACC ? 3 : 0));
      break;
    case mjSENS_SUBTREECOM:
      subtree(out, v, now, object, NULL);
      break;
    case mjSENS_SUBTREELINVEL:
      subtree(com, v, now, object, NULL);
      mju_scl3(out, v + 3, 1 / m->body_subtreemass[object]);
      break;
    case mjSENS_SUBTREEANGMOM:
      subtree(com, v, now, object, NULL);
      mju_copy3(out, v);
      break;
    case mjSENS_INSIDESITE: {
      int site = m->sensor_refid[id];
      out[0] = is_inside(seen.pos, m->site_type[site], m->site_size + 3 * site);
      break;
    }
    case mjSENS_GEOMDIST:
      out[0] = (mjtNum)nearest(now, id, v);
      break;
    case mjSENS_GEOMFROMTO:
      nearest(now, id, out);
      break;
    case mjSENS_GEOMNORMAL:
      nearest(now, id, v);
      mju_sub3(out, v + 3, v);
      mju_scl3(out, out, 1 / mju_max((mjtNum)mjMINVAL, mju_norm3(out)));
      break;
    case mjSENS_E_POTENTIAL:
    case mjSENS_E_KINETIC:
      out[0] = (mjtNum)energy(now, type == mjSENS_E_KINETIC);
      break;
    case mjSENS_CLOCK:
      out[0] = d->time;
      break;
    default:
      return 0;
  }
  mjtNum cutoff = m->sensor_cutoff[id];
  for (int k = 0; k < count && cutoff > 0 && type != mjSENS_GEOMFROMTO; k++) {
    if (m->sensor_datatype[id] == mjDATATYPE_REAL) {
      out[k] = mju_clip(out[k], -cutoff, cutoff);
    } else if (m->sensor_datatype[id] == mjDATATYPE_POSITIVE) {
      out[k] = mju_min(out[k], cutoff);
    }
  }
  return 1;
}

static int check_sensor(const Moment* now, int id) {
  mjtNum expected[7] = {0};
  const mjtNum* found = now->d->sensordata + now->m->sensor_adr[id];
  if (!define(expected, now, id)) {
    return 0;
  }
  char label[40];
  snprintf(label, sizeof label, "sensor %d of type %d", id, now->m->sensor_type[id]);
  assert_false(numbers_differ(label, found, expected, now->m->sensor_dim[id], 1e-6, 1));
  return 1;
}

TEST(every_sensor_reads_what_it_is_defined_to) {
  DOUBLE_ONLY();
  mjModel* m = our_model(kModel);
  mjData* d = test_data(m);
  Moment now = {m, d, {mj_makeData(m), mj_makeData(m)}, calloc((size_t)m->nv, sizeof(mjtNum))};
  assert_non_null(now.solved);
  int seen[mjSENS_USER + 1] = {0}, touching = 0;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    uint64_t forces = seed;
    zoo_randomize(m, d, seed);
    // near the keyframe, so that things touch
    mju_copy3(d->qpos, m->qpos0);
    d->time = (mjtNum)0.003 * (mjtNum)seed;
    for (int i = 6; i < 6 * m->nbody; i++) {
      d->xfrc_applied[i] = uniform_random(&forces);
    }
    mj_forward(m, d);
    touching += d->ncon;

    // differences want an acceleration that is gentler than that of contacts
    mju_copy(now.solved, d->qacc, m->nv);
    for (int i = 0; i < m->nv; i++) {
      d->qacc[i] = uniform_random(&forces);
    }
    mj_sensorAcc(m, d);
    for (int i = 0; i < m->nsensor; i++) {
      seen[m->sensor_type[i]] += check_sensor(&now, i);
    }
  }
  assert_that(touching, >, 20);
  for (int type = 0; type < mjSENS_TACTILE; type++) {
    if (!seen[type] && type != mjSENS_CONTACT) {
      fail_msg("no sensor of type %d was read", type);
    }
  }
  free(now.solved);
  mj_deleteData(now.moved[0]);
  mj_deleteData(now.moved[1]);
}

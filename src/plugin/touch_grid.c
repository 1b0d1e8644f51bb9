// touch_grid.c: mujoco.sensor.touch_grid, contact forces as an image on a grid of angles.
//
//              azimuth
//        -h/2 --- 0 --- h/2         a contact at x in the frame of the site falls into the bin of
//    v/2  +---+---+---+---+         azimuth = atan2(x, -z), elevation = atan2(y, |(x, z)|);
//         |   | 3 |   |   |         the force there is added, one channel after the other:
//     0   +---+---+---+---+         normal, two tangential forces, then the torques
//         |   |   |   |   |
//   -v/2  +---+---+---+---+         bins are smaller in the middle; gamma says how much
//
//                                                             theory/plugins/plugins.md, Touch grid

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "base/memory/memory.h"
#include "plugin/config.h"
#include "plugin/list.h"
#include "scene/shape.h"

enum {
  MOST_CHANNELS = 6,
  MOST_BINS = 10000,  // along each side
};

// Numbers of a grid, and the edges of its bins in radians: size[0] + 1, then size[1] + 1.
typedef struct Grid_ {
  int channels;
  int size[2];
  mjtNum edge[];
} Grid;

typedef struct GridConfig_ {
  int channels;
  int size[2];
  mjtNum fov[2];  // degrees
  mjtNum gamma;
} GridConfig;

static int is_whole(mjtNum x, mjtNum most) {
  return x >= 0 && x <= most && x == mju_round(x);
}

// Reads a configuration. Returns a message if it is invalid, else NULL.
static const char* read_config(GridConfig* config, const mjModel* m, int instance) {
  mjtNum channels = 1, size[2], fov[2], gamma = 0;
  if (config_numbers(&channels, 1, m, instance, "nchannel") == CONFIG_WRONG ||
      !is_whole(channels, MOST_CHANNELS)) {
    return "nchannel must be between 1 and 6";
  }
  if (config_numbers(size, 2, m, instance, "size") != CONFIG_GIVEN ||
      !is_whole(size[0], MOST_BINS) || !is_whole(size[1], MOST_BINS) || size[0] < 1 ||
      size[1] < 1) {
    return "size must be two positive whole numbers, at most 10000";
  }
  if (config_numbers(fov, 2, m, instance, "fov") != CONFIG_GIVEN || fov[0] <= 0 || fov[0] > 180 ||
      fov[1] <= 0 || fov[1] > 90) {
    return "fov must be a positive horizontal angle of at most 180 degrees and a vertical one of "
           "at most 90";
  }
  if (config_numbers(&gamma, 1, m, instance, "gamma") == CONFIG_WRONG || gamma < 0 || gamma > 1) {
    return "gamma must be between 0 and 1";
  }
  config->channels = channels < 1 ? 1 : (int)channels;
  for (int k = 0; k < 2; k++) {
    config->size[k] = (int)size[k];
    config->fov[k] = fov[k];
  }
  config->gamma = gamma;
  return NULL;
}

// Sets n + 1 edges. They are -1, -1 + 2/n, ... (by addition), mapped by
// e -> gamma e^5 + (1 - gamma) e and scaled by the angle.
static void set_edges(mjtNum* edge, int n, mjtNum gamma, mjtNum fov) {
  mjtNum width = 2 / (mjtNum)n, e = -1, angle = fov * (mjtNum)mjPI / 180;
  for (int i = 0; i <= n; i++, e += width) {
    edge[i] = (gamma * num_pow(e, 5) + (1 - gamma) * e) * angle;
  }
}

static int init(const mjModel* m, mjData* d, int instance) {
  GridConfig config;
  const char* wrong = read_config(&config, m, instance);
  if (wrong) {
    mju_error("plugin '%s', instance %d: %s", plugin_touchgrid.name, instance, wrong);
    return -1;
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == mjSENS_PLUGIN && m->sensor_plugin[i] == instance &&
        m->sensor_objtype[i] != mjOBJ_SITE) {
      mju_error("plugin '%s', instance %d: sensor %d must be attached to a site",
                plugin_touchgrid.name, instance, i);
      return -1;
    }
  }
  size_t edges = (size_t)config.size[0] + (size_t)config.size[1] + 2;
  Grid* grid = memory_take(sizeof(Grid) + edges * sizeof(mjtNum));
  if (!grid) {
    mju_error(MEMORY_OUT);
    return -1;
  }
  grid->channels = config.channels;
  memcpy(grid->size, config.size, sizeof(grid->size));
  set_edges(grid->edge, grid->size[0], config.gamma, config.fov[0]);
  set_edges(grid->edge + grid->size[0] + 1, grid->size[1], config.gamma, config.fov[1]);
  d->plugin_data[instance] = (uintptr_t)grid;
  return 0;
}

static int nsensordata(const mjModel* m, int instance, int sensor_id) {
  GridConfig config;
  const char* wrong = read_config(&config, m, instance);
  (void)sensor_id;
  if (wrong) {
    mju_error("plugin '%s', instance %d: %s", plugin_touchgrid.name, instance, wrong);
    return -1;
  }
  return config.channels * config.size[0] * config.size[1];
}

// The bin k with edge[k] < x <= edge[k + 1], -1 if there is none.
static int find_bin(const mjtNum* edge, int n, mjtNum x) {
  if (!(x > edge[0] && x <= edge[n])) {
    return -1;
  }
  int low = 0, high = n;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    *(x > edge[middle] ? &low : &high) = middle;
  }
  return low;
}

// Force and torque of a contact on the body of a site, in the site's frame, each in the order (z,
// x, y).
static void contact_wrench(mjtNum out[MOST_CHANNELS], const mjModel* m, const mjData* d,
                           int contact, const mjtNum frame[9], int flip) {
  mjtNum local[6];
  mj_contactForce(m, d, contact, local);
  for (int part = 0; part < 2; part++) {
    mjtNum world[3], site[3];
    mju_mulMatTVec3(world, d->contact[contact].frame, local + 3 * part);
    mju_mulMatTVec3(site, frame, world);
    for (int k = 0; k < 3; k++) {
      mjtNum value = site[(k + 2) % 3];
      out[3 * part + k] = flip ? -value : value;
    }
  }
}

// The bin of a contact in one channel, -1 if it is in none, and how far it is from the site.
static int contact_bin(mjtNum* distance, const Grid* grid, const mjData* d, int contact, int site) {
  const mjtNum* frame = d->site_xmat + 9 * site;
  mjtNum away[3], x[3];
  v3_sub(away, d->contact[contact].pos, d->site_xpos + 3 * site);
  mju_mulMatTVec3(x, frame, away);
  *distance = v3_norm(x);
  mjtNum azimuth = num_atan2(x[0], -x[2]);
  mjtNum elevation = num_atan2(x[1], mju_sqrt(x[0] * x[0] + x[2] * x[2]));
  int column = find_bin(grid->edge, grid->size[0], azimuth);
  int row = find_bin(grid->edge + grid->size[0] + 1, grid->size[1], elevation);
  return column < 0 || row < 0 ? -1 : row * grid->size[0] + column;
}

// Does a contact belong to a geom that is welded to the site's body? flip: 1 if the other geom's
// body has the larger id.
static int touches(int* flip, const mjModel* m, const mjData* d, int contact, int site) {
  int parent = m->body_weldid[m->site_bodyid[site]];
  const int* geom = d->contact[contact].geom;
  if (geom[0] < 0 || geom[1] < 0) {
    return 0;
  }
  int body[2] = {m->body_weldid[m->geom_bodyid[geom[0]]], m->body_weldid[m->geom_bodyid[geom[1]]]};
  *flip = parent < (body[0] > body[1] ? body[0] : body[1]);
  return body[0] == parent || body[1] == parent;
}

static void sense(mjtNum* out, const Grid* grid, const mjModel* m, const mjData* d, int site) {
  for (int i = 0; i < d->ncon; i++) {
    mjtNum distance, wrench[MOST_CHANNELS];
    int flip, bin = touches(&flip, m, d, i, site) ? contact_bin(&distance, grid, d, i, site) : -1;
    if (bin < 0) {
      continue;
    }
    contact_wrench(wrench, m, d, i, d->site_xmat + 9 * site, flip);
    for (int c = 0; c < grid->channels; c++) {
      out[c * grid->size[0] * grid->size[1] + bin] += wrench[c];
    }
  }
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  const Grid* grid = (const Grid*)d->plugin_data[instance];
  (void)capability;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == mjSENS_PLUGIN && m->sensor_plugin[i] == instance) {
      mjtNum* out = d->sensordata + m->sensor_adr[i];
      mju_zero(out, m->sensor_dim[i]);
      sense(out, grid, m, d, m->sensor_objid[i]);
    }
  }
}

// The mean distance of the contacts in each bin, 0 where there are none.
static void find_distances(mjtNum* mean, mjtNum* count, const Grid* grid, const mjModel* m,
                           const mjData* d, int site) {
  int n = grid->size[0] * grid->size[1];
  mju_zero(mean, n);
  mju_zero(count, n);
  for (int i = 0; i < d->ncon; i++) {
    mjtNum distance;
    int flip, bin = touches(&flip, m, d, i, site) ? contact_bin(&distance, grid, d, i, site) : -1;
    if (bin >= 0) {
      mean[bin] += distance;
      count[bin]++;
    }
  }
  for (int i = 0; i < n; i++) {
    mean[i] /= num_max(1, count[i]);
  }
}

// A plate for a bin with contacts, as large as the bin at their distance, but 2% nearer to the
// site.
static void place_plate(mjvGeom* geom, const Grid* grid, const mjData* d, int site, int bin,
                        mjtNum distance) {
  const mjtNum* column = grid->edge + bin % grid->size[0];
  const mjtNum* row = grid->edge + grid->size[0] + 1 + bin / grid->size[0];
  const mjtNum* frame = d->site_xmat + 9 * site;
  mjtNum a = (column[0] + column[1]) / 2, e = (row[0] + row[1]) / 2, r = (mjtNum)0.98 * distance;
  mjtNum ca = num_cos(a), sa = num_sin(a), ce = num_cos(e), se = num_sin(e);
  const mjtNum size[3] = {distance * (column[1] - column[0]) / 2, distance * (row[1] - row[0]) / 2,
                          (mjtNum)0.02 * distance};
  const mjtNum center[3] = {r * ce * sa, r * se, -r * ce * ca};
  const mjtNum axes[9] = {ca, -sa * se, -sa * ce, 0, ce, -se, sa, ca * se, ca * ce};
  mjtNum pos[3], mat[9];
  v3_toworld(pos, center, d->site_xpos + 3 * site, frame);
  m3_mul(mat, frame, axes);
  geom->type = mjGEOM_BOX;
  scene_round3(geom->size, size);
  scene_pose(geom, pos, mat);
}

// The first three channels are red, green and blue. Channels that the sensor lacks count as full.
static void draw_sensor(const Grid* grid, const mjModel* m, mjData* d, mjvScene* scn, int sensor,
                        const mjtNum* mean) {
  const mjtNum* value = d->sensordata + m->sensor_adr[sensor];
  int n = grid->size[0] * grid->size[1];
  mjtNum most = 0;
  for (int i = 0; i < n; i++) {
    most = num_max(most, mju_abs(value[i]));
  }
  for (int i = 0; most > 0 && i < n; i++) {
    int bin = i % grid->size[1] * grid->size[0] + i / grid->size[1];
    if (mean[bin] == 0) {
      continue;
    }
    mjvGeom* geom = scene_next(scn, mjOBJ_UNKNOWN, sensor, mjCAT_DECOR);
    if (!geom) {
      mj_warning(d, mjWARN_VGEOMFULL, scn->maxgeom);
      return;
    }
    scn->ngeom++;
    place_plate(geom, grid, d, m->sensor_objid[sensor], bin, mean[bin]);
    for (int c = 0; c < 3; c++) {
      geom->rgba[c] = c < grid->channels ? (float)(mju_abs(value[c * n + bin]) / most) : 1;
    }
  }
}

static void visualize(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn,
                      int instance) {
  const Grid* grid = (const Grid*)d->plugin_data[instance];
  int n = grid->size[0] * grid->size[1];
  (void)opt;
  mj_markStack(d);
  mjtNum *mean = mj_stackAllocNum(d, n), *count = mj_stackAllocNum(d, n);
  for (int i = 0; mean && count && i < m->nsensor; i++) {
    if (m->sensor_type[i] == mjSENS_PLUGIN && m->sensor_plugin[i] == instance) {
      find_distances(mean, count, grid, m, d, m->sensor_objid[i]);
      draw_sensor(grid, m, d, scn, i, mean);
    }
  }
  mj_freeStack(d);
}

static const char* const attributes[] = {"nchannel", "size", "fov", "gamma"};

const mjpPlugin plugin_touchgrid = {
    .name = "mujoco.sensor.touch_grid",
    .nattribute = 4,
    .attributes = attributes,
    .capabilityflags = mjPLUGIN_SENSOR,
    .needstage = mjSTAGE_ACC,
    .nstate = config_nstate,
    .nsensordata = nsensordata,
    .init = init,
    .destroy = config_destroy,
    .compute = compute,
    .visualize = visualize,
};

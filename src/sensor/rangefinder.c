// Rangefinders: rays from a site along its z-axis, or through the pixels of a camera.
//                                                               theory/time/sensors.md, Rangefinder

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "sensor/functions.h"

static const int field_size[NRAYDATA] = {1, 3, 3, 3, 3, 1};

int sensor_raysize(int dataspec) {
  int size = 0;
  for (int k = 0; k < NRAYDATA; k++) {
    size += dataspec & (1 << k) ? field_size[k] : 0;
  }
  return size;
}

// Where rays begin, and the body whose geoms they pass through.
typedef struct {
  const mjtNum *pos, *mat;
  int body;
} Eye;

// One ray and what it has met; x is -1 if it misses.
typedef struct {
  mjtNum origin[3], along[3];
  mjtNum x, depth, point[3], normal[3];
} Ray;

static void cast(Ray* ray, const mjModel* m, const mjData* d, const Eye* eye) {
  ray->x = cnd_rayNormal(m, d, ray->origin, ray->along, NULL, 1, eye->body, NULL, ray->normal);
  if (ray->x < 0) {
    v3_zero(ray->point);
    v3_zero(ray->along);
    ray->depth = -1;
  } else {
    v3_addscl(ray->point, ray->origin, ray->along, ray->x);
  }
}

// Writes the fields that are asked for; returns how many numbers these are.
static int write_record(mjtNum* out, int dataspec, const Ray* ray) {
  const mjtNum* const field[NRAYDATA] = {&ray->x,    ray->along,  ray->origin,
                                         ray->point, ray->normal, &ray->depth};
  int size = 0;
  for (int k = 0; k < NRAYDATA; k++) {
    if (dataspec & (1 << k)) {
      memcpy(out + size, field[k], (size_t)field_size[k] * sizeof(mjtNum));
      size += field_size[k];
    }
  }
  return size;
}

// How pixels map to directions: a pixel at (x, y) from the principal point looks along
//
//   R (x/fx, -y/fy, -1)                 from the eye
//   R (0, 0, -1)                        from the eye + R (x/fx, -y/fy, 0) fovy/2, if parallel
typedef struct {
  mjtNum focal[2], principal[2], extent;
  int parallel;
} Lens;

static Lens lens_of(const mjModel* m, int camera) {
  const int* resolution = m->cam_resolution + 2 * camera;
  const float *chip = m->cam_sensorsize + 2 * camera, *intrinsic = m->cam_intrinsic + 4 * camera;
  Lens lens = {.parallel = m->cam_orthographic[camera], .extent = m->cam_fovy[camera] / 2};
  sensor_focal_lengths(lens.focal, m, camera);
  for (int k = 0; k < 2; k++) {
    lens.principal[k] = (mjtNum)resolution[k] / 2;
    if (lens.parallel) {
      lens.focal[k] = lens.principal[k];
    } else if (chip[0] != 0 && chip[1] != 0) {
      float principal = intrinsic[2 + k] / chip[k] * (float)resolution[k];
      lens.principal[k] = (mjtNum)principal;
    }
  }
  return lens;
}

static void pixel_ray(Ray* ray, const Eye* eye, const Lens* lens, int column, int row) {
  mjtNum x = ((mjtNum)column + (mjtNum)0.5 - lens->principal[0]) / lens->focal[0];
  mjtNum y = ((mjtNum)row + (mjtNum)0.5 - lens->principal[1]) / lens->focal[1];
  if (lens->parallel) {
    mjtNum from[3] = {x * lens->extent, -y * lens->extent, 0}, offset[3], ahead[3] = {0, 0, -1};
    m3_mulv(offset, eye->mat, from);
    v3_add(ray->origin, eye->pos, offset);
    m3_mulv(ray->along, eye->mat, ahead);
  } else {
    mjtNum ahead[3] = {x, -y, -1};
    v3_normalize(ahead);
    v3_copy(ray->origin, eye->pos);
    m3_mulv(ray->along, eye->mat, ahead);
  }
}

// Depth is the distance from the plane of the camera.
static void sense_camera(mjtNum* out, const mjModel* m, const mjData* d, int camera, int dataspec) {
  Eye eye = {d->cam_xpos + 3 * camera, d->cam_xmat + 9 * camera, m->cam_bodyid[camera]};
  Lens lens = lens_of(m, camera);
  const int* resolution = m->cam_resolution + 2 * camera;
  mjtNum back[3], off[3];
  m3_column(back, eye.mat, 2);
  for (int row = 0; row < resolution[1]; row++) {
    for (int column = 0; column < resolution[0]; column++) {
      Ray ray;
      pixel_ray(&ray, &eye, &lens, column, row);
      cast(&ray, m, d, &eye);
      if (ray.x >= 0) {
        v3_sub(off, ray.point, eye.pos);
        ray.depth = -v3_dot(off, back);
      }
      out += write_record(out, dataspec, &ray);
    }
  }
}

// Geoms of the body of the site or camera are skipped.
void sensor_rangefinder(mjtNum* out, const mjModel* m, mjData* d, int id) {
  int object = m->sensor_objid[id], dataspec = m->sensor_intprm[mjNSENS * id];
  if (m->sensor_objtype[id] == mjOBJ_CAMERA) {
    sense_camera(out, m, d, object, dataspec);
    return;
  }
  Eye eye = {d->site_xpos + 3 * object, d->site_xmat + 9 * object, m->site_bodyid[object]};
  Ray ray;
  v3_copy(ray.origin, eye.pos);
  m3_column(ray.along, eye.mat, 2);
  if (!dataspec) {
    *out = mj_ray(m, d, ray.origin, ray.along, NULL, 1, eye.body, NULL);
    return;
  }
  cast(&ray, m, d, &eye);
  ray.depth = ray.x;
  write_record(out, dataspec, &ray);
}

// tree.c: writes <worldbody>: bodies and their content. Poses of a model already include those of
// enclosing frames, which are then written only for their names and classes.
//                                                                   theory/model/format.md, Writing

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>
#include <mujoco/mjvisualize.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/joint.h"
#include "base/memory/memory.h"
#include "base/text/text.h"
#include "mjcf/write/context.h"
#include "mjcf/write/plugin.h"
#include "mjcf/write/rows.h"
#include "mjcf/write/sections.h"

static const SchemaElement* schema_of(const char* name) {
  return write_schema("worldbody", name);
}

static void joint_values(mjsJoint* out, const Writer* w, int i) {
  const mjModel* m = w->m;
  int dof = m->jnt_dofadr[i];
  write_take(out->pos, m->jnt_pos + 3 * i, 3);
  write_take(out->axis, m->jnt_axis + 3 * i, 3);
  write_take(out->range, m->jnt_range + 2 * i, 2);
  write_take(out->actfrcrange, m->jnt_actfrcrange + 2 * i, 2);
  out->limited = write_limited(w, out->limited, m->jnt_limited[i], out->range);
  if (!joint_has_quat(out->type)) {
    out->ref = write_real(m->qpos0[m->jnt_qposadr[i]]);
    out->springref = write_real(m->qpos_spring[m->jnt_qposadr[i]]);
    out->actfrclimited =
        write_limited(w, out->actfrclimited, m->jnt_actfrclimited[i], out->actfrcrange);
  }
  out->springyield = write_real(m->jnt_springyield[i]);
  out->stiffness = write_real(m->jnt_stiffness[i]);
  write_take(out->stiffnesspoly, m->jnt_stiffnesspoly + mjNPOLY * i, mjNPOLY);
  out->margin = write_real(m->jnt_margin[i]);
  out->armature = write_real(m->dof_armature[dof]);
  out->damping = write_real(m->dof_damping[dof]);
  write_take(out->dampingpoly, m->dof_dampingpoly + mjNPOLY * dof, mjNPOLY);
  out->frictionloss = write_real(m->dof_frictionloss[dof]);
  mju_copy(out->solref_limit, m->jnt_solref + mjNREF * i, mjNREF);
  mju_copy(out->solimp_limit, m->jnt_solimp + mjNIMP * i, mjNIMP);
  mju_copy(out->solref_friction, m->dof_solref + mjNREF * dof, mjNREF);
  mju_copy(out->solimp_friction, m->dof_solimp + mjNIMP * dof, mjNIMP);
}

// Could a joint be written as <freejoint>, which knows no class? As compiled only where it must.
static int is_freejoint(const Writer* w, const mjsJoint* joint) {
  if (joint->type != mjJNT_FREE) {
    return 0;
  }
  if (!w->written) {
    return joint->align != mjALIGNFREE_AUTO;
  }
  return joint->stiffness == 0 && joint->damping == 0 && joint->armature == 0 &&
         joint->frictionloss == 0 && joint->margin == 0 && !joint->userdata->num;
}

static void write_joint(Writer* w, const SpecObject* object) {
  const mjModel* m = w->m;
  ElementValues own, class;
  write_values(&own, &class, w, object);
  if (!w->written) {
    joint_values(&own.joint, w, object->id);
  }
  if (is_freejoint(w, &own.joint)) {
    mjs_defaultJoint(&class.joint);
    write_named(w, "freejoint", object);
    write_rows(w, schema_of("freejoint"), &own, &class, NULL);
    write_end(w);
    return;
  }
  write_classed(w, "joint", object);
  write_rows(w, schema_of("joint"), &own, &class,
             &(RowChoice){.always = own.joint.type == mjJNT_FREE     ? NULL
                                    : joint_has_quat(own.joint.type) ? "pos"
                                                                     : "pos axis",
                          .never = own.joint.type == mjJNT_FREE
                                       ? "springdamper pos axis ref springref user"
                                   : w->written ? "user"
                                                : "springdamper user"});
  if (w->written) {
    write_userof(w, own.joint.userdata, class.joint.userdata);
  } else {
    write_user(w, m->jnt_user + object->id * m->nuser_jnt, m->nuser_jnt, class.joint.userdata);
  }
  write_end(w);
}

// Number of sizes of a shape.
static int shape_sizes(int type) {
  switch (type) {
    case mjGEOM_SPHERE:
      return 1;
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER:
      return 2;
    case mjGEOM_HFIELD:
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      return 0;
    default:
      return 3;
  }
}

// Writes the sizes that the type uses, and later ones if the class would change them.
static void write_shapesize(Writer* w, int type, const double size[3], const double class[3]) {
  int n = shape_sizes(type), used = n, differ = 0;
  for (int i = 0; i < 3 && used; i++) {
    if ((mjtNum)size[i] != (mjtNum) class[i]) {
      differ = 1;
      n = i + 1 > n ? i + 1 : n;
    }
  }
  if (differ) {
    write_reals(w, "size", size, n);
  }
}

static Pose model_pose(const mjtNum pos[3], const mjtNum quat[4]) {
  return (Pose){{pos[0], pos[1], pos[2]}, {quat[0], quat[1], quat[2], quat[3]}};
}

// The pose as an author would give it, without the offset by which the compiler centres a mesh.
static void geom_pose(mjsGeom* out, const mjModel* m, const SpecObject* object) {
  int i = object->id, mesh = m->geom_dataid[i];
  int is_mesh = out->type == mjGEOM_MESH || out->type == mjGEOM_SDF;
  Pose pose;
  write_take(pose.pos, m->geom_pos + 3 * i, 3);
  write_take(pose.quat, m->geom_quat + 4 * i, 4);
  if (is_mesh && mesh >= 0) {
    Pose centred = model_pose(m->geom_pos + 3 * i, m->geom_quat + 4 * i);
    Pose offset = model_pose(m->mesh_pos + 3 * mesh, m->mesh_quat + 4 * mesh);
    pose_outer(&pose, &centred, &offset);
  } else if (!string_empty(out->meshname)) {
    spec_pose(&pose, object, out->pos, out->quat, &out->alt);
  }
  out->alt.type = mjORIENTATION_QUAT;
  memcpy(out->pos, pose.pos, sizeof(out->pos));
  memcpy(out->quat, pose.quat, sizeof(out->quat));
}

// The velocity of the surface in the frame that an author gives: that of a mesh is centred by the
// compiler. A fitted shape keeps what the spec says.
static void geom_surface(double out[6], const mjModel* m, int geom, const mjsGeom* spec) {
  int mesh = m->geom_dataid[geom];
  int is_mesh = spec->type == mjGEOM_MESH || spec->type == mjGEOM_SDF;
  if (!is_mesh && !string_empty(spec->meshname)) {
    return;
  }
  mjtNum v[6], aside[3];
  mju_copy(v, m->geom_surfacevel + 6 * geom, 6);
  if (is_mesh && mesh >= 0) {
    mju_rotVecQuat(v, v, m->mesh_quat + 4 * mesh);
    mju_rotVecQuat(v + 3, v + 3, m->mesh_quat + 4 * mesh);
    mju_cross(aside, v + 3, m->mesh_pos + 3 * mesh);
    mju_subFrom3(v, aside);
  }
  write_take(out, v, 6);
}

static void geom_values(mjsGeom* out, const mjModel* m, const SpecObject* object) {
  int i = object->id;
  geom_pose(out, m, object);
  out->contype = m->geom_contype[i];
  out->conaffinity = m->geom_conaffinity[i];
  out->condim = m->geom_condim[i];
  out->group = m->geom_group[i];
  out->priority = m->geom_priority[i];
  out->castshadow = m->geom_castshadow[i];
  out->solmix = write_real(m->geom_solmix[i]);
  out->margin = write_real(m->geom_margin[i]);
  out->gap = write_real(m->geom_gap[i]);
  out->adhesion = write_real(m->geom_adhesion[i]);
  geom_surface(out->surfacevel, m, i, out);
  mju_copy(out->solref, m->geom_solref + mjNREF * i, mjNREF);
  mju_copy(out->solimp, m->geom_solimp + mjNIMP * i, mjNIMP);
  write_take(out->friction, m->geom_friction + 3 * i, 3);
  memcpy(out->rgba, m->geom_rgba + 4 * i, sizeof(out->rgba));
}

// Does a frame around an element have different scales along its axes?
static int is_stretched(const SpecObject* object) {
  for (; object; object = object->parent) {
    for (const SpecObject* frame = object->frame; frame; frame = frame->frame) {
      const double* scale = frame->as.frame.scale;
      if (scale[0] != scale[1] || scale[0] != scale[2]) {
        return 1;
      }
    }
  }
  return 0;
}

// A shape between two points as one with a pose, unless it is to be written as it is, or its ends
// are not stretched as its pose would be.
static void span(const Writer* w, const SpecObject* object, double fromto[6], mjtGeom type,
                 double pos[3], double quat[4], double size[3]) {
  int n = shape_sizes(type);
  if (isnan(fromto[0]) || w->notation || n < 2 || is_stretched(object)) {
    return;
  }
  double axis[3];
  for (int k = 0; k < 3; k++) {
    axis[k] = fromto[k] - fromto[3 + k];
    pos[k] = (fromto[k] + fromto[3 + k]) / 2;
  }
  size[1] = size[0];
  size[n - 1] = pose_normalize(axis, 3) / 2;
  pose_from_z(quat, axis);
  fromto[0] = NAN;
}

// Writes the size of a shape as the spec has it. One between two points has its radius, or half
// widths, alone.
static void write_sizeof(Writer* w, mjtGeom type, const double size[3], const double class[3],
                         int ends) {
  if (ends && size[0] != class[0]) {
    write_reals(w, "size", size, 1);
  } else if (!ends) {
    write_shapesize(w, type, size, class);
  }
}

// Writes a geom as the spec has it.
static void write_geomof(Writer* w, const SpecObject* object) {
  ElementValues own, class;
  write_values(&own, &class, w, object);
  mjsGeom* geom = &own.geom;
  span(w, object, geom->fromto, geom->type, geom->pos, geom->quat, geom->size);
  write_classed(w, "geom", object);
  int ends = !isnan(geom->fromto[0]);
  write_sizeof(w, geom->type, geom->size, class.geom.size, ends);
  write_rows(w, schema_of("geom"), &own, &class,
             &(RowChoice){.never = ends ? "size user pos quat" : "size fromto user"});
  write_userof(w, geom->userdata, class.geom.userdata);
  write_use(w, object);
  write_end(w);
}

static void write_siteof(Writer* w, const SpecObject* object) {
  ElementValues own, class;
  write_values(&own, &class, w, object);
  mjsSite* site = &own.site;
  span(w, object, site->fromto, site->type, site->pos, site->quat, site->size);
  write_classed(w, "site", object);
  int ends = !isnan(site->fromto[0]);
  write_sizeof(w, site->type, site->size, class.site.size, ends);
  write_rows(w, schema_of("site"), &own, &class,
             &(RowChoice){.never = ends ? "size user pos quat" : "size fromto user"});
  write_userof(w, site->userdata, class.site.userdata);
  write_end(w);
}

static void write_geom(Writer* w, const SpecObject* object) {
  if (w->written) {
    write_geomof(w, object);
    return;
  }
  const mjModel* m = w->m;
  int i = object->id;
  ElementValues own, class;
  write_values(&own, &class, w, object);
  geom_values(&own.geom, m, object);
  write_classed(w, "geom", object);
  int fitted = !string_empty(own.geom.meshname) && shape_sizes(own.geom.type);
  if (!fitted) {
    double size[3];
    write_take(size, m->geom_size + 3 * i, 3);
    write_shapesize(w, own.geom.type, size, class.geom.size);
  }

  // density has no effect if there is a mass
  write_rows(w, schema_of("geom"), &own, &class,
             &(RowChoice){.never = isnan(own.geom.mass) ? "size fromto user"
                                                        : "size fromto user density"});
  write_user(w, m->geom_user + i * m->nuser_geom, m->nuser_geom, class.geom.userdata);
  write_use(w, object);
  write_end(w);
}

static void write_site(Writer* w, const SpecObject* object) {
  if (w->written) {
    write_siteof(w, object);
    return;
  }
  const mjModel* m = w->m;
  int i = object->id;
  ElementValues own, class;
  write_values(&own, &class, w, object);
  write_take(own.site.pos, m->site_pos + 3 * i, 3);
  write_take(own.site.quat, m->site_quat + 4 * i, 4);
  own.site.group = m->site_group[i];
  memcpy(own.site.rgba, m->site_rgba + 4 * i, sizeof(own.site.rgba));
  write_classed(w, "site", object);
  if (own.site.type != mjGEOM_MESH) {
    double size[3];
    write_take(size, m->site_size + 3 * i, 3);
    write_shapesize(w, own.site.type, size, class.site.size);
  }
  write_rows(w, schema_of("site"), &own, &class,
             &(RowChoice){.always = "pos", .never = "size fromto user"});
  write_user(w, m->site_user + i * m->nuser_site, m->nuser_site, class.site.userdata);
  write_end(w);
}

static void write_pairof(Writer* w, const char* attribute, const float value[2]) {
  if (value[0] != 0 || value[1] != 0) {
    write_singles(w, attribute, value, 2, 0);
  }
}

// A camera with a sensor has intrinsics and no angle. Its related attributes are written together.
void write_camerarows(Writer* w, const SchemaElement* element, const mjsCamera* camera,
                      const mjsCamera* fallback, int placed) {
  int sensor = camera->sensor_size[0] != 0 || camera->sensor_size[1] != 0;
  write_rows(w, element, camera, fallback,
             &(RowChoice){.always = !placed  ? (sensor ? "resolution sensorsize" : NULL)
                                    : sensor ? "pos resolution sensorsize"
                                             : "pos",
                          .never = sensor ? "fovy user projection" : "user projection"});
  if (camera->output != fallback->output) {
    write_mask(w, "output", schema_cameraoutputs(), camera->output);
  }
  if (sensor) {
    write_pairof(w, "focal", camera->focal_length);
    write_pairof(w, "principal", camera->principal_length);
  }
}

static void write_camera(Writer* w, const SpecObject* object) {
  const mjModel* m = w->m;
  int i = object->id;
  ElementValues own, class;
  write_values(&own, &class, w, object);
  if (!w->written) {
    write_take(own.camera.pos, m->cam_pos + 3 * i, 3);
    write_take(own.camera.quat, m->cam_quat + 4 * i, 4);
    own.camera.fovy = write_real(m->cam_fovy[i]);
    own.camera.ipd = write_real(m->cam_ipd[i]);
  }
  write_classed(w, "camera", object);
  write_camerarows(w, schema_of("camera"), &own.camera, &class.camera, !w->written);
  if (w->written) {
    write_userof(w, own.camera.userdata, class.camera.userdata);
  } else {
    write_user(w, m->cam_user + i * m->nuser_cam, m->nuser_cam, NULL);
  }
  write_end(w);
}

static void light_values(mjsLight* light, const mjModel* m, int i) {
  write_take(light->pos, m->light_pos + 3 * i, 3);
  write_take(light->dir, m->light_dir + 3 * i, 3);
  light->active = m->light_active[i];
  light->castshadow = m->light_castshadow[i];
  light->bulbradius = m->light_bulbradius[i];
  light->intensity = m->light_intensity[i];
  light->range = m->light_range[i];
  light->cutoff = m->light_cutoff[i];
  light->exponent = m->light_exponent[i];
  light->softness = m->light_softness[i];
  memcpy(light->attenuation, m->light_attenuation + 3 * i, sizeof(light->attenuation));
  memcpy(light->ambient, m->light_ambient + 3 * i, sizeof(light->ambient));
  memcpy(light->diffuse, m->light_diffuse + 3 * i, sizeof(light->diffuse));
  memcpy(light->specular, m->light_specular + 3 * i, sizeof(light->specular));
}

static void write_light(Writer* w, const SpecObject* object) {
  ElementValues own, class;
  write_values(&own, &class, w, object);
  if (!w->written) {
    light_values(&own.light, w->m, object->id);
  }
  write_classed(w, "light", object);
  write_rows(w, schema_of("light"), &own, &class, &(RowChoice){.always = "pos dir"});
  write_end(w);
}

// Must the inertial be written? Yes if the author's mass counted, or if a compiler setting that is
// not written has changed it. Also for a nearly massless body inside frames, because its inertial
// frame depends on the frames, which are not written.
static int needs_inertial(const mjModel* m, const SpecObject* object) {
  const mjsBody* body = &object->as.body;
  const SpecTree* tree = object->origin ? object->origin : object->tree;
  const mjsCompiler *options = &tree->spec.compiler, *target = &object->tree->spec.compiler;
  int given = (body->explicitinertial || !isnan(body->ipos[0])) && !object->weighed;
  int massless = m->body_mass[object->id] <= (mjtNum)target->boundmass && object->frame != NULL;
  int changed = (options->balanceinertia && !object->weighed) || target->settotalmass > 0 ||
                options->inertiafromgeom == mjINERTIAFROMGEOM_FALSE ||
                options->inertiagrouprange[0] > 0 || options->inertiagrouprange[1] < mjNGROUP - 1 ||
                options->discardvisual;
  return options->saveinertial || changed || massless || given;
}

// The inertial that the author gave.
static void write_inertialof(Writer* w, const SpecObject* object) {
  ElementValues own = {.body = object->as.body}, usual;
  mjs_defaultBody(&usual.body);
  int full = !isnan(own.body.fullinertia[0]);
  write_turn(w, object, own.body.iquat, &own.body.ialt);
  write_begin(w, "inertial");
  write_rows(w, schema_of("inertial"), &own, &usual,
             &(RowChoice){.always = full ? "pos mass fullinertia" : "pos mass diaginertia",
                          .never = full ? "diaginertia" : "fullinertia"});
  write_end(w);
}

static void write_inertial(Writer* w, const SpecObject* object) {
  const mjModel* m = w->m;
  int i = object->id;
  ElementValues own = {.body = object->as.body}, usual;
  mjs_defaultBody(&usual.body);
  write_take(own.body.ipos, m->body_ipos + 3 * i, 3);
  write_take(own.body.iquat, m->body_iquat + 4 * i, 4);
  write_take(own.body.inertia, m->body_inertia + 3 * i, 3);
  own.body.mass = write_real(m->body_mass[i]);
  write_begin(w, "inertial");
  write_rows(w, schema_of("inertial"), &own, &usual,
             &(RowChoice){.always = "pos mass diaginertia", .never = "fullinertia"});
  write_end(w);
}

// frames: only their names and classes are left

static int is_visible(const Writer* w, const SpecObject* frame) {
  return w->written || !string_empty(&frame->name) || !string_empty(frame->as.frame.childclass);
}

// The innermost written frame that encloses an object, NULL if there is none.
static const SpecObject* visible_frame(const Writer* w, const SpecObject* object) {
  const SpecObject* frame = object->frame;
  while (frame && !is_visible(w, frame)) {
    frame = frame->frame;
  }
  return frame;
}

static int encloses(const Writer* w, const SpecObject* outer, const SpecObject* frame) {
  while (frame && frame != outer) {
    frame = visible_frame(w, frame);
  }
  return frame == outer;
}

// The state of writing a body's content.
typedef struct Place_ {
  const SpecObject* frame;  // the open frame, or NULL
  const char* body_scope;
} Place;

static const char* frame_scope(const Writer* w, const Place* place) {
  for (const SpecObject* frame = place->frame; frame; frame = visible_frame(w, frame)) {
    if (!string_empty(frame->as.frame.childclass)) {
      return string_text(frame->as.frame.childclass);
    }
  }
  return place->body_scope;
}

// Writes the pose and the scale of a frame.
static void write_frameof(Writer* w, const SpecObject* object) {
  mjsFrame own = object->as.frame, usual;
  mjs_defaultFrame(&usual);
  write_turn(w, object, own.quat, &own.alt);
  write_rows(w, schema_of("frame"), &own, &usual, NULL);
  const double* scale = own.scale;
  if (scale[0] != 1 || scale[1] != 1 || scale[2] != 1) {
    write_reals(w, "scale", scale, scale[0] == scale[1] && scale[1] == scale[2] ? 1 : 3);
  }
}

static void open_frame(Writer* w, Place* place, const SpecObject* frame) {
  const SpecObject* outer = visible_frame(w, frame);
  if (outer != place->frame) {
    open_frame(w, place, outer);
  }
  write_named(w, "frame", frame);
  write_given(w, "childclass", frame->as.frame.childclass);
  if (w->written) {
    write_frameof(w, frame);
  }
  w->opened[frame->id] = 1;
  place->frame = frame;
}

// Closes and opens frames until `frame` is open. A frame is opened only once; if its content is
// scattered, the rest is written outside, where it compiles to the same.
static void enter_frame(Writer* w, Place* place, const SpecObject* frame) {
  while (place->frame && !encloses(w, place->frame, frame)) {
    write_end(w);
    place->frame = visible_frame(w, place->frame);
  }
  const SpecObject* missing = frame;
  while (missing && missing != place->frame) {
    if (w->opened[missing->id]) {
      frame = visible_frame(w, missing);
    }
    missing = visible_frame(w, missing);
  }
  if (frame && frame != place->frame && !encloses(w, frame, place->frame)) {
    open_frame(w, place, frame);
  }
  w->scope = frame_scope(w, place);
}

static void write_body(Writer* w, const SpecObject* object);

// The content of a body by type, without frames.
static const struct {
  mjtObj type;
  void (*write)(Writer* w, const SpecObject* object);
} children[] = {
    {mjOBJ_JOINT, write_joint},   {mjOBJ_GEOM, write_geom},   {mjOBJ_SITE, write_site},
    {mjOBJ_CAMERA, write_camera}, {mjOBJ_LIGHT, write_light}, {mjOBJ_BODY, write_body},
};
enum {
  NCHILD = sizeof(children) / sizeof(children[0])
};

// Writes the content of a body by type, or in document order if there are frames.
static void write_content(Writer* w, const SpecObject* body) {
  Place place = {.body_scope = w->scope};
  int frames = 0;
  for (SPEC_EACH_CHILD(frame, body, mjOBJ_FRAME)) {
    frames |= is_visible(w, frame);
  }
  for (int i = 0; !frames && i < NCHILD; i++) {
    for (SPEC_EACH_CHILD(child, body, children[i].type)) {
      children[i].write(w, child);
    }
  }
  if (!frames) {
    return;
  }
  for (SPEC_EACH_ANY(child, body)) {
    int is_frame = child->element.elemtype == mjOBJ_FRAME && is_visible(w, child);
    enter_frame(w, &place, is_frame ? child : visible_frame(w, child));
    for (int i = 0; i < NCHILD; i++) {
      if (child->element.elemtype == children[i].type) {
        children[i].write(w, child);
      }
    }
  }
  enter_frame(w, &place, NULL);
}

static void write_bodyrows(Writer* w, const SpecObject* object) {
  const mjModel* m = w->m;
  int i = object->id;
  ElementValues own = {.body = object->as.body}, usual;
  mjs_defaultBody(&usual.body);
  if (w->written) {
    write_turn(w, object, own.body.quat, &own.body.alt);
  } else {
    write_take(own.body.pos, m->body_pos + 3 * i, 3);
    write_take(own.body.quat, m->body_quat + 4 * i, 4);
    own.body.gravcomp = write_real(m->body_gravcomp[i]);
  }
  const char* childclass = string_text(own.body.childclass);
  if (childclass[0] && !text_equal(childclass, w->scope)) {
    write_text(w, "childclass", childclass);
    w->scope = childclass;
  }
  write_rows(w, schema_of("body"), &own, &usual, &(RowChoice){.never = "user"});
  if (w->written) {
    write_userof(w, own.body.userdata, NULL);
  } else {
    write_user(w, m->body_user + i * m->nuser_body, m->nuser_body, NULL);
  }
  if (w->written && (own.body.explicitinertial || !isnan(own.body.ipos[0]))) {
    write_inertialof(w, object);
  } else if (!w->written && needs_inertial(m, object)) {
    write_inertial(w, object);
  }
  write_use(w, object);
}

static void write_body(Writer* w, const SpecObject* object) {
  const char* scope = w->scope;
  write_named(w, "body", object);
  write_bodyrows(w, object);
  write_content(w, object);
  write_end(w);
  w->scope = scope;
}

void write_worldbody(Writer* w) {
  int nframe = 0;
  for (SPEC_EACH(frame, w->tree, mjOBJ_FRAME)) {
    frame->id = nframe++;
  }
  w->opened = heap_zero((size_t)nframe + 1, 1);
  w->scope = "main";
  write_use(w, w->tree->world);
  write_content(w, w->tree->world);
  w->scope = NULL;
  heap_free(w->opened);
}

// joint.c: joints, in the color of constraints where they are at a limit.

#include "view/draw/color.h"
#include "view/draw/elements.h"

void draw_joint(Picture* p, int joint) {
  const mjModel* m = p->m;
  const mjtNum* anchor = p->d->xanchor + 3 * joint;
  float rgba[4] = {m->vis.rgba.joint[0], m->vis.rgba.joint[1], m->vis.rgba.joint[2], 1};
  float length = p->unit * m->vis.scale.jointlength;
  int type = m->jnt_type[joint];
  limit_color(rgba, p, mjCNSTR_LIMIT_JOINT, joint);
  mjvGeom* geom = take_decor(p, mjOBJ_JOINT, joint, rgba);
  if (!geom) {
    return;
  }
  if (type == mjJNT_SLIDE || type == mjJNT_HINGE) {
    mjtNum end[3];
    v3_addscl(end, anchor, p->d->xaxis + 3 * joint, (mjtNum)length);
    scene_connect(geom, type == mjJNT_SLIDE ? mjGEOM_ARROW : mjGEOM_ARROW1,
                  (mjtNum)(p->unit * m->vis.scale.jointwidth), anchor, end);
  } else {
    geom->type = type == mjJNT_FREE ? mjGEOM_BOX : mjGEOM_SPHERE;
    geom->size[0] = geom->size[1] = geom->size[2] = (float)(.3 * (double)length);
    scene_pose(geom, anchor, p->d->xmat + 9 * m->jnt_bodyid[joint]);
  }
  set_label(p, geom, mjLABEL_JOINT, mjOBJ_JOINT, joint);
}

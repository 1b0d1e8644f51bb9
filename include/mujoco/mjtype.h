// mjtype.h: number types and all enums of models, data and editable models, under the name of the
// header that has them since 3.6.

#ifndef MUJOCO_MJTYPE_H_
#define MUJOCO_MJTYPE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjtnum.h>

#endif  // MUJOCO_MJTYPE_H_

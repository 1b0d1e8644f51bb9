// fields.c: the lists of fields, and looking a name up in them.

#include "batch/fields.h"

#include <string.h>

const BatchFields fields_rules[] = {
    {RULE_FINITE,
     " qpos0 qpos_spring body_pos body_ipos body_gravcomp body_user jnt_solref jnt_solimp jnt_pos "
     "jnt_stiffness jnt_range jnt_actfrcrange jnt_margin jnt_user dof_solref dof_solimp "
     "dof_damping geom_solref geom_solimp geom_pos geom_margin geom_gap geom_fluid geom_user "
     "site_pos site_user cam_pos cam_poscom0 cam_pos0 cam_mat0 cam_fovy cam_ipd cam_user "
     "light_pos light_dir0 light_poscom0 light_pos0 flex_solref flex_solimp flex_margin flex_gap "
     "flex_stiffness flex_bending flex_damping flex_edgestiffness flex_edgedamping "
     "flexedge_length0 pair_solref pair_solreffriction pair_solimp pair_margin pair_gap eq_solref "
     "eq_solimp eq_data tendon_solref_lim tendon_solimp_lim tendon_solref_fri tendon_solimp_fri "
     "tendon_range tendon_actfrcrange tendon_margin tendon_stiffness tendon_damping "
     "tendon_lengthspring tendon_length0 tendon_user actuator_dynprm actuator_gainprm "
     "actuator_biasprm actuator_ctrlrange actuator_forcerange actuator_actrange actuator_gear "
     "actuator_length0 actuator_lengthrange actuator_user sensor_noise sensor_user gravity wind "
     "magnetic o_margin o_solref o_solimp "},
    {RULE_NOT_NEGATIVE,
     " body_mass body_subtreemass body_inertia body_invweight0 dof_frictionloss dof_armature "
     "dof_invweight0 dof_M0 dof_length geom_solmix geom_friction site_size flex_solmix "
     "flex_friction "
     "flex_radius flexedge_invweight0 pair_friction tendon_armature tendon_frictionloss "
     "tendon_invweight0 actuator_cranklength actuator_acc0 sensor_cutoff tolerance ls_tolerance "
     "noslip_tolerance ccd_tolerance density viscosity o_friction "},
    {RULE_POSITIVE, " timestep impratio "},
    {RULE_SHARE, " hfield_data "},
    {RULE_AT_MOST_1, " cnd_geom_restitution "},
    {RULE_DIRECTION, " light_dir "},
    {RULE_UNIT, " body_quat body_iquat jnt_axis geom_quat site_quat cam_quat "},
    {0, NULL},
};

const BatchFields fields_follow[] = {
    {FOLLOW_BODY, " body_ipos body_iquat "},
    {FOLLOW_GEOM, " geom_pos geom_quat "},
    {FOLLOW_SITE, " site_pos site_quat "},
    {FOLLOW_JOINT, " jnt_pos jnt_axis tendon_armature "},
    {FOLLOW_MARGIN, " geom_margin geom_gap "},
    {FOLLOW_GRAVCOMP, " body_gravcomp "},
    {0, NULL},
};

const BatchFields fields_lanes[] = {
    {LANES_NEVER, " hfield_data cnd_geom_restitution density viscosity geom_fluid "},
    {LANES_WHERE_NOT_0,
     " dof_frictionloss tendon_frictionloss tendon_stiffness tendon_damping tendon_armature "},
    {0, NULL},
};

const BatchFields fields_of_thread[] = {
    {1,
     " narena nbuffer nplugin pstack pbase parena maxuse_stack maxuse_arena maxuse_con maxuse_efc "
     "maxuse_threadstack threadpool timer plugin plugin_data cnd_stage cnd_arena cnd_copies "
     "cnd_pairs cnd_solverCache cnd_shard cnd_apart cnd_shape cnd_size cnd_nrun cnd_run cnd_cycle "
     "cnd_ngroup cnd_nplain cnd_group_tree cnd_group cnd_plain "
     "cnd_qpos_asleep cnd_mocap_asleep cnd_box_asleep cnd_margin_asleep "},
    {0, NULL},
};

const char* const fields_constants[] = {
    "body_subtreemass",
    "body_invweight0",
    "dof_invweight0",
    "dof_M0",
    "dof_length",
    "flexedge_length0",
    "flexedge_invweight0",
    "tendon_length0",
    "tendon_invweight0",
    "actuator_length0",
    "actuator_acc0",
    "eq_data",
    "cam_poscom0",
    "cam_pos0",
    "cam_mat0",
    "light_poscom0",
    "light_pos0",
    "light_dir0",
    "actuator_biasprm",
    "tendon_lengthspring",
};

const char* const fields_scratch[] = {
    "cam_mode",
    "light_mode",
    "flex_rigid",
    "jnt_actuatorid",
    "tendon_actuatorid",
    "tree_sleep_policy",
    "flexedge_J_rownnz",
    "flexedge_J_rowadr",
    "flexedge_J_colind",
    "cnd_eq_unposed",
    "efm0_L",
};

static int is_listed(const char* list, const char* name) {
  size_t length = strlen(name);
  for (const char* at = strstr(list, name); length && at; at = strstr(at + 1, name)) {
    if (at[-1] == ' ' && at[length] == ' ') {
      return 1;
    }
  }
  return 0;
}

int fields_value(const BatchFields* property, const char* name, int otherwise) {
  for (; property->names; property++) {
    if (is_listed(property->names, name)) {
      return property->value;
    }
  }
  return otherwise;
}

"""What mj_setConst reads and writes: the static attributes ``_setconst_...`` of MjModel."""

from __future__ import annotations

# the parts of mj_setConst
GROUPS = ("fixed", "kin0", "inert0", "spring")

# numbers besides the arrays
SCALARS = (
    *("ngravcomp", "npolygonmax", "nmeshdegmax"),
    *("flg_gravcomp", "flg_surfacevel", "flg_adhesion"),
)

# for each field a digit for each group: 0 not touched, mjSC_IN 1, mjSC_OUT 2, mjSC_INOUT 3
_TABLE = """
qpos0:0111 qpos_spring:0001 body_parentid:1111 body_rootid:0111 body_weldid:1111 body_mocapid:0111
body_jntnum:0111 body_jntadr:0111 body_dofnum:1111 body_dofadr:1111 body_treeid:2111
body_geomnum:1111 body_geomadr:1111 body_simple:1111 body_sameframe:2111 body_pos:0111
body_quat:0111 body_ipos:1111 body_iquat:1111 body_mass:1111 body_subtreemass:2111
body_inertia:0111 body_invweight0:0020 body_gravcomp:1000 body_margin:2000 body_contype:2000
body_conaffinity:2000 body_bvhadr:1000 body_bvhnum:1000 bvh_child:1110 bvh_nodeid:1110
bvh_aabb:2000 jnt_type:0111 jnt_qposadr:0111 jnt_dofadr:1111 jnt_bodyid:1110 jnt_actuatorid:2010
jnt_pos:0111 jnt_axis:0111 dof_bodyid:0111 dof_jntid:0110 dof_parentid:1111 dof_treeid:1000
dof_simplenum:0010 dof_armature:0010 dof_invweight0:0020 dof_M0:0021 dof_length:0200
tree_bodyadr:2000 tree_bodynum:2000 tree_dofadr:2000 tree_dofnum:2000 tree_sleep_policy:3000
geom_type:1000 geom_contype:1000 geom_conaffinity:1000 geom_bodyid:1111 geom_dataid:1000
geom_sameframe:2111 geom_size:3111 geom_aabb:3000 geom_rbound:2100 geom_pos:1111 geom_quat:1111
geom_margin:1000 geom_gap:1000 geom_surfacevel:1000 geom_adhesion:1000 geom_fluid:3000
site_bodyid:1111 site_sameframe:2111 site_pos:1111 site_quat:1111 cam_bodyid:0100
cam_targetbodyid:0100 cam_pos:0100 cam_quat:0100 cam_poscom0:0200 cam_pos0:0200 cam_mat0:0200
light_bodyid:0100 light_targetbodyid:0100 light_pos:0100 light_dir:0100 light_poscom0:0200
light_pos0:0200 light_dir0:0200 flex_passive:1001 flex_dim:1111 flex_interp:1111 flex_cellnum:1111
flex_nodeadr:1110 flex_nodenum:1110 flex_vertadr:1111 flex_vertnum:1111 flex_edgeadr:1111
flex_edgenum:1111 flex_elemadr:0110 flex_elemnum:0111 flex_elemdataadr:0111 flex_stiffnessadr:1001
flex_bendingadr:1111 flex_nodebodyid:1111 flex_vertbodyid:1111 flex_vertcell:0110 flex_edge:1111
flex_edgeflap:0001 flex_elem:0111 flex_vert:0110 flex_vert0:0110 flex_node:0110
flexedge_length0:0200 flexedge_invweight0:0020 flex_radius:0110 flex_stiffness:1001
flex_bending:1111 efm0_dofid:0002 efm0_L_rownnz:0002 efm0_L_rowadr:0002 efm0_L_colind:0002
efm0_L:0002 efmC_perm:0002 flex_damping:1111 flex_edgestiffness:1110 flex_edgedamping:1110
flex_edgeequality:1111 flex_rigid:1001 flexedge_rigid:0010 flex_centered:0110 flex_bvhadr:0110
flex_bvhnum:0110 flexedge_J_rownnz:2110 flexedge_J_rowadr:2110 flexedge_J_colind:2010
mesh_polyvertnum:1000 mesh_polymapnum:1000 hfield_size:1000 pair_adhesion:1000 eq_type:0100
eq_obj1id:0100 eq_obj2id:0100 eq_objtype:0100 eq_data:0300 tendon_type:1111 tendon_adr:1111
tendon_num:1111 tendon_actuatorid:2010 tendon_treenum:2000 tendon_treeid:2000 ten_J_rownnz:2111
ten_J_rowadr:2111 ten_J_colind:2111 tendon_stiffness:1000 tendon_stiffnesspoly:1000
tendon_damping:1000 tendon_dampingpoly:1000 tendon_armature:0010 tendon_length0:0200
tendon_invweight0:0020 wrap_type:1111 wrap_objid:1111 wrap_prm:0111 actuator_trntype:1111
actuator_outadr:0111 actuator_trnid:1111 actuator_cranklength:0111 actuator_damping:1000
actuator_dampingpoly:1000 actuator_armature:1010 actuator_gear:0111 actuator_acc0:0020
actuator_length0:0200 M_rownnz:0010 M_rowadr:0010 M_colind:0010
"""

FIELDS: dict[str, tuple[int, ...]] = {
    name: tuple(map(int, digits)) for name, digits in (word.split(":") for word in _TABLE.split())
}

# what the first group that touches a field reads, and what any group writes
INPUTS = tuple(name for name, how in FIELDS.items() if next((x for x in how if x), 0) & 1)
OUTPUTS = tuple(name for name, how in FIELDS.items() if any(x & 2 for x in how))

// Replicas, sub-models, equalities: what a text unfolds into. Expected numbers are the reference's.

#include "support/near.h"
#include "support/test.h"

#define SLIDER(x) "<body name='" x "'><joint name='" x "' type='slide'/><geom size='1'/></body>"

// A model from its text, sections first; sub.xml is in the virtual files.
static mjModel* load(const char* sections, const char* world, const char* sub, char error[400]) {
  char text[4000];
  mjVFS vfs;
  snprintf(text, sizeof(text), "<mujoco>%s<worldbody>%s</worldbody></mujoco>", sections, world);
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "main.xml", text, (int)strlen(text));
  if (sub) {
    mj_addBufferVFS(&vfs, "sub.xml", sub, (int)strlen(sub));
  }
  mjModel* m = mj_loadXML("main.xml", &vfs, error, 400);
  mj_deleteVFS(&vfs);
  return m;
}

static mjModel* compile(const char* sections, const char* world, const char* sub) {
  char error[400];
  mjModel* m = load(sections, world, sub, error);
  if (!m) {
    fail_msg("%s", error);
  }
  return m;
}

static void refuse(const char* sections, const char* world, const char* sub, const char* message) {
  char error[400];
  mjModel* m = load(sections, world, sub, error);
  if (m || !strstr(error, message)) {
    mj_deleteModel(m);
    fail_msg("expected \"%s\", got \"%s\"", message, m ? "a model" : error);
  }
}

// Names of one type in their order, each followed by a space.
static const char* names(const mjModel* m, mjtObj type, int count) {
  static char text[1000];
  text[0] = 0;
  for (int i = 0; i < count; i++) {
    const char* name = mj_id2name(m, type, i);
    snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s ", name ? name : "-");
  }
  return text;
}

#define ASSERT_NUMBERS(found, ...)                                            \
  do {                                                                        \
    const double numbers[] = {__VA_ARGS__};                                   \
    assert_close(found, numbers, sizeof(numbers) / sizeof(numbers[0]), 1e-9); \
  } while (0)

// replicate

TEST(replicas_turn_by_multiples_of_the_angles) {
  mjModel* m = compile("<compiler eulerseq='ZYx'/>",
                       "<replicate count='3' euler='10 20 30' offset='1 2 3'>"
                       "<geom name='g' size='1' pos='1 0 0'/></replicate>",
                       NULL);
  assert_string_equal(names(m, mjOBJ_GEOM, m->ngeom), "g0 g1 g2 ");
  ASSERT_NUMBERS(m->geom_pos, 1, 0, 0, 1.9254165783983233, 2.17364817766693, 2.663175911166535,
                 3.8380123283330363, 2.7441937553791735, 5.454020572477127);
  ASSERT_NUMBERS(m->geom_quat + 8, 0.7717386786692794, 0.5141425551753832, 0.37328617311959467,
                 -0.02709756006084052);
  mj_deleteModel(m);
}

TEST(inner_replicas_get_their_suffix_first) {
  mjModel* m = compile("",
                       "<replicate count='2' sep='-'><body name='b'>"
                       "<replicate count='11'><site name='s'/></replicate></body></replicate>",
                       NULL);
  assert_int_equal(m->nsite, 22);
  assert_string_equal(names(m, mjOBJ_BODY, 3), "world b-0 b-1 ");
  assert_string_equal(names(m, mjOBJ_SITE, 3), "s00-0 s01-0 s02-0 ");
  assert_int_equal(mj_name2id(m, mjOBJ_SITE, "s10-1"), 21);
  mj_deleteModel(m);
}

TEST(without_replicas_the_content_vanishes) {
  static const char* const counts[] = {"0", "-3"};
  for (int i = 0; i < 2; i++) {
    char world[200];
    snprintf(world, sizeof(world), "<replicate count='%s'><body name='b'/></replicate>", counts[i]);
    mjModel* m = compile("", world, NULL);
    assert_int_equal(m->nbody, 1);
    mj_deleteModel(m);
  }
}

TEST(what_refers_to_the_content_is_copied) {
  mjModel* m = compile(
      "<contact><exclude name='e' body1='b' body2='o'/></contact>"
      "<equality><weld name='w' body1='b' body2='o'/><joint name='j' joint1='b'/></equality>"
      "<tendon><fixed name='t'><joint joint='b' coef='2'/></fixed></tendon>"
      "<actuator><motor name='m' tendon='t'/></actuator>",
      "<body name='o'/><replicate count='2'>" SLIDER("b") "</replicate>", NULL);
  assert_string_equal(names(m, mjOBJ_EXCLUDE, m->nexclude), "e0 e1 ");
  assert_string_equal(names(m, mjOBJ_EQUALITY, m->neq), "j0 j1 ");
  assert_string_equal(names(m, mjOBJ_TENDON, m->ntendon), "t0 t1 ");
  assert_string_equal(names(m, mjOBJ_ACTUATOR, m->nu), "m0 m1 ");
  assert_int_equal(m->actuator_trnid[2], 1);
  mj_deleteModel(m);
}

TEST(every_replica_gets_its_keyframe) {
  mjModel* m = compile(
      "<keyframe><key name='k' qpos='1 2' ctrl='5' time='3'/></keyframe>"
      "<actuator><motor joint='r'/></actuator>",
      SLIDER("a") "<replicate count='2'>" SLIDER("r") "</replicate>" SLIDER("c"), NULL);
  assert_string_equal(names(m, mjOBJ_KEY, m->nkey), "k0 k1 k ");
  ASSERT_NUMBERS(m->key_qpos, 1, 2, 0, 0, 1, 0, 2, 0, 1, 0, 0, 0);
  ASSERT_NUMBERS(m->key_ctrl, 0, 0, 0, 0, 0, 0);
  ASSERT_NUMBERS(m->key_time, 3, 3, 3);
  mj_deleteModel(m);
}

TEST(a_keyframe_may_be_for_all_replicas) {
  mjModel* m = compile(
      "<keyframe><key name='k' qpos='1 2 3 4' ctrl='5 6' time='3'/><key name='l' qvel='1 2 3'/>"
      "</keyframe><actuator><motor joint='r'/></actuator>",
      SLIDER("a") "<replicate count='2'>" SLIDER("r") "</replicate>" SLIDER("c"), NULL);
  assert_string_equal(names(m, mjOBJ_KEY, m->nkey), "k l ");
  ASSERT_NUMBERS(m->key_qpos, 1, 2, 3, 4, 0, 0, 0, 0);
  ASSERT_NUMBERS(m->key_qvel, 0, 0, 0, 0, 1, 2, 3, 0);
  ASSERT_NUMBERS(m->key_ctrl, 5, 6, 0, 0);
  ASSERT_NUMBERS(m->key_time, 3, 0);
  mj_deleteModel(m);
  refuse("<keyframe><key name='k' qpos='1 2 3 4'/></keyframe>",
         SLIDER("a") "<replicate count='2'>" SLIDER("r") "</replicate>", NULL,
         "invalid qpos size, expected 3, got 4");
}

TEST(keyframes_for_one_and_for_all_replicas_keep_their_order) {
  mjModel* m = compile("<keyframe><key name='k' qpos='1'/><key name='l' qpos='1 2'/></keyframe>",
                       "<replicate count='2'>" SLIDER("r") "</replicate>", NULL);
  assert_string_equal(names(m, mjOBJ_KEY, m->nkey), "k0 k1 k l ");
  ASSERT_NUMBERS(m->key_qpos, 1, 0, 0, 1, 0, 0, 1, 2);
  mj_deleteModel(m);
}

TEST(a_keyframe_may_be_for_nested_replicas_and_mocap_bodies) {
  mjModel* m = compile("<keyframe><key qpos='1 2 3 4' mpos='1 1 1 2 2 2'/></keyframe>",
                       "<replicate count='2'><replicate count='2' sep='_'>" SLIDER(
                           "r") "</replicate></replicate><replicate count='2'><body name='m' "
                                "mocap='true'/></replicate>",
                       NULL);
  assert_int_equal(m->nkey, 1);
  ASSERT_NUMBERS(m->key_qpos, 1, 2, 3, 4);
  ASSERT_NUMBERS(m->key_mpos, 1, 1, 1, 2, 2, 2);
  mj_deleteModel(m);
}

TEST(replicas_of_geoms_leave_keyframes_alone) {
  static const char kGeoms[] = "<replicate count='3'><geom size='.1'/></replicate>";
  char world[1000];
  for (int after = 0; after < 2; after++) {
    snprintf(world, sizeof(world), "%s%s%s", after ? kGeoms : "", SLIDER("a"), after ? "" : kGeoms);
    mjModel* m = compile("<keyframe><key name='k' qpos='.5'/></keyframe>", world, NULL);
    assert_string_equal(names(m, mjOBJ_KEY, m->nkey), "k ");
    ASSERT_NUMBERS(m->key_qpos, .5);
    mj_deleteModel(m);
  }
}

TEST(replicas_without_end_are_refused) {
  refuse("", "<replicate count='2000000000'><geom size='1'/></replicate>", NULL,
         "more than 1048576 elements");
  refuse("",
         "<replicate count='1000'><replicate count='1000'><replicate count='1000'>"
         "<geom size='1'/></replicate></replicate></replicate>",
         NULL, "more than 1048576 elements");
}

// attach

#define SUB                                                                                 \
  "<mujoco model='sub'><compiler angle='radian'/><default><geom rgba='1 0 0 1'/></default>" \
  "<asset><material name='mat'/></asset><custom><numeric name='n' data='1 2'/></custom>"    \
  "<worldbody><geom name='wg' size='.1'/><frame pos='0 0 1' euler='0 0 .5'>"                \
  "<body name='a' pos='1 0 0'><joint name='j' range='-1 1'/>"                               \
  "<geom name='g' size='1' material='mat'/><body name='a2' pos='0 1 0'>"                    \
  "<joint name='j2' type='slide'/><geom size='.1'/></body></body></frame></worldbody>"      \
  "<actuator><motor name='m' joint='j'/></actuator>"                                        \
  "<equality><joint name='e' joint1='j' joint2='j2'/></equality>"                           \
  "<keyframe><key name='k' qpos='1 2' ctrl='3'/><key time='7'/></keyframe></mujoco>"
#define MODEL "<asset><model name='s' file='sub.xml'/></asset>"

TEST(a_body_comes_without_the_frames_around_it) {
  mjModel* m = compile(
      MODEL, SLIDER("z") "<frame pos='1 2 3'><attach model='s' body='a' prefix='p_'/></frame>",
      SUB);
  assert_string_equal(names(m, mjOBJ_BODY, m->nbody), "world z p_a p_a2 ");
  ASSERT_NUMBERS(m->body_pos + 6, 2, 2, 3, 0, 1, 0);
  ASSERT_NUMBERS(m->jnt_range + 2, -1, 1);
  assert_string_equal(names(m, mjOBJ_MATERIAL, m->nmat), "p_mat ");
  assert_string_equal(names(m, mjOBJ_NUMERIC, m->nnumeric), "p_n ");
  assert_string_equal(names(m, mjOBJ_ACTUATOR, m->nu), "p_m ");
  assert_string_equal(names(m, mjOBJ_EQUALITY, m->neq), "p_e ");
  assert_string_equal(names(m, mjOBJ_KEY, m->nkey), "p_k p_ ");
  ASSERT_NUMBERS(m->key_qpos, 0, 1, 2, 0, 0, 0);
  ASSERT_NUMBERS(m->key_ctrl, 3, 0);
  mj_deleteModel(m);
}

TEST(a_whole_model_comes_with_its_world) {
  mjModel* m = compile(MODEL, "<attach model='s' prefix='p_'/>", SUB);
  assert_string_equal(names(m, mjOBJ_BODY, m->nbody), "world p_a p_a2 ");
  assert_string_equal(names(m, mjOBJ_GEOM, m->ngeom), "p_wg p_g - ");
  ASSERT_NUMBERS(m->body_pos + 3, 0.8775825618903726, 0.479425538604203, 1);
  mj_deleteModel(m);
}

TEST(what_is_there_only_moves_into_the_frame) {
  mjModel* m = compile(MODEL,
                       "<body name='p_a' pos='0 0 9'/>"
                       "<frame pos='5 5 5'><attach model='s' body='a' prefix='p_'/></frame>",
                       SUB);
  assert_int_equal(m->nbody, 2);
  ASSERT_NUMBERS(m->body_pos + 3, 5, 5, 14);
  mj_deleteModel(m);
  refuse(MODEL, "<body name='p_a'/><body name='q'><attach model='s' body='a' prefix='p_'/></body>",
         SUB,
         "Frame and body 'p_a' have mismatched parents: a body of this name is in body 'world' "
         "already, in line 1");
}

TEST(attached_models_can_be_replicated) {
  mjModel* m = compile(
      MODEL,
      SLIDER("z") "<replicate count='2'><attach model='s' body='a' prefix='p_'/></replicate>", SUB);
  assert_string_equal(names(m, mjOBJ_JOINT, m->njnt), "z p_j0 p_j20 p_j1 p_j21 ");
  assert_string_equal(names(m, mjOBJ_KEY, m->nkey), "p_k p_ ");
  ASSERT_NUMBERS(m->key_qpos, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0);
  ASSERT_NUMBERS(m->key_ctrl, 0, 0, 0, 0);
  mj_deleteModel(m);
}

TEST(what_cannot_be_attached_says_so) {
  refuse(MODEL, "<attach model='z' prefix='p'/>", SUB, "could not find model 'z'");
  refuse(MODEL, "<attach model='s' body='z' prefix='p'/>", SUB, "could not find body 'z'");
  refuse(MODEL, "<attach model='s'/>", SUB, "required attribute missing: 'prefix'");
  refuse(MODEL, "", "<mujoco><geom/></mujoco>", "(in sub.xml:1:9)");
  refuse(MODEL, "", NULL, "could not parse model file with error");
  refuse("<asset><model file='main.xml'/></asset>", "", NULL, "contains itself");
  refuse(MODEL, "", "<mujoco><asset><model file='sub.xml'/></asset></mujoco>", "contains itself");
  refuse("<asset><model file='sub.xml' content_type='text/urdf'/></asset>", "", SUB,
         "unsupported content_type: text/urdf");
}

TEST(a_frame_comes_without_the_frames_around_it) {
  static const char sub[] =
      "<mujoco model='sub'><worldbody><frame pos='5 0 0'><frame name='f' pos='0 0 7'>"
      "<body name='a' pos='1 0 0'><joint name='j'/><geom size='.1'/></body><geom name='x' "
      "size='.2'/></frame></frame></worldbody></mujoco>";
  mjModel* m =
      compile(MODEL, "<frame pos='0 0 1'><attach model='s' frame='f' prefix='p_'/></frame>", sub);
  assert_string_equal(names(m, mjOBJ_BODY, m->nbody), "world p_a ");
  ASSERT_NUMBERS(m->body_pos + 3, 1, 0, 8);
  ASSERT_NUMBERS(m->geom_pos, 0, 0, 8);
  mj_deleteModel(m);
  refuse(MODEL, "<attach model='s' frame='z' prefix='p_'/>", sub, "could not find frame 'z'");
  refuse(MODEL, "<attach model='s' frame='f' body='a' prefix='p_'/>", sub,
         "at most one of 'body', 'frame' can be specified");
}

#define OWN                                                                \
  "<body name='b' pos='1 0 0'><joint name='j'/><geom name='g' size='.1'/>" \
  "<body name='c' pos='0 1 0'><geom name='gc' size='.1'/></body></body>"
#define OWN_USERS                                                                          \
  "<actuator><motor name='a' joint='j'/></actuator><sensor><jointpos name='s' joint='j'/>" \
  "</sensor><contact><exclude body1='b' body2='c'/></contact><keyframe><key "              \
  "qpos='.5'/></keyframe>"

TEST(a_part_of_the_model_itself_is_copied_with_what_refers_to_it) {
  mjModel* m = compile(OWN_USERS,
                       OWN
                       "<frame pos='0 0 1'><attach body='b' prefix='p_'/></frame>"
                       "<frame pos='0 0 2'><attach body='b' prefix='q_'/></frame>",
                       NULL);
  assert_string_equal(names(m, mjOBJ_BODY, m->nbody), "world b c p_b p_c q_b q_c ");
  assert_string_equal(names(m, mjOBJ_ACTUATOR, m->nu), "a p_a q_a ");
  assert_string_equal(names(m, mjOBJ_SENSOR, m->nsensor), "s p_s q_s ");
  assert_int_equal(m->nexclude, 3);
  ASSERT_NUMBERS(m->body_pos + 9, 1, 0, 1);
  ASSERT_NUMBERS(m->body_pos + 15, 1, 0, 2);
  assert_int_equal(m->nkey, 1);
  ASSERT_NUMBERS(m->key_qpos, 0.5, 0, 0);
  mj_deleteModel(m);
}

TEST(a_frame_of_the_model_itself_is_copied_without_the_frames_around_it) {
  mjModel* m = compile("",
                       "<frame pos='5 0 0'><frame name='f' pos='0 0 7'>" OWN
                       "<geom name='x' size='.2'/></frame></frame>"
                       "<frame pos='0 0 3'><attach frame='f' prefix='p_'/></frame>",
                       NULL);
  assert_string_equal(names(m, mjOBJ_BODY, m->nbody), "world b c p_b p_c ");
  assert_string_equal(names(m, mjOBJ_GEOM, m->ngeom), "x p_x g gc p_g p_gc ");
  ASSERT_NUMBERS(m->body_pos + 3, 6, 0, 7);
  ASSERT_NUMBERS(m->body_pos + 9, 1, 0, 10);
  ASSERT_NUMBERS(m->geom_pos, 5, 0, 7, 0, 0, 10);
  mj_deleteModel(m);
}

TEST(a_body_in_itself_is_copied_once) {
  mjModel* m = compile("",
                       "<body name='b' pos='1 0 0'><geom name='g' size='.1'/>"
                       "<attach body='b' prefix='p_'/></body>",
                       NULL);
  assert_string_equal(names(m, mjOBJ_BODY, m->nbody), "world b p_b ");
  ASSERT_NUMBERS(m->body_pos + 3, 1, 0, 0, 1, 0, 0);
  mj_deleteModel(m);
}

TEST(only_what_stands_before_can_be_attached_to_the_model_itself) {
  refuse("", "<attach body='b' prefix='p_'/>" OWN, NULL,
         "could not find body 'b' in the current model for self-attachment");
  refuse("", OWN "<attach frame='b' prefix='p_'/>", NULL,
         "could not find frame 'b' in the current model for self-attachment");
  refuse("", OWN "<attach prefix='p_'/>", NULL,
         "either 'body' or 'frame' attribute must be specified for self-attach");
  refuse("", OWN "<attach body='b' prefix=''/>", NULL,
         "cannot self-attach: element b already exists");
  refuse("", OWN "<attach body='b'/>", NULL, "required attribute missing: 'prefix'");
}

TEST(settings_of_a_submodel_meet_those_of_the_model) {
  static const char sub[] =
      "<mujoco model='sub'><option timestep='1'/><worldbody><body name='a'/>"
      "</worldbody></mujoco>";
  static const char world[] = "<attach model='s' body='a' prefix='p_'/>";
  mjModel* m = compile(MODEL "<compiler conflict='merge'/>", world, sub);
  assert_that(m->opt.timestep, ==, 1);
  mj_deleteModel(m);
  m = compile(MODEL "<option timestep='.5'/>", world, sub);
  assert_that(m->opt.timestep, ==, 0.5);
  mj_deleteModel(m);
  refuse(MODEL "<compiler conflict='error'/><option timestep='.5'/>", world, sub,
         "timestep: parent has 0.5, child has 1");
}

TEST(a_spec_whose_parts_went_elsewhere_is_not_compiled) {
  mjSpec *parent = mj_makeSpec(), *child = mj_parseXMLString(SUB, NULL, NULL, 0);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
  assert_non_null(mjs_attach(frame->element, mjs_findBody(child, "a")->element, "p_", ""));
  assert_null(mj_compile(child, NULL));
  assert_non_null(strstr(mjs_getError(child),
                         "cannot compile child spec if attached by reference to a parent spec"));
  mjModel* m = mj_compile(parent, NULL);
  assert_non_null(m);
  assert_string_equal(names(m, mjOBJ_KEY, m->nkey), "p_k p_ ");
  mj_deleteModel(m);
  mj_deleteSpec(child);
  mj_deleteSpec(parent);
}

// equality

#define BODIES                                                                          \
  "<body name='a'><joint name='j'/><geom size='1'/><site name='s' pos='1 0 0'/></body>" \
  "<body name='b' pos='1 2 3'><joint name='k'/><geom size='1'/><site name='t'/></body>"

TEST(equalities_relate_bodies_sites_joints_and_tendons) {
  mjModel* m = compile(
      "<tendon><fixed name='f'><joint joint='j' coef='1'/></fixed></tendon>"
      "<default><default class='c'><equality solref='.5' active='false'/></default></default>"
      "<equality><connect body1='a' body2='b' anchor='1 2 3'/><connect site1='s' site2='t'/>"
      "<weld body1='a'/><weld body1='a' relpose='1 2 3 1 1 0 0' torquescale='7' anchor='4 5 6'/>"
      "<weld site1='s' site2='t' torquescale='3'/><joint joint1='j' joint2='k' polycoef='2 3'/>"
      "<tendon class='c' tendon1='f'/></equality>",
      BODIES, NULL);
  assert_int_equal(m->neq, 7);
  ASSERT_NUMBERS(m->eq_data, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 1);
  ASSERT_NUMBERS(m->eq_data + 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  ASSERT_NUMBERS(m->eq_data + 22, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1);
  ASSERT_NUMBERS(m->eq_data + 33, 4, 5, 6, 1, 2, 3, 0.7071067811865475, 0.7071067811865475, 0, 0,
                 7);
  ASSERT_NUMBERS(m->eq_data + 44, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 3);
  ASSERT_NUMBERS(m->eq_data + 55, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  ASSERT_NUMBERS(m->eq_data + 66, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  ASSERT_NUMBERS(m->eq_solref + 2 * 6, 0.5, 1);
  assert_int_equal(m->eq_active0[5], 1);
  assert_int_equal(m->eq_active0[6], 0);
  assert_int_equal(m->eq_objtype[1], mjOBJ_SITE);
  assert_int_equal(m->eq_obj2id[5], 1);
  assert_int_equal(m->eq_obj2id[6], -1);
  mj_deleteModel(m);
}

TEST(half_an_equality_is_refused) {
  static const struct {
    const char *equality, *message;
  } cases[] = {
      {"<connect body1='a'/>", "either both body1 and anchor must be defined"},
      {"<connect site1='s' site2='t' body1='a'/>", "body and site semantics cannot be mixed"},
      {"<weld site1='s'/>", "either body1 must be defined and optionally"},
      {"<weld site1='s' site2='t' relpose='0 0 0 1 0 0 0'/>", "semantics cannot be mixed"},
      {"<weld body1='a' relpose='1 2'/>", "does not have enough data"},
      {"<connect body1='z' anchor='1 2 3'/>", "unknown element 'z' in equality constraint"},
      {"<weld body1='world'/>", "element 'world' is repeated in equality constraint 0"},
      {"<joint joint2='k'/>", "required attribute missing: 'joint1'"},
      {"<distance/>", "unrecognized element"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[300];
    snprintf(text, sizeof(text), "<equality>%s</equality>", cases[i].equality);
    refuse(text, BODIES, NULL, cases[i].message);
  }
}

// keyframes

TEST(a_joint_that_a_key_began_ends_in_zeros) {
  static const char world[] =
      "<body pos='1 2 3' quat='0 1 0 0'><freejoint/><geom size='1'/></body>"
      "<body><joint ref='90'/><geom size='1'/></body>";
  mjModel* m =
      compile("<keyframe><key qpos='1'/><key qpos='1 2 3 0 0 2'/></keyframe>", world, NULL);
  ASSERT_NUMBERS(m->key_qpos, 1, 0, 0, 1, 0, 0, 0, 90, 1, 2, 3, 0, 0, 1, 0, 90);
  mj_deleteModel(m);
}

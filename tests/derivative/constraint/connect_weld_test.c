// Equalities that tie two bodies, each alone, against differences.

#include "derivative/constraint/connect_weld.h"

#include "derivative/constraint/rows.h"

// Two arms, or one and the world.
#define ARMS                                                                                      \
  "<mujoco><option><flag contact='disable'/></option><worldbody><body name='a' pos='0 0 1'>"      \
  "<joint type='ball'/><joint type='slide' axis='1 2 0'/><geom type='box' size='.1 .2 .3'/>"      \
  "<site name='sa' pos='.1 .2 .3' euler='10 20 30'/></body><body name='b' pos='.6 .1 1'>"         \
  "<joint axis='0 1 0'/><geom size='.1'/><body name='c' pos='0 .3 0'><joint axis='1 0 1'/>"       \
  "<geom type='box' size='.2 .1 .1' pos='.1 0 0'/><site name='sc' pos='0 .1 .1' euler='0 0 40'/>" \
  "</body></body></worldbody><equality>%s</equality></mujoco>"

static const char* const ties[] = {
    "<connect body1='a' body2='c' anchor='.1 .05 .02'/>",
    "<connect body1='a' anchor='-.1 .2 0' solref='-300 -20'/>",
    "<connect site1='sa' site2='sc' solimp='.5 .99 .5 .4 3'/>",
    "<weld body1='a' body2='c' relpose='.1 .2 .3 .9 .1 .2 .3' torquescale='.7'/>",
    "<weld body1='c' torquescale='2' solref='-300 -20'/>",
    "<weld site1='sa' site2='sc' solimp='.5 .99 .5 .4 3'/>"};

static void partials(Couplings* of, Load* loads, const RowLaw* law) {
  (void)loads;
  assert_int_equal(connect_weld_partials(of, law, 0), law->d->nefc);
}

static void vjp(ConstraintVjp* of) {
  assert_int_equal(connect_weld_vjp(of, 0), of->d->nefc);
}

TEST_EACH(forces_change_as_differences_say, ties) {
  DOUBLE_ONLY();
  char xml[2000];
  snprintf(xml, sizeof(xml), ARMS, text);
  Scene s = scene_make(xml, 0.5);
  check_partials(&s, partials, 1e-6);
  check_vjp(&s, vjp, 1e-6);
  scene_free(&s);
}

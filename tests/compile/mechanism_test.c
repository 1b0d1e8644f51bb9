// Tendons and actuators that are refused, with the reference's own phrase in the message.

#include "support/zoo.h"

static const char kWorld[] =
    "<worldbody><site name='w'/><geom name='cyl' type='cylinder' size='.1 .1'/><body>"
    "<joint name='j' axis='0 1 0'/><joint name='s' type='slide'/><geom name='g' size='.1'/>"
    "<geom name='bx' type='box' size='.1 .1 .1'/><site name='a'/><site name='b' pos='1 0 0'/>"
    "<body><joint name='ball' type='ball'/><geom size='.1'/></body></body></worldbody>";

static const struct {
  const char *settings, *content, *phrase;
} refused[] = {
    {"", "<tendon><spatial name='t'></spatial></tendon>",
     "tendon 't' (id = 0): path cannot be empty"},
    {"", "<tendon><spatial name='t'><site site='a'/></spatial></tendon>",
     "tendon 't' (id = 0): spatial path must contain at least two objects"},
    {"", "<tendon><spatial name='t'><pulley divisor='2'/><site site='a'/></spatial></tendon>",
     "tendon 't' (id = 0): site 1 needs a neighbor that is not a pulley"},
    {"",
     "<tendon><spatial name='t'><site site='a'/><site site='b'/><pulley divisor='2'/><pulley "
     "divisor='2'/><site site='a'/><site site='b'/></spatial></tendon>",
     "tendon 't' (id = 0): consecutive pulleys (pos 3)"},
    {"",
     "<tendon><spatial name='t'><site site='a'/><site site='b'/><pulley "
     "divisor='2'/></spatial></tendon>",
     "tendon 't' (id = 0): path ends with pulley"},
    {"",
     "<tendon><spatial name='t'><site site='a'/><site site='b'/><pulley divisor='2'/><site "
     "site='a'/><pulley divisor='2'/><site site='a'/><site site='b'/></spatial></tendon>",
     "tendon 't' (id = 0): site 3 needs a neighbor that is not a pulley"},
    {"", "<tendon><spatial name='t'><site site='a'/><site site='a'/></spatial></tendon>",
     "tendon 't' (id = 0): site 0 is repeated"},
    {"",
     "<tendon><spatial name='t'><geom geom='g' /><site site='a'/><site "
     "site='b'/></spatial></tendon>",
     "tendon 't' (id = 0): geom at pos 0 not bracketed by sites"},
    {"",
     "<tendon><spatial name='t'><site site='a'/><site site='b'/><geom geom='g' "
     "/></spatial></tendon>",
     "tendon 't' (id = 0): geom at pos 2 not bracketed by sites"},
    {"",
     "<tendon><spatial name='t'><site site='a'/><geom geom='g' /><geom geom='cyl' /><site "
     "site='b'/></spatial></tendon>",
     "tendon 't' (id = 0): geom at pos 1 not bracketed by sites"},
    {"",
     "<tendon><spatial name='t'><site site='a'/><geom geom='bx' /><site "
     "site='b'/></spatial></tendon>",
     "geom 'bx' in tendon 0, wrap 1 is not sphere or cylinder"},
    {"", "<tendon><spatial name='t'><site site='zz'/><site site='b'/></spatial></tendon>",
     "site 'zz' not found in wrap 0"},
    {"",
     "<tendon><spatial name='t'><site site='a'/><geom geom='zz' /><site "
     "site='b'/></spatial></tendon>",
     "geom 'zz' not found in tendon 0, wrap 1"},
    {"",
     "<tendon><spatial name='t'><site site='a'/><geom geom='g' sidesite='zz'/><site "
     "site='b'/></spatial></tendon>",
     "side site 'zz' not found in tendon 0, wrap 1"},
    {"",
     "<tendon><spatial name='t'><site site='a'/><site site='b'/><pulley divisor='-2'/><site "
     "site='a'/><site site='b'/></spatial></tendon>",
     "pulley has negative divisor in tendon 0, wrap 2"},
    {"",
     "<tendon><spatial name='t' armature='1'><site site='a'/><geom geom='g' /><site "
     "site='b'/></spatial></tendon>",
     "tendon 't' (id = 0): geom wrapping not supported by tendon armature"},
    {"",
     "<tendon><spatial name='t' armature='-1'><site site='a'/><site site='b'/></spatial></tendon>",
     "tendon 't' (id = 0): tendon armature cannot be negative"},
    {"", "<tendon><spatial name='t' width='0'><site site='a'/><site site='b'/></spatial></tendon>",
     "tendon 't' (id = 0) must have positive width"},
    {"",
     "<tendon><spatial name='t' range='2 1' limited='true'><site site='a'/><site "
     "site='b'/></spatial></tendon>",
     "invalid limits in tendon"},
    {"",
     "<tendon><spatial name='t' springlength='2 1'><site site='a'/><site "
     "site='b'/></spatial></tendon>",
     "invalid springlength in tendon"},
    {"",
     "<tendon><spatial name='t' actuatorfrcrange='2 1' actuatorfrclimited='true'><site "
     "site='a'/><site site='b'/></spatial></tendon>",
     "invalid actuatorfrcrange in tendon"},
    {"", "<tendon><spatial name='t'><site/><site site='b'/></spatial></tendon>",
     "required attribute missing: 'site'"},
    {"",
     "<tendon><spatial name='t'><site site='a'/><site site='b'/><pulley/><site site='a'/><site "
     "site='b'/></spatial></tendon>",
     "required attribute missing: 'divisor'"},
    {"", "<tendon><spatial name='t'><joint joint='j' coef='1'/><site site='a'/></spatial></tendon>",
     "Schema violation: unrecognized element"},
    {"", "<tendon><fixed name='t'/></tendon>", "tendon 't' (id = 0): path cannot be empty"},
    {"", "<tendon><fixed><joint joint='zz' coef='1'/></fixed></tendon>",
     "joint 'zz' not found in tendon 0, wrap 0"},
    {"", "<tendon><fixed><joint joint='j'/></fixed></tendon>",
     "required attribute missing: 'coef'"},
    {"<compiler autolimits='false'/>",
     "<tendon><spatial name='t' range='1 2'><site site='a'/><site site='b'/></spatial></tendon>",
     "tendon has `range` but not `limited`. set the autolimits=\"true\" compiler option, specify "
     "`limited` explicitly (\"true\" or \"false\"), or remove the `range` attribute."},
    {"",
     "<tendon><spatial name='t' material='zz'><site site='a'/><site site='b'/></spatial></tendon>",
     "material 'zz' not found in tendon 0"},
    {"", "<actuator><motor name='m'/></actuator>", "missing transmission target for actuator"},
    {"",
     "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon><actuator><motor "
     "joint='j' tendon='t'/></actuator>",
     "actuator can have at most one of transmission target"},
    {"", "<actuator><motor joint='zz'/></actuator>",
     "unknown transmission target 'zz' for actuator id = 0"},
    {"",
     "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon><actuator><motor "
     "tendon='zz'/></actuator>",
     "transmission target 'zz' not found in actuator 0"},
    {"", "<actuator><motor site='zz'/></actuator>",
     "transmission target 'zz' not found in actuator 0"},
    {"", "<actuator><adhesion body='zz' ctrlrange='0 1'/></actuator>",
     "transmission target 'zz' not found in actuator 0"},
    {"", "<actuator><motor cranksite='zz' slidersite='a' cranklength='1'/></actuator>",
     "transmission target 'zz' not found in actuator 0"},
    {"", "<actuator><motor cranksite='a' slidersite='zz' cranklength='1'/></actuator>",
     "base site 'zz' not found for actuator 0"},
    {"", "<actuator><motor cranksite='a' cranklength='1'/></actuator>",
     "missing base site for slider-crank '' (id = 0)"},
    {"", "<actuator><motor cranksite='a' slidersite='b'/></actuator>",
     "crank length must be positive in actuator '' (id = 0)"},
    {"", "<actuator><motor joint='j' cranklength='1'/></actuator>",
     "cranklength and slidersite can only be used in slidercrank transmission"},
    {"", "<actuator><motor joint='j' slidersite='a'/></actuator>",
     "cranklength and slidersite can only be used in slidercrank transmission"},
    {"", "<actuator><motor joint='j' refsite='a'/></actuator>",
     "refsite can only be used with site transmission"},
    {"", "<actuator><motor site='a' refsite='zz'/></actuator>",
     "reference site 'zz' not found for actuator 0"},
    {"", "<actuator><muscle joint='j' range='1 .5' lengthrange='0 1'/></actuator>",
     "range[0]<range[1] required in muscle"},
    {"", "<actuator><muscle joint='j' lmin='1.2' lengthrange='0 1'/></actuator>",
     "lmin<1<lmax required in muscle"},
    {"", "<actuator><muscle joint='j' lmax='.9' lengthrange='0 1'/></actuator>",
     "lmin<1<lmax required in muscle"},
    {"", "<actuator><muscle joint='j' scale='0' lengthrange='0 1'/></actuator>",
     "positive scale, vmax, fpmax, fvmax required in muscle '' (id = 0)"},
    {"", "<actuator><muscle joint='j' vmax='0' lengthrange='0 1'/></actuator>",
     "positive scale, vmax, fpmax, fvmax required in muscle '' (id = 0)"},
    {"", "<actuator><muscle joint='j' tausmooth='-1' lengthrange='0 1'/></actuator>",
     "muscle tausmooth cannot be negative"},
    {"", "<actuator><muscle joint='j' fpmax='0' lengthrange='0 1'/></actuator>",
     "positive scale, vmax, fpmax, fvmax required in muscle '' (id = 0)"},
    {"", "<actuator><muscle joint='j'/></actuator>",
     "Lengthrange computation did not converge in actuator 0:"},
    {"", "<actuator><muscle joint='s'/></actuator>",
     "Lengthrange computation did not converge in actuator 0:"},
    {"", "<actuator><muscle name='q' joint='j' lengthrange='1 0'/></actuator>",
     "Lengthrange computation did not converge in actuator 0:"},
    {"", "<actuator><muscle joint='ball'/></actuator>",
     "Lengthrange computation did not converge in actuator 0:"},
    {"", "<actuator><adhesion body='world' gain='-1' ctrlrange='0 1'/></actuator>",
     "adhesion gain cannot be negative"},
    {"", "<actuator><adhesion body='world' ctrlrange='-1 1'/></actuator>",
     "adhesion control range cannot be negative"},
    {"", "<actuator><adhesion body='world'/></actuator>", "invalid control range for actuator"},
    {"", "<actuator><damper joint='j' kv='-1' ctrlrange='0 1'/></actuator>",
     "damping coefficient cannot be negative"},
    {"", "<actuator><damper joint='j' kv='1' ctrlrange='-1 1'/></actuator>",
     "damper control range cannot be negative"},
    {"", "<actuator><damper joint='j' kv='1'/></actuator>", "invalid control range for actuator"},
    {"", "<actuator><position joint='j' kv='1' dampratio='1'/></actuator>",
     "kv and dampratio cannot both be defined"},
    {"", "<actuator><position joint='j' kv='-1'/></actuator>", "kv cannot be negative"},
    {"", "<actuator><position joint='j' dampratio='-1'/></actuator>",
     "dampratio cannot be negative"},
    {"", "<actuator><position joint='j' timeconst='-1'/></actuator>",
     "timeconst cannot be negative"},
    {"", "<actuator><position joint='j' inheritrange='1' ctrlrange='0 1'/></actuator>",
     "ctrlrange and inheritrange cannot both be defined"},
    {"", "<actuator><position joint='j' inheritrange='1'/></actuator>",
     "inheritrange used but target 'j' has no range defined in actuator 0"},
    {"", "<actuator><position joint='ball' inheritrange='1'/></actuator>",
     "inheritrange can only be used with hinge and slide joints, actuator"},
    {"", "<actuator><position site='a' inheritrange='1'/></actuator>",
     "inheritrange can only be used with joint and tendon transmission, actuator"},
    {"", "<actuator><intvelocity joint='j' inheritrange='1' actrange='0 1'/></actuator>",
     "actrange and inheritrange cannot both be defined"},
    {"", "<actuator><cylinder joint='j' bias='1'/></actuator>",
     "attribute 'bias' does not have enough data"},
    {"", "<actuator><general joint='j' actrange='0 1'/></actuator>",
     "actrange specified but dyntype is 'none' in actuator"},
    {"", "<actuator><general joint='j' dyntype='filter' actdim='2'/></actuator>",
     "actdim > 1 is only allowed for dyntype 'user' in actuator"},
    {"", "<actuator><general joint='j' actdim='1'/></actuator>",
     "invalid actdim 1 in stateless actuator"},
    {"", "<actuator><general joint='j' dyntype='filter' actdim='0'/></actuator>",
     "invalid actdim 0 in stateful actuator"},
    {"", "<actuator><motor joint='j' forcerange='1 0' forcelimited='true'/></actuator>",
     "invalid force range for actuator"},
    {"", "<actuator><motor joint='j' ctrlrange='1 0' ctrllimited='true'/></actuator>",
     "invalid control range for actuator"},
    {"",
     "<actuator><general joint='j' dyntype='filter' actrange='1 0' actlimited='true'/></actuator>",
     "invalid actrange for actuator"},
    {"<compiler autolimits='false'/>", "<actuator><motor joint='j' ctrlrange='0 1'/></actuator>",
     "actuator has `ctrlrange` but not `ctrllimited`. set the autolimits=\"true\" compiler option, "
     "specify `ctrllimited` explicitly (\"true\" or \"false\"), or remove the `ctrlrange` "
     "attribute."},
    {"<compiler autolimits='false'/>", "<actuator><motor joint='j' forcerange='0 1'/></actuator>",
     "actuator has `forcerange` but not `forcelimited`. set the autolimits=\"true\" compiler "
     "option, specify `forcelimited` explicitly (\"true\" or \"false\"), or remove the "
     "`forcerange` attribute."},
    {"", "<actuator><motor name='m' joint='j'/><motor name='m' joint='j'/></actuator>",
     "repeated name 'm' in actuator"},
    {"", "<actuator><muscle site='a'/></actuator>",
     "Schema violation: unrecognized attribute: 'site'"},
    {"", "<actuator><general joint='j' body='world'/></actuator>",
     "actuator can have at most one of transmission target"},
    {"<compiler><lengthrange mode='all'/></compiler>", "<actuator><motor joint='j'/></actuator>",
     "Lengthrange computation did not converge in actuator 0:"},
    {"<compiler><lengthrange mode='all' tolrange='.0001'/></compiler>",
     "<actuator><motor joint='s'/></actuator>",
     "Lengthrange computation did not converge in actuator 0:"},
    {"<compiler><lengthrange mode='all'/></compiler>",
     "<actuator><motor site='a' gear='0 0 1'/></actuator>",
     "Invalid lengthrange (0, 0) in actuator 0"},
    {"<compiler><lengthrange mode='some'/></compiler>", "<actuator><motor joint='j'/></actuator>",
     "invalid keyword: 'some'"},
    {"<compiler><lengthrange/><lengthrange/></compiler>", "<actuator><motor joint='j'/></actuator>",
     "Schema violation: unique element 'lengthrange' found 2 times"},
};

TEST(refused_for_the_same_reason) {
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    char xml[2000], error[1000] = "";
    snprintf(xml, sizeof xml, "<mujoco>%s%s%s</mujoco>", refused[i].settings, kWorld,
             refused[i].content);
    mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof error);
    mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
    const char* message = spec ? mjs_getError(spec) : error;
    if (m || !strstr(message, refused[i].phrase)) {
      fail_msg("%s%s: expected '%s', got '%s'", refused[i].settings, refused[i].content,
               refused[i].phrase, m ? "a model" : message);
    }
    mj_deleteSpec(spec);
  }
}

// A pair inherits from the geom of higher priority, however far apart the two are.
TEST(a_pair_inherits_from_the_higher_priority) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom name='low' size='1' priority='-2000000000' friction='.1 .2 .3'/>"
      "<body><freejoint/><geom name='high' size='1' priority='2000000000' friction='.4 .5 .6'/>"
      "</body></worldbody><contact><pair geom1='low' geom2='high' friction='nan'/>"
      "<pair geom1='high' geom2='low' friction='nan'/></contact></mujoco>");
  for (int i = 0; i < 2; i++) {
    assert_that(m->pair_friction[5 * i], ==, (mjtNum)0.4);
    assert_that(m->pair_friction[5 * i + 2], ==, (mjtNum)0.5);
  }
}

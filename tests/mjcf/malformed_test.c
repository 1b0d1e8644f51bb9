// Broken models: each must give its own message at its own place. An '@' in a text marks the place
// that is expected and is taken out before the text is loaded. The phrases are those that the
// reference uses.

#include <condyle/load.h>

#include "support/load.h"
#include "support/test.h"

typedef struct Case_ {
  const char* text;
  const char* phrase;
} Case;

#define WORLD(x) "<mujoco>\n <worldbody>\n  " x "\n </worldbody>\n</mujoco>"
#define BODY(x) WORLD("<body name='b'>\n   <geom name='g' size='.1'/>\n   " x "\n  </body>")
#define MODEL(x)                                                                        \
  "<mujoco>\n <worldbody>\n  <body name='b'>\n   <joint name='j'/>\n   <geom name='g' " \
  "size='.1'/>\n  </body>\n"                                                            \
  " </worldbody>\n " x "\n</mujoco>"

// the text is no XML, or more than XML should be allowed to be
static const Case syntax[] = {
    {"@", "root element not found"},
    {"  \n  @", "root element not found"},
    {"<mujoco>\n <worldbody>\n@", "XML parse error"},
    {"<mujoco>\n <worldbody>\n  @<geom size='1'", "XML parse error"},
    {"<mujoco>\n <worldbody>\n </@mujoco>", "mismatched tag"},
    {"<mujoco>\n <option timestep='1' @timestep='2'/></mujoco>", "duplicate attribute"},
    {"<mujoco>\n <option timestep=@1/></mujoco>", "not well-formed"},
    {"<mujoco/>\n@<mujoco>", "junk after document element"},
    {"<mujoco/>\n@text", "junk after document element"},
    {"<mujoco/>\n<mujoco/>@text", "junk after document element"},
    {"<!-- - -- - -->text@<mujoco/>", "not well-formed"},
    {"<mujoco model='&&'>\n<!-- -- --> </@m>", "mismatched tag"},
    {"<mujoco>\n <option timestep='@&#1;'/></mujoco>", "invalid character number"},
    {"<mujoco>\n <option timestep='@\x01'/></mujoco>", "not well-formed"},
    {"<!DOCTYPE mujoco @[<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'><!ENTITY c "
     "'&b;&b;&b;'>]>\n<mujoco model='&c;'/>",
     "document type definition is not allowed"},
    {"<!DOCTYPE mujoco @[<!ENTITY x SYSTEM 'file:///etc/passwd'>]>\n<mujoco model='&x;'/>",
     "document type definition is not allowed"},
    {"<!DOCTYPE mujoco SYSTEM 'http://localhost/a.dtd'@>\n<mujoco/>",
     "document type definition is not allowed"},
};

// XML, but not MJCF
static const Case grammar[] = {
    {"\n@<foo/>", "Unrecognized XML model type: 'foo'"},
    {"@<Mujoco/>", "unrecognized element"},
    {"@<urdf/>", "Unrecognized XML model type: 'urdf'"},
    {WORLD("<geom size='1' @frction='1'/>"), "unrecognized attribute: 'frction'"},
    {WORLD("@<gem size='1'/>"), "unrecognized element"},
    {WORLD("@<motor/>"), "unrecognized element"},
    {"<mujoco>\n <asset>\n  @<worldbody/></asset></mujoco>", "unrecognized element"},
    {"<mujoco>\n <option>\n  <flag/>@<flag/></option></mujoco>",
     "unique element 'flag' found 2 times"},
    {"<mujoco><default><joint/>@<joint/></default></mujoco>",
     "unique element 'joint' found 2 times"},
    {"<mujoco><default><geom @name='x'/></default></mujoco>", "unrecognized attribute: 'name'"},
    {WORLD("<frame>@<foo/></frame>"), "unrecognized model element 'foo'"},
    {WORLD("<frame><body>@<foo/></body></frame>"), "unrecognized model element 'foo'"},
    {WORLD("@<replicate/>"), "required attribute missing: 'count'"},
    {WORLD("<replicate @count='x'><geom size='1'/></replicate>"),
     "bad format in attribute 'count'"},
    {WORLD("<composite @type='rope' count='5'/>"), "Please use \"cable\" instead"},
    {WORLD("@<composite type='cable'/>"), "geom type must be"},
    {WORLD("@<flexcomp type='grid'/>"), "required attribute missing: 'name'"},
    {WORLD("<flexcomp name='f' @count='3 0 1'/>"), "Count too small"},
    {WORLD("<flexcomp name='f' @count='3 3 2'/>"), "the third count of a sheet must be 1"},
    {WORLD("<flexcomp name='f' @spacing='.001 1 1'/>"),
     "Spacing must be larger than geometry size: 0.001 is less than two radii and the margin, "
     "0.01"},
    {WORLD("<flexcomp name='f' @dim='4'/>"), "Invalid dim"},
    {WORLD("<flexcomp name='f' count='3 3 1'><pin @id='9'/></flexcomp>"), "pin id out of range"},
    {WORLD("<flexcomp name='f' count='3 3 1'><pin @grid='0 3'/></flexcomp>"),
     "pin grid out of range"},
    {WORLD("<flexcomp name='f' count='3 3 1'><pin @range='1'/></flexcomp>"),
     "pin range must have pairs"},
    {WORLD("<flexcomp name='f' type='direct' point='0 0 0' @element='0 1 2'/>"),
     "element 0 has point id 1, number of points is 1"},
    {"<mujoco><extension><plugin plugin='mujoco.elasticity.cable'/></extension><worldbody><body "
     "name='b'><plugin plugin='mujoco.elasticity.cable'/><flexcomp name='f' count='3 3 1'><pin "
     "id='0'/>@<plugin plugin='mujoco.elasticity.cable'/></flexcomp></body></worldbody></mujoco>",
     "pinned vertices are of the parent body"},
    {WORLD("<body>@<flexcomp name='f'/></body>"), "Parent body must have name"},
    {WORLD("<flexcomp name='f' type='gmsh' @file='no_such_file.msh'/>"), "Error opening file"},
    {"<mujoco><deformable>@<flex body='b'/></deformable></mujoco>",
     "required attribute missing: 'element'"},
    {"<mujoco><deformable>@<flex body='world' vertex='0 0 0 1 0 0 0 1 0' element='0 1 3'/>"
     "</deformable></mujoco>",
     "elem vertex id out of range"},
    {"<mujoco><deformable>@<flex body='world' vertex='0 0 0 1 0 0 0 1 0' element='0 1 1'/>"
     "</deformable></mujoco>",
     "repeated vertex in element 0"},
    {"<mujoco><deformable>@<flex body='world world' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2'/>"
     "</deformable></mujoco>",
     "it needs a body per vertex"},
    {"<mujoco>@<include/></mujoco>", "required attribute missing: 'file'"},
    {"<mujoco>@<include file='a'><b/></include></mujoco>", "Include element cannot have children"},
    {"<mujoco><include @file='no_such_file.xml'/></mujoco>", "Error opening file"},
};

// attributes whose text is no value
static const Case values[] = {
    {WORLD("<geom @size='1 2 3 4'/>"), "attribute 'size' has too much data"},
    {WORLD("<geom\n @size='a'/>"), "bad format in attribute 'size'"},
    {WORLD("<geom @size='1,2'/>"), "bad format in attribute 'size'"},
    {WORLD("<geom size='1' @pos='1 2'/>"), "attribute 'pos' does not have enough data"},
    {WORLD("<geom @size='1e400'/>"), "number is too large in attribute 'size'"},
    {WORLD("<geom size='1' @rgba='1e39 0 0 1'/>"), "number is too large in attribute 'rgba'"},
    {"<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' @elevation='0 1 2 inf'/>"
     "</asset></mujoco>",
     "elevation 3 is inf, must be finite and at most 3.40282e+38 in size"},
    {"<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' @elevation='0 -1e300 2 3'/>"
     "</asset></mujoco>",
     "elevation 1 is -1e+300, must be finite and at most 3.40282e+38 in size"},
    {"<mujoco><asset><mesh name='m' builtin='cone' @params='5001 1'/></asset></mujoco>",
     "Cone cannot have more than 5000 edges"},
    {"<mujoco><asset><mesh name='m' builtin='supersphere' @params='501 1 1'/></asset></mujoco>",
     "Supersphere resolution cannot be greater than 500"},
    {"<mujoco><asset><mesh name='m' builtin='supertorus' @params='501 .5 1 1'/></asset></mujoco>",
     "Supertorus resolution cannot be greater than 500"},
    {"<mujoco><asset><mesh name='m' builtin='wedge' @params='401 400 60 40 .5'/></asset></mujoco>",
     "Horizontal and vertical resolutions cannot have a product greater than 160000"},
    {"<mujoco><asset><mesh name='m' builtin='plate' @params='2 80001'/></asset></mujoco>",
     "Horizontal and vertical resolutions cannot have a product greater than 160000"},
    {WORLD("<geom size='1' @contype='1.5'/>"), "problem reading attribute 'contype'"},
    {WORLD("<geom size='1' @contype=''/>"), "problem reading attribute 'contype'"},
    {WORLD("<geom size='1' @contype='1 2'/>"), "attribute 'contype' has too much data"},
    {WORLD("<geom size='1' @contype='99999999999'/>"), "problem reading attribute 'contype'"},
    {WORLD("<geom size='1' @type='bx'/>"), "invalid keyword: 'bx'"},
    {"<mujoco><option @integrator='RK5'/></mujoco>", "invalid keyword: 'RK5'"},
    {"<mujoco><option><flag @contact='off'/></option></mujoco>", "invalid keyword: 'off'"},
    {WORLD("<geom size='1' @quat='0 0 0 0'/>"), "zero quaternion is not allowed"},
    {WORLD("<geom size='1' quat='1 0 0 0' @euler='0 0 0'/>"),
     "multiple orientation specifiers are not allowed"},
};

// values that break a rule of their element
static const Case rules[] = {
    {WORLD("<geom size='1' @class='x'/>"), "unknown default class name 'x'"},
    {WORLD("<body @childclass='q'/>"), "unknown default childclass"},
    {WORLD("@<joint/>"), "World body cannot have joints"},
    {WORLD("@<freejoint/>"), "World body cannot have joints"},
    {WORLD("@<inertial pos='0 0 0' mass='1'/>"), "World body cannot have inertia"},
    {"<mujoco><worldbody @name='x'/></mujoco>", "World body cannot have attributes"},
    {BODY("@<inertial mass='1'/>"), "required attribute missing: 'pos'"},
    {BODY("<inertial mass='1' pos='0 0 0' fullinertia='1 1 1 0 0 0' @euler='0 0 0'/>"),
     "fullinertia and inertial orientation cannot both be specified"},
    {"<mujoco><default @class='x'/></mujoco>", "top-level default class 'main' cannot be renamed"},
    {"<mujoco><default>@<default/></default></mujoco>", "empty class name"},
    {"<mujoco><default><default class='a'/>\n<default @class='a'/></default></mujoco>",
     "repeated default class name"},
    {"<mujoco><default><default @class='main'/></default></mujoco>", "repeated default class name"},
    {"<mujoco><compiler @eulerseq='xy'/></mujoco>", "euler format must have length 3"},
    {"<mujoco><compiler @eulerseq='xyw'/></mujoco>", "can only contain x, y, z, X, Y, Z"},
    {"<mujoco><option @timestep='-1'/></mujoco>", "timestep must not be negative"},
    {"<mujoco><option @timestep='-inf'/></mujoco>", "timestep must not be negative"},
    {"<mujoco><compiler @coordinate='global'/></mujoco>", "global coordinates no longer supported"},
    {"<mujoco><option @actuatorgroupdisable='-1'/></mujoco>",
     "disabled actuator group value must be non-negative"},
    {"<mujoco><option @actuatorgroupdisable='31'/></mujoco>", "cannot exceed 30"},
    {"<mujoco><size @memory='1X'/></mujoco>",
     "unsigned integer with an optional suffix {K,M,G,T,P,E} is expected"},
    {"<mujoco><size @memory='99999999999999999999'/></mujoco>", "the size specified is too big"},
    {"<mujoco><size memory='1M' @njmax='2'/></mujoco>",
     "either 'memory' and 'njmax' attribute can be specified, not both"},
    {"<mujoco><size @nuser_jnt='-2'/></mujoco>", "nuser_jnt must be >= -1"},
    {"<mujoco><size @nconmax='-2'/></mujoco>", "nconmax must be >= -1"},
    {"<mujoco><visual><global @realtime='0'/></visual></mujoco>",
     "realtime must be greater than 0"},
    {"<mujoco><visual><map @znear='0'/></visual></mujoco>", "znear must be strictly positive"},
    {"<mujoco><statistic @extent='0'/></mujoco>", "extent must be strictly positive"},
    {"<mujoco><custom><numeric name='a' @size='0'/></custom></mujoco>",
     "custom field size must be between 1 and 500"},
    {"<mujoco><custom><numeric name='a' size='1' @data='1 2'/></custom></mujoco>",
     "attribute 'data' has too much data"},
    {"<mujoco><custom><text name='a' @data=''/></custom></mujoco>", "text field cannot be empty"},
    {"<mujoco><custom><tuple name='a'><element @objtype='bdy' "
     "objname='q'/></tuple></custom></mujoco>",
     "unknown object type"},
    {"<mujoco><asset><material name='m' texture='q'>@<layer texture='q' "
     "role='rgb'/></material></asset></mujoco>",
     "A material with a texture attribute cannot have layer sub-elements"},
    {"<mujoco><asset><texture name='t' type='2d' builtin='flat' width='4' height='4' "
     "@gridlayout='...'/></asset></mujoco>",
     "gridlayout length must match gridsize: 3 letters are given for 1 x 1"},
    {WORLD("@<camera focal='1 1' resolution='1 1'/>"), "required attribute missing: 'sensorsize'"},
    {WORLD("<camera sensorsize='1 1' resolution='1 1' @fovy='3'/>"),
     "either 'fovy' or 'sensorsize' attribute can be specified, not both"},
    {WORLD("<camera @resolution='-1 1' sensorsize='1 1'/>"),
     "camera resolution cannot be negative"},
    {WORLD("<light type='spot' @directional='true'/>"),
     "type and directional cannot both be defined"},
    {MODEL("<actuator><motor joint='j' @site='b'/></actuator>"),
     "actuator can have at most one of transmission target"},
    {MODEL("<actuator><motor joint='j' @cranklength='1'/></actuator>"),
     "can only be used in slidercrank transmission"},
    {MODEL("<actuator><motor joint='j' @refsite='b'/></actuator>"),
     "refsite can only be used with site transmission"},
    {MODEL("<actuator>@<position joint='j' kv='1' dampratio='1'/></actuator>"),
     "kv and dampratio cannot both be defined"},
    {MODEL("<actuator>@<damper joint='j' kv='-1'/></actuator>"), "cannot be negative"},
    {MODEL("<tendon><fixed>@<joint joint='j'/></fixed></tendon>"),
     "required attribute missing: 'coef'"},
    {MODEL("<contact>@<exclude body1='b'/></contact>"), "required attribute missing: 'body2'"},
    {"<mujoco><custom><text name='x' data='a'/><text name='x' data='b'/></custom>"
     "<worldbody>@<replicate count='1'><site/></replicate></worldbody></mujoco>",
     "repeated name 'x' in text"},
    {"<mujoco><keyframe><key name='x'/><key name='x'/></keyframe>"
     "<worldbody>@<replicate count='1'><site/></replicate></worldbody></mujoco>",
     "repeated name 'x' in key"},
};

// what only compiling shows
static const Case compiling[] = {
    {WORLD("<body name='a'/>\n  @<body name='a'/>"), "repeated name 'a' in body"},
    {WORLD("@<geom size='-1'/>"), "size 0 must be positive in geom"},
    {WORLD("@<geom size='nan'/>"), "nan size in geom"},
    {WORLD("@<geom size='1' condim='2'/>"), "invalid condim in geom"},
    {WORLD("@<geom size='1' fromto='0 0 0 1 1 1'/>"),
     "fromto requires capsule, cylinder, box or ellipsoid in geom"},
    {WORLD("@<geom size='1' type='capsule' fromto='0 0 0 0 0 0'/>"),
     "fromto points too close in geom"},
    {WORLD("@<geom size='1 1' type='plane'/>"), "plane size(3) must be positive"},
    {WORLD("@<geom size='1' material='no'/>"), "material 'no' not found in geom 0"},
    {WORLD("@<site type='mesh'/>"), "mesh site '' (id = 0) must have valid meshid"},
    {WORLD("@<camera target='zz'/>"), "unknown target body in camera"},
    {WORLD("@<camera fovy='200'/>"), "fovy too large in camera"},
    {WORLD("@<light dir='0 0 0'/>"), "zero direction in light"},
    {BODY("@<joint axis='0 0 0'/>"), "axis too small in joint"},
    {BODY("@<joint range='1 -1' limited='true'/>"),
     "range[0] should be smaller than range[1] in joint"},
    {BODY("@<joint springdamper='1 0'/>"), "springdamper values must be positive in joint"},
    {BODY("@<geom size='1' mass='-1'/>"), "mass, inertia or density are negative in geom"},
    {BODY("@<geom size='.1' zaxis='0 0 0'/>"), "zaxis too small"},
    {WORLD("@<body><joint type='ball'/><joint/><geom size='1'/></body>"),
     "ball followed by rotation in body"},
    {WORLD("@<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body>"),
     "inertia must satisfy A + B >= C"},
    {WORLD("@<body><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 2 2 2'/></body>"),
     "inertia must have positive eigenvalues"},
    {"<mujoco><compiler boundinertia='1'/><worldbody>@<body><joint/><inertial pos='0 0 0' mass='1' "
     "diaginertia='nan 1 1'/></body></worldbody></mujoco>",
     "mass and inertia of moving bodies must be larger than mjMINVAL"},
    {WORLD("@<body><joint/></body>"),
     "mass and inertia of moving bodies must be larger than mjMINVAL"},
    {WORLD("<body>@<body mocap='true'/></body>"), "is not a fixed child of world"},
    {BODY("@<body><freejoint/><geom size='1'/></body>"),
     "free joint can only be used on top level"},
    {MODEL("<actuator>@<motor/></actuator>"), "missing transmission target"},
    {MODEL("<actuator>@<motor joint='q'/></actuator>"), "unknown transmission target 'q'"},
    {MODEL("<tendon>@<fixed/></tendon>"), "path cannot be empty"},
    {MODEL("<contact>@<exclude body1='b' body2='zz'/></contact>"), "body 'zz' not found"},
    {MODEL("<contact>@<pair geom1='g' geom2='zz'/></contact>"), "geom 'zz' not found"},
    {MODEL("<keyframe>@<key qpos='1 2'/></keyframe>"), "invalid qpos size"},
    {"<mujoco><asset>@<texture name='t' type='2d' builtin='flat' width='3' height='3' "
     "nchannel='5'/></asset></mujoco>",
     "Invalid number of channels in texture"},
    {"<mujoco><asset>@<material name='m' texture='q'/></asset></mujoco>",
     "texture 'q' not found in material 0"},
    {"<mujoco><custom>@<tuple name='a'/></custom></mujoco>", "tuple 'a' (id = 0) is empty"},
};

// Takes the first '@' out of a text (the caller frees it) and says where it was.
static char* unmark(int* line, int* column, const char* text) {
  char* plain = malloc(strlen(text) + 1);
  assert_non_null(plain);
  const char* mark = strchr(text, '@');
  assert_non_null(mark);
  *line = *column = 1;
  for (const char* c = text; c < mark; c++) {
    *line += *c == '\n';
    *column = *c == '\n' ? 1 : *column + 1;
  }
  memcpy(plain, text, (size_t)(mark - text));
  strcpy(plain + (mark - text), mark + 1);
  return plain;
}

static void check(const Case* cases, size_t count) {
  int wrong = 0;
  for (size_t i = 0; i < count; i++) {
    int line, column;
    char* text = unmark(&line, &column, cases[i].text);
    cndDiagnostics* problems = cnd_makeDiagnostics();
    mjModel* model = cnd_loadXMLString(text, NULL, problems);
    const cndDiagnostic* first = NULL;
    for (int k = 0; !first && cnd_diagnostic(problems, k); k++) {
      if (cnd_diagnostic(problems, k)->severity == cndSEVERITY_ERROR) {
        first = cnd_diagnostic(problems, k);
      }
    }
    if (model || !first || first->line != line || first->column != column ||
        !strstr(first->message, cases[i].phrase)) {
      char found[512] = "nothing";
      if (first) {
        cnd_formatDiagnostic(found, sizeof(found), first);
      }
      print_error("%s\n  expected %d:%d: %s\n  found    %s\n", text, line, column, cases[i].phrase,
                  found);
      wrong++;
    }
    mj_deleteModel(model);
    cnd_deleteDiagnostics(problems);
    free(text);
  }
  assert_int_equal(wrong, 0);
}

#define CHECK(cases) check(cases, sizeof(cases) / sizeof(cases[0]))

TEST(text_that_is_no_xml_is_refused_at_its_place) {
  CHECK(syntax);
}

TEST(names_outside_the_grammar_are_refused_at_their_place) {
  CHECK(grammar);
}

TEST(attributes_without_a_value_are_refused_at_their_place) {
  CHECK(values);
}

TEST(values_that_break_a_rule_are_refused_at_their_place) {
  CHECK(rules);
}

TEST(models_that_do_not_compile_are_refused_at_the_element) {
  CHECK(compiling);
}

// All mistakes in one text, each once, in one go.
TEST(reading_goes_on_after_the_first_error) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec = cnd_parseXMLString(
      "<mujoco><optoin/><option timestep='a'/>"
      "<worldbody><geom siz='1'/><body class='x'><joint class='y' axis='1 "
      "2'/></body></worldbody></mujoco>",
      NULL, problems);
  assert_null(spec);
  assert_int_equal(cnd_diagnosticCount(problems, cndSEVERITY_ERROR), 6);
  assert_string_equal(cnd_diagnostic(problems, 0)->hint, "did you mean 'option'?");
  assert_string_equal(cnd_diagnostic(problems, 1)->hint, "did you mean 'size'?");
  cnd_deleteDiagnostics(problems);
}

TEST(the_first_error_is_one_line_in_the_callers_buffer) {
  char error[200];
  assert_null(
      mj_parseXMLString("<mujoco>\n<option tmestep='1'/></mujoco>", NULL, error, sizeof(error)));
  assert_string_equal(error,
                      "2:9: <option>: Schema violation: unrecognized attribute: 'tmestep' "
                      "(did you mean 'timestep'?)");
  assert_null(mj_parseXMLString("<mujoco>\n<option tmestep='1'/></mujoco>", NULL, error, 10));
  assert_string_equal(error, "2:9: <opt");
  test_own_spec(mj_parseXMLString("<mujoco/>", NULL, error, sizeof(error)));
  assert_string_equal(error, "");
}

// Repeats open n times, then close n times, around nothing.
static char* nest(const char* open, const char* close, int n) {
  size_t a = strlen(open), b = strlen(close), length = 8;
  char* text = malloc((a + b) * (size_t)n + 64);
  assert_non_null(text);
  strcpy(text, "<mujoco>");
  for (int i = 0; i < n; i++, length += a) {
    memcpy(text + length, open, a);
  }
  for (int i = 0; i < n; i++, length += b) {
    memcpy(text + length, close, b);
  }
  strcpy(text + length, "</mujoco>");
  return text;
}

TEST(a_million_nested_elements_end_in_one_diagnostic) {
  char* text = nest("<body>", "</body>", 1000000);
  cndDiagnostics* problems = cnd_makeDiagnostics();
  assert_null(cnd_parseXMLString(text, NULL, problems));
  assert_int_equal(cnd_diagnosticCount(problems, cndSEVERITY_WARNING), 1);
  assert_non_null(strstr(cnd_diagnostic(problems, 0)->message, "nesting is too deep"));
  cnd_deleteDiagnostics(problems);
  free(text);
}

TEST(a_million_wrong_elements_fill_no_more_than_the_list) {
  char* text = nest("<a b='1'/>", "", 1000000);
  cndDiagnostics* problems = cnd_makeDiagnostics();
  assert_null(cnd_parseXMLString(text, NULL, problems));
  assert_int_equal(cnd_diagnosticCount(problems, cndSEVERITY_ERROR), 1000000);
  assert_non_null(cnd_diagnostic(problems, 999));
  assert_null(cnd_diagnostic(problems, 1000));
  cnd_deleteDiagnostics(problems);
  free(text);
}

// A model cut off anywhere is refused (or, cut behind its end, loaded), never more than that.
TEST(every_prefix_of_a_model_is_refused) {
  const char* model = MODEL(
      "<default><default class='c'><geom rgba='1 0 0 1'/></default></default>"
      "<actuator><motor joint='j' gear='2'/></actuator><keyframe><key qpos='1'/></keyframe>");
  size_t length = strlen(model);
  char* text = malloc(length + 1);
  assert_non_null(text);
  for (size_t n = 0; n < length; n++) {
    memcpy(text, model, n);
    text[n] = 0;
    assert_null(mj_parseXMLString(text, NULL, NULL, 0));
  }
  free(text);
}

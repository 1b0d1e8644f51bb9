// Exact derivatives of sensors that measure forces and accelerations, against differences: on the
// world, on fixed bodies, on bodies that a program moves, and on what hangs from them, with random
// constraints between these.

#include "derivative/ladder.h"
#include "support/random.h"
#include "support/text.h"

// Bodies that joints move, and others.
static const char* const kMoving[] = {"cart", "arm", "ball", "tail", "wrist"};
static const char* const kAny[] = {"shelf", "hand", "world", "cart",
                                   "arm",   "ball", "tail",  "wrist"};

enum {
  NMOVING = sizeof(kMoving) / sizeof(kMoving[0]),
  NANY = sizeof(kAny) / sizeof(kAny[0])
};

static int pick(uint64_t* seed, int n) {
  return (int)(xorshift_bits(seed) % (uint64_t)n);
}

static double part(uint64_t* seed) {
  return xorshift_random(seed);
}

static void add_bodies(Text* t, uint64_t* seed) {
  static const int condim[] = {1, 3, 4, 6};
  text_add(t,
           "<worldbody><geom name='floor' type='plane' size='3 3 1' condim='%d' friction='.8 .02 "
           ".01'/><site name='world' pos='.3 -.2 .4' euler='%g %g 30'/><body name='shelf' pos='.6 "
           "0 .2' euler='0 0 10'><geom type='box' size='.2 .2 .05'/><site name='shelf' pos='.1 .1 "
           "0' euler='20 %g 0'/><body name='cart' pos='0 0 .13'><joint type='slide' axis='1 0 "
           "0'/><joint axis='0 1 .2' name='wheel'/><geom size='.09' condim='%d'/><site name='cart' "
           "pos='0 .05 0' euler='40 0 10'/><body name='arm' pos='0 0 .3'><joint axis='0 1 0' "
           "name='elbow' range='-5 5' damping='.2'/><geom type='capsule' size='.03 .1' "
           "contype='0'/><site name='arm' pos='0 0 .1' euler='0 50 0'/></body></body></body>",
           condim[pick(seed, 4)], 20 * part(seed), 20 * part(seed), 20 * part(seed),
           condim[pick(seed, 4)]);
  text_add(
      t,
      "<body name='hand' mocap='true' pos='-.5 .1 .5'><geom size='.1'/><site name='hand' "
      "pos='.1 0 0' euler='0 20 %g'/><body name='wrist' pos='.25 0 0'><joint type='ball'/><geom "
      "type='box' size='.08 .06 .05' pos='.1 .02 0' condim='%d'/><site name='wrist' pos='.05 0 "
      "0'/></body></body><body name='ball' pos='%g -.1 .19'><freejoint/><geom size='.2' "
      "condim='%d'/><site name='ball' size='.3' euler='%g 0 0'/><body name='tail' pos='0 0 "
      ".4'><joint axis='1 0 0' name='hip' frictionloss='.01'/><geom type='capsule' size='.04 "
      ".1'/><site name='tail' pos='0 .1 0'/></body></body>",
      30 * part(seed), condim[pick(seed, 4)], 0.1 * part(seed), condim[pick(seed, 4)],
      40 * part(seed));
}

static void add_ties(Text* t, uint64_t* seed) {
  static const char soft[] = "solref='.03 1' solimp='.5 .9 .3 .5 2'";
  text_add(t, "<equality>");
  for (int n = 1 + pick(seed, 3); n; n--) {
    int moving = pick(seed, NMOVING), other = pick(seed, NANY);
    const char *a = kMoving[moving], *b = kAny[other];
    if (!strcmp(a, b)) {
      continue;
    }
    if (pick(seed, 2)) {
      const char* swap = a;
      a = b;
      b = swap;
    }
    switch (pick(seed, 4)) {
      case 0:
        text_add(t, "<connect body1='%s' body2='%s' anchor='.1 %g .05' %s/>", a, b,
                 0.1 * part(seed), soft);
        break;
      case 1:
        text_add(t, "<weld body1='%s' body2='%s' torquescale='%g' %s/>", a, b, 1 + part(seed) / 2,
                 soft);
        break;
      case 2:
        text_add(t, "<connect site1='%s' site2='%s' %s/>", a, b, soft);
        break;
      default:
        text_add(t, "<weld site1='%s' site2='%s' %s/>", a, b, soft);
        break;
    }
  }
  if (pick(seed, 2)) {
    text_add(t, "<joint joint1='elbow' joint2='hip' polycoef='.1 .5 .2 0 0' %s/>", soft);
  }
  text_add(t, "<tendon tendon1='string' %s active='%s'/></equality>", soft,
           pick(seed, 2) ? "true" : "false");
}

static void add_sensors(Text* t) {
  static const char* const site[] = {"world", "shelf", "hand", "cart",
                                     "arm",   "ball",  "tail", "wrist"};
  text_add(t, "<sensor>");
  for (size_t i = 0; i < sizeof(site) / sizeof(site[0]); i++) {
    text_add(t,
             "<force site='%s'/><torque site='%s'/><accelerometer site='%s'/><touch site='%s'/>"
             "<framelinacc objtype='site' objname='%s'/><frameangacc objtype='site' "
             "objname='%s'/><framelinacc objtype='body' objname='%s'/><frameangacc objtype='xbody' "
             "objname='%s'/>",
             site[i], site[i], site[i], site[i], site[i], site[i], site[i], site[i]);
  }
  text_add(t, "</sensor>");
}

static char* random_model(uint64_t seed, int is_flex) {
  static const char* const jacobian[] = {"dense", "sparse"};
  Text t = {0};
  int is_elliptic = pick(&seed, 2);
  text_add(&t,
           "<mujoco><option timestep='.002' cone='%s' jacobian='%s' impratio='%g' "
           "iterations='200' ccd_tolerance='1e-12' ccd_iterations='200'/><default><geom "
           "solref='.03 1' solimp='.5 .9 .1 .5 2'/></default>",
           is_elliptic ? "elliptic" : "pyramidal", jacobian[pick(&seed, 2)], 1.5 + part(&seed) / 2);
  add_bodies(&t, &seed);
  if (is_flex) {
    text_add(&t,
             "<body name='cloth' pos='0 0 .38'><flexcomp name='cloth' type='grid' count='2 2 1' "
             "spacing='.3 .3 "
             ".1' dim='2' mass='.3' radius='0'><contact condim='3' selfcollide='none' "
             "internal='false'/></flexcomp></body>");
  }
  text_add(&t,
           "</worldbody><tendon><spatial name='string' limited='true' range='0 .5' "
           "stiffness='3'><site site='arm'/><site site='tail'/></spatial></tendon><actuator><motor "
           "joint='elbow'/><general joint='hip' gainprm='3' biastype='affine' biasprm='0 -2 "
           "-.1'/></actuator>");
  add_ties(&t, &seed);
  add_sensors(&t);
  text_add(&t, "</mujoco>");
  return t.text;
}

// Returns the number of contacts with a flex.
static int check(uint64_t seed, int is_flex) {
  char* xml = random_model(seed, is_flex);
  mjModel* m = test_model(xml);
  unsigned scatter = (unsigned)seed;
  m->opt.tolerance = 0;
  Steps s = steps_make(m);
  steps_scatter(&s, &scatter, (mjtNum)0.1);
  int wrong = ladder_wrong(&s, 1e-6);
  if (wrong) {
    fail_msg("seed %d: %d entries are not those of differences; %d contacts, %d rows\n%s",
             (int)seed, wrong, s.d->ncon, s.d->nefc, xml);
  }
  int cloths = 0;
  for (int i = 0; i < s.d->ncon; i++) {
    cloths += s.d->contact[i].flex[0] >= 0 || s.d->contact[i].flex[1] >= 0;
  }
  steps_free(&s);
  free(xml);
  test_release(m);
  return cloths;
}

TEST(reactions_on_all_bodies_agree_with_differences) {
  DOUBLE_ONLY();
  for (uint64_t seed = 1; seed <= 12; seed++) {
    check(seed * 7919, 0);
  }
}

// Contacts of flexes are in no reaction, though they move what is felt.
TEST(reactions_under_a_cloth_agree_with_differences) {
  DOUBLE_ONLY();
  int cloths = 0;
  for (uint64_t seed = 1; seed <= 2; seed++) {
    cloths += check(seed * 104729, 1);
  }
  assert_in_range(cloths, 1, 100);
}

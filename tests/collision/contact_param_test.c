// Parameters and frames that contacts take over from those before are the ones they would get by
// themselves, bit by bit.

#include "collision/contact_param.h"

#include "support/load.h"
#include "support/random.h"
#include "support/test.h"

enum {
  GEOMS = 24
};

// Geoms of few kinds: each differs from the others in one thing at most.
static mjModel* geoms_of_few_kinds(void) {
  static const char* const kinds[] = {
      "",
      "condim='4'",
      "priority='1'",
      "margin='.01'",
      "gap='.01'",
      "solmix='2'",
      "solref='.03 1'",
      "solref='.02 .9'",
      "solimp='.9 .95 .001 .5 3'",
      "solimp='.8 .95 .001 .5 2'",
      "friction='1 .005 .0002'",
      "friction='.9 .005 .0001'",
  };
  const int num = sizeof(kinds) / sizeof(kinds[0]);
  static char text[6000];
  char *t = text, *end = text + sizeof(text);
  t += snprintf(t, (size_t)(end - t), "<mujoco><worldbody>");
  for (int i = 0; i < GEOMS; i++) {
    t += snprintf(t, (size_t)(end - t), "<body><freejoint/><geom name='g%d' size='.1' %s/></body>",
                  i, i % 2 ? kinds[i / 2 % num] : "");
  }
  snprintf(t, (size_t)(end - t),
           "</worldbody><contact><pair geom1='g0' geom2='g2' condim='6'/></contact></mujoco>");
  return test_model(text);
}

static void random_contacts(mjContact con[3], uint64_t* seed) {
  memset(con, 0, 3 * sizeof(mjContact));
  for (int i = 0; i < 3; i++) {
    int along = (int)(xorshift_bits(seed) % 4);
    con[i].frame[along % 3] = 1;
    con[i].frame[3 + (along + 1) % 3] = along == 3;
    con[i].dist = (mjtNum)uniform_between(seed, -0.02, 0.02);
  }
}

TEST(contacts_take_over_what_they_would_find) {
  mjModel* m = geoms_of_few_kinds();
  uint64_t seed = 88172645463325252u;
  ContactMemo memo = {0};
  for (int k = 0; k < 20000; k++) {
    int g1 = (int)(xorshift_bits(&seed) % GEOMS), g2 = (int)(xorshift_bits(&seed) % GEOMS);
    int pair = xorshift_bits(&seed) % 8 == 0 ? 0 : -1;
    if (k % 64 == 0) {  // programs edit models between steps
      m->geom_friction[3 * g1] += (mjtNum)0.01;
      memo = (ContactMemo){0};
    }
    mjContact ours[3], theirs[3];
    random_contacts(ours, &seed);
    memcpy(theirs, ours, sizeof(ours));
    mjtNum margin = contact_margin(m, g1, g2, pair);
    contact_fill_next(&memo, m, ours, 3, g1, g2, pair, margin);
    contact_fill(m, theirs, 3, g1, g2, pair, margin);
    assert_memory_equal(ours, theirs, sizeof(ours));
  }
}

TEST(adhesion_is_taken_over_where_geoms_have_it) {
  mjModel* m = geoms_of_few_kinds();
  m->flg_adhesion = 1;
  m->geom_adhesion[2] = 3;
  ContactMemo memo = {0};
  mjContact con = {.frame = {0, 0, 1}, .dist = 1};
  contact_fill_next(&memo, m, &con, 1, 0, 4, -1, 0);
  assert_that(con.dim, ==, 3);
  con = (mjContact){.frame = {0, 0, 1}, .dist = 1};
  contact_fill_next(&memo, m, &con, 1, 0, 2, -1, 0);
  assert_that(con.dim, ==, 1);
  assert_that(con.adhesion, ==, 3);
}

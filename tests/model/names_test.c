// names.c: from names to ids and back.

#include "model/names.h"

#include "model/model.h"
#include "support/small_model.h"
#include "support/test.h"

TEST(names_lead_to_ids_and_back) {
  mjModel* m = small_model();
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "world"), 0);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "arm"), 2);
  assert_int_equal(mj_name2id(m, mjOBJ_XBODY, "arm"), 2);
  assert_int_equal(mj_name2id(m, mjOBJ_JOINT, "elbow"), 1);
  assert_int_equal(mj_name2id(m, mjOBJ_KEY, "away"), 1);
  assert_string_equal(mj_id2name(m, mjOBJ_ACTUATOR, 0), "motor");
  assert_string_equal(mj_id2name(m, mjOBJ_XBODY, 3), "target");
  mj_deleteModel(m);
}

TEST(what_is_not_there_is_not_found) {
  mjModel* m = small_model();
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "leg"), -1);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, ""), -1);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, NULL), -1);
  assert_int_equal(mj_name2id(m, mjOBJ_GEOM, "arm"), -1);
  assert_int_equal(mj_name2id(m, mjOBJ_DOF, "elbow"), -1);
  assert_int_equal(mj_name2id(m, mjOBJ_UNKNOWN, "elbow"), -1);
  assert_int_equal(mj_name2id(m, 12345, "elbow"), -1);
  assert_null(mj_id2name(m, mjOBJ_BODY, 4));
  assert_null(mj_id2name(m, mjOBJ_BODY, -1));
  assert_null(mj_id2name(m, mjOBJ_DOF, 0));
  mj_deleteModel(m);
}

TEST(nameless_objects_have_no_name) {
  mjModel* m = small_model();
  assert_null(mj_id2name(m, mjOBJ_EQUALITY, 0));
  mj_deleteModel(m);
}

// h(n) = 33 h(n-1) xor c by hand: "a": 33*5381 xor 97 = 177604
TEST(hash_is_the_agreed_one) {
  assert_int_equal(names_hash("", 10007), 5381);
  assert_int_equal(names_hash("a", 1 << 30), 177604);
  assert_int_equal(names_hash("ab", 1 << 30), (33 * 177604) ^ 98);
}

// many names in small tables: every slot sequence is walked, wrapping round
TEST(collisions_are_resolved) {
  enum {
    count = 500,
    length = 5
  };
  mjModel sizes;
  memset(&sizes, 0, sizeof(sizes));
  sizes.nsite = count;
  sizes.nnames = 1 + count * length;
  sizes.nnames_map = 2 * count;
  mjModel* m = model_make(&sizes);
  for (int i = 0; i < count; i++) {
    m->name_siteadr[i] = 1 + i * length;
    char name[16];
    snprintf(name, sizeof(name), "s%03d", i);
    memcpy(m->names + m->name_siteadr[i], name, length);
  }
  names_index(m);
  for (int i = 0; i < count; i++) {
    assert_int_equal(mj_name2id(m, mjOBJ_SITE, m->names + m->name_siteadr[i]), i);
  }
  assert_int_equal(mj_name2id(m, mjOBJ_SITE, "s500"), -1);
  mj_deleteModel(m);
}

// Derivative of one number, a weighted sum, through contacts (reverse mode), against differences.

#include "derivative/constraint/contact.h"
#include "derivative/constraint/contact_scenes.h"

static void vjp(ConstraintVjp* of) {
  for (int i = 0; i < of->d->ncon; i++) {
    assert_int_equal(contact_vjp(of, of->d->contact + i), 0);
  }
}

TEST(one_number_changes_as_differences_say) {
  DOUBLE_ONLY();
  for (int i = 0; i < NCONTACT_SCENE; i++) {
    Scene s = contact_scene(i);
    check_vjp(&s, vjp, 1e-6);
    scene_free(&s);
  }
}

// validate.c: a model that would lead a stage out of its arrays is refused.

#include <limits.h>

#include "model/model.h"
#include "support/small_model.h"
#include "support/test.h"

TEST(sound_model_is_accepted) {
  mjModel* m = small_model();
  const char* problem = model_validate(m);
  assert_string_equal(problem ? problem : "", "");
  mj_deleteModel(m);
}

TEST(each_wrong_number_is_found) {
  mjModel* m = small_model();

  // a place, a wrong value for it, the field to be named
  const struct {
    int* place;
    int value;
    const char* field;
  } faults[] = {
      {m->body_parentid + 2, 2, "body_parentid"},
      {m->body_parentid + 1, -1, "body_parentid"},
      {m->body_rootid + 1, 3, "body_rootid"},
      {m->body_weldid + 3, 4, "body_weldid"},
      {m->body_mocapid + 3, 1, "body_mocapid"},
      {m->body_treeid + 1, 1, "body_treeid"},
      {m->body_jntnum + 1, 3, "body_jntadr"},
      {m->body_jntnum + 3, 1, "body_jntadr"},
      {m->body_dofnum + 2, -1, "body_dofadr"},
      {m->body_dofadr + 2, INT_MAX, "body_dofadr"},
      {m->jnt_type, 4, "jnt_type"},
      {m->jnt_type + 1, mjJNT_BALL, "jnt_qposadr"},
      {m->jnt_qposadr + 1, -1, "jnt_qposadr"},
      {m->jnt_dofadr + 1, 7, "jnt_dofadr"},
      {m->dof_parentid + 3, 3, "dof_parentid"},
      {m->dof_simplenum + 6, 2, "dof_simplenum"},
      {m->dof_Madr + 6, 28, "dof_Madr"},
      {m->eq_type, mjEQ_DISTANCE, "eq_obj1id"},
      {m->eq_obj1id, 2, "eq_obj1id"},
      {m->eq_obj2id, 2, "eq_obj1id"},
      {m->actuator_trnid, 2, "actuator_trnid"},
      {m->actuator_trntype, mjTRN_UNDEFINED, "actuator_trnid"},
      {m->actuator_actnum, 2, "actuator_actadr"},
      {m->name_bodyadr + 1, 200, "name_adr"},
      {m->names_map, 4, "names_map"},
      {m->M_rownnz + 6, 8, "M_rowadr"},
      {m->M_colind + 3, 7, "M_colind"},
      {m->mapM2M + 3, -1, "mapM2M"},
  };
  for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
    int right = *faults[i].place;
    *faults[i].place = faults[i].value;
    const char* problem = model_validate(m);
    if (!problem || !strstr(problem, faults[i].field)) {
      fail_msg("%s = %d gave: %s", faults[i].field, faults[i].value, problem ? problem : "nothing");
    }
    *faults[i].place = right;
  }
  assert_null(model_validate(m));

  // more pixels than 64 bits count
  int huge = INT_MAX, channels = 4;
  int start = 0;
  int *height = m->tex_height, *width = m->tex_width, *nchannel = m->tex_nchannel;
  int* adr = m->tex_adr;
  m->ntex = 1;
  m->tex_height = m->tex_width = &huge;
  m->tex_nchannel = &channels;
  m->tex_adr = &start;
  const char* problem = model_validate(m);
  assert_non_null(problem);
  assert_non_null(strstr(problem, "tex_adr"));
  m->ntex = 0;
  m->tex_height = height;
  m->tex_width = width;
  m->tex_nchannel = nchannel;
  m->tex_adr = adr;
  assert_null(model_validate(m));

  // a name that would run out of the buffer
  memset(m->names, 'x', (size_t)m->nnames);
  assert_non_null(model_validate(m));
  mj_deleteModel(m);
}

TEST(an_activation_that_the_law_reads_must_be_there) {
  mjModel* m = small_model();
  m->actuator_dyntype[0] = mjDYN_FILTER;
  assert_null(model_validate(m));
  m->actuator_actnum[0] = 0;
  const char* problem = model_validate(m);
  assert_non_null(problem);
  assert_non_null(strstr(problem, "activations that don't fit"));
  mj_deleteModel(m);
}

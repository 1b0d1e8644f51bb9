// scale.c: the order of scaling.                                        theory/model/scaling.md

#include "compile/scale/scale.h"

#include "base/memory/memory.h"
#include "compile/scale/steps.h"

int scale_isneeded(const SpecTree* tree) {
  for (SPEC_EACH(frame, tree, mjOBJ_FRAME)) {
    if (factor_isscaled(frame)) {
      return 1;
    }
  }
  return 0;
}

static void forget_scales(SpecTree* tree) {
  for (SPEC_EACH(frame, tree, mjOBJ_FRAME)) {
    mjsFrame* spec = &frame->as.frame;
    spec->scale[0] = spec->scale[1] = spec->scale[2] = 1;
    spec->massscale = 0;
    spec->scaling = mjSCALING_SIMILAR;
  }
}

int scale_apply(Compile* c) {
  SpecTree* tree = c->tree;
  int before = c->nerror, nframe = 0;
  spec_number(tree);
  for (SPEC_EACH(frame, tree, mjOBJ_FRAME)) {
    frame->id = nframe++;
  }
  size_t njoint = (size_t)spec_count(tree, mjOBJ_JOINT);
  size_t nactuator = (size_t)spec_count(tree, mjOBJ_ACTUATOR);
  Scaling s = {.c = c,
               .frame = heap_zero((size_t)nframe + 1, sizeof(Stretch)),
               .done = heap_zero((size_t)nframe + 1, 1),
               .body = heap_zero((size_t)spec_count(tree, mjOBJ_BODY) + 1, sizeof(Stretch)),
               .ctrl = heap_zero(nactuator + 1, sizeof(double)),
               .feedforward = heap_zero(nactuator + 1, sizeof(double)),
               .joint = heap_zero(njoint + 1, sizeof(double))};
  Heap* heap = heap_pause();  // texts and copies belong to the tree
  factor_find(&s);
  scale_tree(&s);
  scale_skins(&s);
  scale_flexes(&s);
  scale_mechanism(&s);
  scale_actuators(&s);
  scale_keys(&s);
  scale_assets(&s);
  forget_scales(tree);
  heap_resume(heap);
  heap_free(s.instance);
  heap_free(s.frame);
  heap_free(s.done);
  heap_free(s.body);
  heap_free(s.ctrl);
  heap_free(s.feedforward);
  heap_free(s.joint);
  return c->nerror == before;
}

static void return_object(SpecObject* it) {
  SpecObject* original = it->copy;
  if (!original) {
    return;
  }
  original->id = it->id;
  original->element.signature = it->element.signature;
  original->weighed = it->weighed;
}

void scale_return(SpecTree* tree, SpecTree* copy) {
  for (int type = mjOBJ_BODY; type <= mjNOBJECT; type++) {
    mjtObj kind = type == mjNOBJECT ? mjOBJ_FRAME : (mjtObj)type;
    if (kind == mjOBJ_XBODY || kind == mjOBJ_DOF) {
      continue;
    }
    for (SPEC_EACH(it, tree, kind)) {
      it->id = -1;
      it->element.signature = copy->self.element.signature;
    }
    for (SPEC_EACH(it, copy, kind)) {
      return_object(it);
    }
  }
  tree->self.element.signature = copy->self.element.signature;
  tree->added = tree->moved = 0;
}

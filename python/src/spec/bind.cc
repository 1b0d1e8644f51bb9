// bind.cc: from an element of a spec to the object of the compiled model that it became.

#include <condyle/spec.h>

#include "model/data.h"
#include "model/model.h"
#include "model/named.h"
#include "spec/spec.h"

namespace {

nb::object bind_scalar(nb::handle container, nb::handle object) {
  bool in_data = PyObject_TypeCheck(container.ptr(), DataType);
  mjsElement* element = element_argument(object, mjOBJ_UNKNOWN, "the element");
  if (in_data) {
    or_raise(data_of(container.ptr(), "data"));
  }
  const mjModel* m =
      in_data ? data_model(container.ptr()) : or_raise(model_of(container.ptr(), "model"));
  if (mjs_getSpec(element)->element->signature != m->signature) {
    raise(PyExc_ValueError, std::string("The mjSpec does not match ") +
                                (in_data ? "mjData" : "mjModel") +
                                ". Please recompile the mjSpec.");
  }
  return steal_or_raise(named_object(container.ptr(), element->elemtype, cnd_compiledId(element)));
}

}  // namespace

void init_spec_bind() {
  for (PyTypeObject* type : {ModelType, DataType}) {
    add_method(type, "bind_scalar", bind_scalar, nb::arg("spec"),
               "The object that an element became.");
  }
}

// spec_bind.cc: from an element of a spec to the object of the compiled model that it became.

#include "data.h"
#include "model.h"
#include "named.h"
#include "spec.h"

namespace {

nb::object bound(nb::handle container, nb::handle object) {
  bool in_data = PyObject_TypeCheck(container.ptr(), DataType);
  mjsElement* element = element_argument(object, mjOBJ_UNKNOWN, "the element");
  PyObject* model = container.ptr();
  if (in_data) {
    if (!data_of(model, "data")) {
      nb::raise_python_error();
    }
    model = reinterpret_cast<Wrapper*>(model)->related;
  }
  const mjModel* m = model_of(model, "model");
  if (!m) {
    nb::raise_python_error();
  }
  if (mjs_getSpec(element)->element->signature != m->signature) {
    raise(PyExc_ValueError, std::string("The mjSpec does not match ") +
                                (in_data ? "mjData" : "mjModel") +
                                ". Please recompile the mjSpec.");
  }
  PyObject* result = named_object(container.ptr(), element->elemtype, mjs_getId(element));
  if (!result) {
    nb::raise_python_error();
  }
  return nb::steal(result);
}

}  // namespace

void init_spec_bind() {
  for (PyTypeObject* type : {ModelType, DataType}) {
    add_method(type, "_bind", bound, nb::arg("element"), "The object that an element became.");
  }
}

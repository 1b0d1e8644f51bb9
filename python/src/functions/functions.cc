// functions.cc: the C functions of the engine under their own names.
//
// python/generate/functions.py writes a table row for each: arguments, a check of shapes, a call.
// One dispatcher converts the arguments, looks at the shapes, and calls under the catch.

#include <condyle/contact.h>
#include <condyle/derivative.h>
#include <condyle/dynamics.h>
#include <condyle/state.h>
#include <condyle/view.h>

#include <climits>
#include <cstring>

#include "base/guard.h"
#include "base/number.h"
#include "base/release.h"
#include "base/structs.h"
#include "drawing/render.h"
#include "model/data.h"
#include "model/model.h"

namespace {

constexpr int kMaxArguments = 16;
constexpr int kResult = kMaxArguments;  // place of the result

enum class Kind {
  kModel,
  kData,
  kStruct,
  kInt,
  kState,  // an int: bits of mjtState
  kDouble,
  kText,
  kInput,
  kOutput
};
enum class Result {
  kNone,
  kInt,
  kDouble,
  kText,
  kStruct
};

// One argument or result in C.
struct Value {
  union {
    void* p;
    long long i;
    double x;
  };
  ArrayArgument a;
  const mjModel* model;  // of data: its model
};

struct Argument {
  const char* name;
  Kind kind;
  Number number;        // of arrays
  long long low, high;  // of integers
  const char* structure;
  bool optional;
  bool omissible;  // None if it is left out
  bool flat;       // a vector of any length
};

struct Function {
  const char* name;
  const char* doc;
  const Argument* arguments;
  int narg, nhidden;
  Result result;
  const char* structure;
  void (*call)(Value* v);
  const char* (*check)(Value* v);  // returns a message if the shapes don't fit
  bool release;                    // gives up the interpreter's lock
};

// Whether an array has the expected size; an absent array always fits.
bool fits(const ArrayArgument& a, long long size) {
  return !a.array || a.size == size;
}
bool fits(const ArrayArgument& a, long long rows, long long columns) {
  return !a.array || (a.rows == rows && a.columns == columns);
}

// True if every row of a sparse matrix lies within its nnz entries and columns.
bool sparse_is_sound(const int* rownnz, const int* rowadr, const int* colind, long long nr,
                     long long nc, long long nnz) {
  for (long long i = 0; i < nr; i++) {
    if (rownnz[i] < 0 || rowadr[i] < 0 || static_cast<long long>(rowadr[i]) + rownnz[i] > nnz) {
      return false;
    }
    for (int k = 0; k < rownnz[i]; k++) {
      if (colind[rowadr[i] + k] < 0 || colind[rowadr[i] + k] >= nc) {
        return false;
      }
    }
  }
  return true;
}

bool indices_are_sound(const int* indices, long long count, long long limit) {
  for (long long i = 0; i < count; i++) {
    if (indices[i] < 0 || indices[i] >= limit) {
      return false;
    }
  }
  return true;
}

bool band_is_sound(long long ntotal, long long nband, long long ndense) {
  return ntotal >= 0 && ndense >= 0 && ndense <= ntotal && nband >= 0 && nband <= ntotal;
}

// True if what a camera is fixed to or follows is in the model.
bool camera_is_sound(const mjvCamera* cam, const mjModel* m) {
  return !m || (cam->type == mjCAMERA_FIXED ? cam->fixedcamid >= 0 && cam->fixedcamid < m->ncam
                                            : cam->trackbodyid < m->nbody);
}

#include "functions.inc"

// Converts one argument of a function; data must fit the model `m` that came before it.
bool convert(Value* value, const Argument* argument, PyObject* object, const mjModel* m,
             const char* function) {
  value->a.array = nullptr;
  if (object == Py_None && argument->optional) {
    value->p = nullptr;
    return true;
  }
  switch (argument->kind) {
    case Kind::kModel:
      return (value->p = model_of(object, argument->name)) != nullptr;
    case Kind::kData:
      value->p = data_for(object, m, argument->name);
      value->model = value->p ? data_model(object) : nullptr;
      return value->p != nullptr;
    case Kind::kStruct:
      value->p = struct_of(object, struct_info(argument->structure), argument->name);
      return value->p != nullptr;
    case Kind::kInt:
      return number_to_int(&value->i, object, argument->low, argument->high, argument->name);
    case Kind::kState:
      return number_to_int(&value->i, object, argument->low, argument->high, argument->name) &&
             release_state(&value->i, function);
    case Kind::kDouble:
      return number_to_double(&value->x, object, argument->name);
    case Kind::kText:
      return (value->p = const_cast<char*>(number_to_text(object, argument->name))) != nullptr;
    case Kind::kInput:
    case Kind::kOutput: {
      bool done =
          argument->kind == Kind::kInput
              ? array_input(&value->a, object, argument->number, argument->flat, argument->name)
              : array_output(&value->a, object, argument->number, argument->flat, argument->name);
      value->p = done ? value->a.data : nullptr;
      return done;
    }
  }
  return false;
}

// Sorts keyword arguments into their positions. Returns false with TypeError.
bool place(PyObject** objects, const Function* function, PyObject* const* args, Py_ssize_t nargs,
           PyObject* keywords) {
  Py_ssize_t nkey = keywords ? PyTuple_Size(keywords) : 0;
  if (nargs + nkey > function->narg) {
    PyErr_Format(PyExc_TypeError, "%s() takes %d arguments but %zd were given", function->name,
                 function->narg, nargs + nkey);
    return false;
  }
  for (int i = 0; i < function->narg; i++) {
    objects[i] = i < nargs ? args[i] : nullptr;
  }
  for (Py_ssize_t k = 0; k < nkey; k++) {
    PyObject* name = PyTuple_GetItem(keywords, k);
    int i = 0;
    while (i < function->narg &&
           PyUnicode_CompareWithASCIIString(name, function->arguments[i].name)) {
      i++;
    }
    if (i == function->narg || objects[i]) {
      PyErr_Format(PyExc_TypeError,
                   i == function->narg ? "%s() got an unexpected keyword argument '%U'"
                                       : "%s() got multiple values for argument '%U'",
                   function->name, name);
      return false;
    }
    objects[i] = args[nargs + k];
  }
  for (int i = 0; i < function->narg; i++) {
    if (!objects[i] && function->arguments[i].omissible) {
      objects[i] = Py_None;
    }
    if (!objects[i]) {
      PyErr_Format(PyExc_TypeError, "%s() is missing argument '%s'", function->name,
                   function->arguments[i].name);
      return false;
    }
  }
  return true;
}

struct Call {
  const Function* function;
  Value* values;
  const char* wrong;
};

void run(void* argument) {
  auto* call = static_cast<Call*>(argument);
  call->wrong = call->function->check ? call->function->check(call->values) : nullptr;
  if (!call->wrong) {
    call->function->call(call->values);
  }
}

PyObject* result_of(const Function* function, const Value* value) {
  switch (function->result) {
    case Result::kInt:
      return PyLong_FromLongLong(value->i);
    case Result::kDouble:
      return PyFloat_FromDouble(value->x);
    case Result::kText:
      if (value->p) {
        return PyUnicode_DecodeUTF8(static_cast<char*>(value->p),
                                    static_cast<Py_ssize_t>(strlen(static_cast<char*>(value->p))),
                                    "replace");
      }
      break;
    default:
      break;
  }
  return Py_NewRef(Py_None);
}

PyObject* dispatch(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* keywords) {
  auto* function = static_cast<const Function*>(PyCapsule_GetPointer(self, nullptr));
  PyObject* objects[kMaxArguments];
  Value values[kMaxArguments + 1];
  if (!place(objects, function, args, nargs, keywords)) {
    return nullptr;
  }
  int done = 0;
  const mjModel* m = nullptr;
  while (done < function->narg &&
         convert(&values[done], &function->arguments[done], objects[done], m, function->name)) {
    if (function->arguments[done].kind == Kind::kModel) {
      m = static_cast<const mjModel*>(values[done].p);
    }
    done++;
  }
  PyObject* result = nullptr;
  if (done == function->narg) {
    PyObject* structure = nullptr;
    if (function->result == Result::kStruct) {
      structure = struct_new(struct_info(function->structure));
      values[kResult].p = structure ? reinterpret_cast<Wrapper*>(structure)->memory : nullptr;
    }
    Call call = {function, values, nullptr};
    if (!guarded(run, &call, function->release)) {
      Py_XDECREF(structure);
    } else if (call.wrong) {
      PyErr_SetString(PyExc_TypeError, call.wrong);
      Py_XDECREF(structure);
    } else {
      result = structure ? structure : result_of(function, &values[kResult]);
    }
  }
  for (int i = 0; i < done; i++) {
    Py_XDECREF(values[i].a.array);
  }
  return result;
}

void add_table(nb::module_& module) {
  nb::str name("condyle._functions");
  for (const Function& function : kFunctions) {
    auto* definition = new PyMethodDef{
        function.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(dispatch)),
        METH_FASTCALL | METH_KEYWORDS, function.doc};
    nb::object capsule =
        steal_or_raise(PyCapsule_New(const_cast<Function*>(&function), nullptr, nullptr));
    module.attr(function.name) =
        steal_or_raise(PyCFunction_NewEx(definition, capsule.ptr(), name.ptr()));
  }
}

// A tuple of names, one per value of an enum.
nb::tuple names(const char* const* texts, int count) {
  nb::list list;
  for (int i = 0; i < count; i++) {
    list.append(nb::str(texts[i]));
  }
  return nb::tuple(list);
}

void add_texts(nb::module_& module) {
  module.attr("mjDISABLESTRING") = names(mjDISABLESTRING, mjNDISABLE);
  module.attr("mjENABLESTRING") = names(mjENABLESTRING, mjNENABLE);
  module.attr("mjTIMERSTRING") = names(mjTIMERSTRING, mjNTIMER);
  module.attr("mjLABELSTRING") = names(mjLABELSTRING, mjNLABEL);
  module.attr("mjFRAMESTRING") = names(mjFRAMESTRING, mjNFRAME);
  auto flags = [](const char*(*texts)[3], int count) {
    nb::list list;
    for (int i = 0; i < count; i++) {
      list.append(names(texts[i], 3));
    }
    return nb::tuple(list);
  };
  module.attr("mjVISSTRING") = flags(mjVISSTRING, mjNVISFLAG);
  module.attr("mjRNDSTRING") = flags(mjRNDSTRING, mjNRNDFLAG);
}

}  // namespace

void init_functions(nb::module_& module) {
  add_table(module);
  init_functions_by_hand(module);
  add_texts(module);
}

// files.cc: files in memory for loading, and errors of loading with their places.

#include <condyle/load.h>

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "model/model.h"

void Files::add(const char* name, const char* bytes, size_t size) {
  if (size > INT_MAX) {
    throw nb::value_error((std::string("File is too large: ") + name).c_str());
  }
  int status = mj_addBufferVFS(&vfs_, name, bytes, static_cast<int>(size));
  if (status == 2) {
    throw nb::value_error((std::string("Repeated file name in assets dict: ") + name).c_str());
  }
  if (status) {
    throw nb::value_error((std::string("Could not add file in assets dict: ") + name).c_str());
  }
  names_.push_back(name);
}

void Files::add(nb::handle dict, bool short_keys, bool text) {
  if (!dict.is_valid() || dict.is_none()) {
    return;
  }
  if (!PyDict_Check(dict.ptr())) {
    throw nb::type_error("assets should be a dict of str to bytes");
  }
  for (auto [key, value] : nb::borrow<nb::dict>(dict)) {
    if (!PyUnicode_Check(key.ptr())) {
      throw nb::type_error("names in assets should be strings");
    }
    std::string name = nb::cast<nb::str>(key).c_str();
    if (short_keys) {
      name = name.substr(name.find_last_of("/\\") + 1);
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return static_cast<char>(tolower(c)); });
    }
    Py_ssize_t size;
    if (text && PyUnicode_Check(value.ptr())) {
      const char* bytes = or_raise(PyUnicode_AsUTF8AndSize(value.ptr(), &size));
      add(name.c_str(), bytes, static_cast<size_t>(size));
    } else if (PyBytes_Check(value.ptr())) {
      add(name.c_str(), PyBytes_AsString(value.ptr()),
          static_cast<size_t>(PyBytes_Size(value.ptr())));
    } else {
      throw nb::type_error(("assets['" + name + "'] should be bytes").c_str());
    }
  }
}

void Files::use(nb::handle vfs, bool others, const char* both) {
  given_.emplace(vfs);
  if (*given_ && others) {
    throw nb::value_error(both);
  }
}

bool Files::has(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::string Files::add_text(const char* text, size_t size) {
  std::string name = "model_.xml";
  while (has(name)) {
    name = name.substr(0, name.size() - 4) + "_.xml";
  }
  add(name.c_str(), text, size);
  return name;
}

nb::list diagnostics(const cndDiagnostics* list) {
  nb::list problems;
  nb::object make = nb::module_::import_("condyle._model.diagnostic").attr("Diagnostic");
  const cndDiagnostic* problem;
  for (int i = 0; (problem = cnd_diagnostic(list, i)); i++) {
    problems.append(make(problem->severity == cndSEVERITY_ERROR ? "error" : "warning",
                         problem->file, problem->line, problem->column, problem->element,
                         problem->message, problem->hint));
  }
  return problems;
}

void raise_diagnostics(const cndDiagnostics* list, const char* first) {
  char text[kDiagnosticSize];
  std::string errors;
  const cndDiagnostic* problem;
  for (int i = 0; (problem = cnd_diagnostic(list, i)); i++) {
    if (problem->severity == cndSEVERITY_ERROR) {
      cnd_formatDiagnostic(text, sizeof text, problem);
      errors += errors.empty() ? first ? first : text : std::string("\n") + text;
    }
  }
  if (errors.empty()) {
    errors = first ? first : "the model could not be loaded";
  }
  nb::object error = nb::module_::import_("condyle._model.diagnostic")
                         .attr("ModelError")(errors, diagnostics(list));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  nb::raise_python_error();
}

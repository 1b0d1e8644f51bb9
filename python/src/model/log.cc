// log.cc: the classes of messages and of where they go: what the table of structs can't say.

#include <mujoco/mujoco.h>

#include "base/guard.h"
#include "base/structs.h"
#include "base/wrapper.h"

namespace {

nb::object text_or_none(const char* text) {
  return text ? nb::object(nb::str(text)) : nb::none();
}

template <const char* mjLogMessage::*member>
nb::object get_text(nb::handle self) {
  return text_or_none(as_struct<mjLogMessage>(self, "mjLogMessage", "self")->*member);
}

}  // namespace

void init_log(nb::module_& module) {
  nb::object config = module.attr("MjLogConfig"), message = module.attr("MjLogMessage");
  auto* config_type = reinterpret_cast<PyTypeObject*>(config.ptr());
  auto* message_type = reinterpret_cast<PyTypeObject*>(message.ptr());
  add_static(
      config_type, "get",
      [config] {
        nb::object copy = config();
        *as_struct<mjLogConfig>(copy, "mjLogConfig", "self") = mju_getLogConfig();
        return copy;
      },
      "A copy of the settings in force.");
  add_method(
      config_type, "set",
      [](nb::handle self) {
        mju_setLogConfig(*as_struct<mjLogConfig>(self, "mjLogConfig", "self"));
      },
      "Puts these settings in force.");
  add_property(message_type, "body", get_text<&mjLogMessage::body>);
  add_property(message_type, "func", get_text<&mjLogMessage::func>);
  add_property(message_type, "file", get_text<&mjLogMessage::file>);
}

// sections.h: the functions that write the sections of a document, and shared helpers.

#pragma once

#include "mjcf/write/context.h"

// in the order of the document; extensions are in plugin.h

void write_compiler(Writer* w);
void write_option(Writer* w);
void write_size(Writer* w);
void write_visual(Writer* w);
void write_statistic(Writer* w);
void write_default(Writer* w);
void write_custom(Writer* w);
void write_asset(Writer* w);
void write_worldbody(Writer* w);
void write_contact(Writer* w);
void write_deformable(Writer* w);
void write_equality(Writer* w);
void write_tendon(Writer* w);
void write_actuator(Writer* w);
void write_sensor(Writer* w);
void write_keyframe(Writer* w);

// Writes an element of the deformable section (asset.c).
void write_skin(Writer* w, const SpecObject* object);

// attributes that need special code instead of a row of the schema (rows.h); also used for the
// elements of <default> classes. fallback: the inherited defaults; values equal to them may be left
// out.

void write_gridlayout(Writer* w, const mjsTexture* texture, const mjsTexture* fallback);
void write_layers(Writer* w, const mjsMaterial* material, const mjsMaterial* fallback);
// placed: 1 to write the position in any case
void write_camerarows(Writer* w, const SchemaElement* element, const mjsCamera* camera,
                      const mjsCamera* fallback, int placed);
void write_inputs(Writer* w, const mjsActuator* actuator, const mjsActuator* class);
void write_springlength(Writer* w, const mjsTendon* tendon, const mjsTendon* fallback);

// sections.h: the functions that read each kind of section.

#pragma once

#include "mjcf/read/values.h"

// called for every section of its kind in document order

// Reads the dialect that a custom text of this name gives; a word of <compiler> overrides it.
void read_dialecttext(const Reader* reader, const Node* root);

void read_compiler(const Reader* reader, const Node* section);
void read_option(const Reader* reader, const Node* section);
void read_size(const Reader* reader, const Node* section);
void read_statistic(const Reader* reader, const Node* section);
void read_default(const Reader* reader, const Node* section);
void read_worldbody(const Reader* reader, const Node* section);

// called for each element of other sections; read_asset for those of <custom>, <asset>,
// <deformable>, <contact>, <keyframe>

void read_visual(const Reader* reader, const Node* node);
void read_asset(const Reader* reader, const Node* node);
void read_deformable(const Reader* reader, const Node* node);
void read_equality(const Reader* reader, const Node* node);
void read_tendonpath(const Reader* reader, const Node* node);
void read_actuatortarget(const Reader* reader, const Node* node);
void read_sensor(const Reader* reader, const Node* node);

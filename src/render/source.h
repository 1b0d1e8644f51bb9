// source.h: the texts of shader/, embedded by cmake/embed.cmake.

#pragma once

extern const char SHADER_SCENE_GLSL[];
extern const char SHADER_SCENE_VERT[];
extern const char SHADER_SCENE_GEOM[];
extern const char SHADER_SCENE_FRAG[];
extern const char SHADER_FLAT_VERT[];
extern const char SHADER_FLAT_FRAG[];
extern const char SHADER_SKY_VERT[];
extern const char SHADER_SKY_FRAG[];
extern const char SHADER_HAZE_FRAG[];
extern const char SHADER_PIXELS_FRAG[];

// elements.h: how each kind of element is drawn. The table in draw/geoms.c says when.
//
// Most functions draw one object with a given number. Functions for elements that exist once ignore
// it, and those for geoms and sites, of which there are many, draw all of them.
//                                                                theory/scenes.md, Model elements

#pragma once

#include "view/draw/picture.h"

// what a model is made of
void draw_flex(Picture* p, int flex);
void draw_skin(Picture* p, int skin);
void draw_geoms(Picture* p);
void draw_sites(Picture* p);
void draw_tendon(Picture* p, int tendon);
void draw_crank(Picture* p, int actuator);

// frames
void draw_geom_frame(Picture* p, int geom);
void draw_site_frame(Picture* p, int site);
void draw_world_frame(Picture* p, int body);
void draw_body_frame(Picture* p, int body);

// trees of boxes
void draw_body_boxes(Picture* p, int body);
void draw_flex_boxes(Picture* p, int flex);
void draw_mesh_boxes(Picture* p, int geom);
void draw_octree(Picture* p, int geom);

// sensors
void draw_tactile(Picture* p, int sensor);
void draw_ray(Picture* p, int sensor);

// bodies
void draw_inertia(Picture* p, int body);
void draw_perturbed(Picture* p, int none);
void draw_selected_point(Picture* p, int none);
void draw_body_label(Picture* p, int body);
void draw_island_label(Picture* p, int body);
void draw_com(Picture* p, int body);
void draw_connection(Picture* p, int body);
void draw_applied_force(Picture* p, int body);

// mechanisms, cameras and lights
void draw_joint(Picture* p, int joint);
void draw_actuator(Picture* p, int actuator);
void draw_camera(Picture* p, int camera);
void draw_light(Picture* p, int light);

// constraints
void draw_equality(Picture* p, int equality);
void draw_contact(Picture* p, int contact);

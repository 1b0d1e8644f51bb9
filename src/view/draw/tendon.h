// tendon.h: the path of a spatial tendon as capsules between its points.

#pragma once

#include "view/draw/picture.h"

// Draws the path of a tendon in shapes that are like a given one but for type, size and pose, half
// as wide inside of wrapping geoms. The first one has its label.
void draw_path(Picture* p, int tendon, mjtNum width, const mjvGeom* like);

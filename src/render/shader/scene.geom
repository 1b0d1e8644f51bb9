// Sides of triangles as lines, where polygons are drawn so. Halves of quadrangles leave out their
// last side: the diagonal.
layout(triangles) in;
layout(line_strip, max_vertices = 4) out;

uniform int halves;  // of quadrangles?
uniform int front;   // sign of the area that is seen; 0: both sides are

in Corner SURFACE corner[3];
out Surface SURFACE;

void put(int i) {
  gl_Position = gl_in[i].gl_Position;
#if CLIPPED
  gl_ClipDistance[0] = gl_in[i].gl_ClipDistance[0];
#endif
  color = corner[i].color;
#if TEXTURED
  coord = corner[i].coord;
#endif
#if FOGGED
  depth = corner[i].depth;
#endif
#if SHADOWS > 0
  shadow_color = corner[i].shadow_color;
  shadow_point = corner[i].shadow_point;
#endif
  EmitVertex();
}

void main() {
  // the sign of the area on the screen, whatever is behind the eye
  float area = determinant(mat3(gl_in[0].gl_Position.xyw, gl_in[1].gl_Position.xyw,
                                gl_in[2].gl_Position.xyw));
  if (front != 0 && area * float(front) <= 0.0) return;
  put(0);
  put(1);
  put(2);
  if (halves == 0) put(0);
  EndPrimitive();
}

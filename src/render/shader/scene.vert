// Copies of a shape, lit at their vertices: reflected light is the sum over lights of
//
//   a (ambient + diffuse max(n.l, 0)) rgba + a specular s max(n.h, 0)^(128 shininess)
//
// with a the attenuation by distance and the edge of a spot, l the direction to the light and h the
// one half way between l and the eye; and emission rgba. Lights that cast shadows are kept apart,
// as how much of them arrives is known only at the pixel.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 point;  // of the texture; w: end
layout(location = 3) in vec4 row0;
layout(location = 4) in vec4 row1;
layout(location = 5) in vec4 row2;
layout(location = 6) in vec4 size;  // scale, length
layout(location = 7) in vec4 rgba;
layout(location = 8) in vec4 material;  // emission, specular, shininess, unlit
layout(location = 9) in vec4 texgen;
layout(location = 10) in vec4 id;

uniform mat4 view;
uniform vec3 eye;
uniform vec3 forward;
uniform vec2 pixels;
uniform vec4 mirror;
uniform vec3 ambient;
uniform int plain;
uniform int shadowed;
uniform int use_position;
uniform int parallel;

struct Light {
  vec4 position;     // w: 0 if all its rays are parallel
  vec4 direction;    // w: cosine of the edge
  vec4 ambient;      // w: exponent
  vec4 diffuse;
  vec4 specular;
  vec4 attenuation;
};
layout(std140) uniform Lights {
  Light light[100];
};

#if SHADOWS > 0
uniform mat4 shadow_view[SHADOWS];
#endif
#if WIRES
out Corner SURFACE;
#else
out Surface SURFACE;
#endif

#if LIT
vec3 reflected(int i, vec3 at, vec3 n, vec3 to_eye) {
  vec3 l = -light[i].direction.xyz;
  float a = 1.0;
  if (light[i].position.w > 0.0) {
    l = light[i].position.xyz - at;
    float d = length(l);
    l /= max(d, 1e-10);
    vec3 k = light[i].attenuation.xyz;
    a = 1.0 / max(k.x + d * (k.y + d * k.z), 1e-10);
    float c = dot(-l, light[i].direction.xyz);
    a *= c < light[i].direction.w ? 0.0 : pow(max(c, 0.0), light[i].ambient.w);
  }
  float facing = dot(n, l);
  vec3 sum = (light[i].ambient.rgb + light[i].diffuse.rgb * max(facing, 0.0)) * rgba.rgb;
  if (facing > 0.0) {
    float shine = max(dot(n, normalize(l + to_eye)), 0.0);
    sum += light[i].specular.rgb * material.y * (shine > 0.0 ? pow(shine, 128.0 * material.z) : 0.0);
  }
  return a * sum;
}
#endif

void main() {
  vec3 local = position * size.xyz + vec3(0, 0, point.w * size.w);
  vec4 at = vec4(dot(row0.xyz, local) + row0.w, dot(row1.xyz, local) + row1.w,
                 dot(row2.xyz, local) + row2.w, 1);
#if LINES
  // a strip as wide as the line has pixels: from the copy's place along its z
  vec4 from = view * vec4(row0.w, row1.w, row2.w, 1);
  vec4 to = view * vec4(row0.w + row0.z * size.z, row1.w + row1.z * size.z,
                        row2.w + row2.z * size.z, 1);
  const float NEAR = 1e-5;
  vec4 start = from, stop = to;
  if (from.w < NEAR && to.w > NEAR) start = mix(from, to, (NEAR - from.w) / (to.w - from.w));
  if (to.w < NEAR && from.w > NEAR) stop = mix(to, from, (NEAR - to.w) / (from.w - to.w));
  vec2 along = (stop.xy / stop.w - start.xy / start.w) * pixels;
  vec2 side = length(along) > 0.0 ? normalize(vec2(-along.y, along.x)) : vec2(0, 1);
  gl_Position = mix(start, stop, position.x);
  gl_Position.xy += side * position.y * size.w / pixels * gl_Position.w;
#else
  gl_Position = view * at;
#endif
#if CLIPPED
  gl_ClipDistance[0] = dot(mirror, at);
#endif
#if FOGGED
  depth = dot(at.xyz - eye, forward);
#endif
#if TEXTURED
  coord = texgen.xyz * (use_position != 0 ? position : point.xyz) + vec3(texgen.ww, 0);
#endif
#if IDS
  color = id;
#elif LIT
  vec3 n = normal / size.xyz;
  n = normalize(vec3(dot(row0.xyz, n), dot(row1.xyz, n), dot(row2.xyz, n)));
  vec3 to_eye = parallel != 0 ? -forward : normalize(eye - at.xyz);
  vec3 sum = (material.x + ambient) * rgba.rgb;
  for (int i = 0; i < plain; i++) {
    sum += reflected(i, at.xyz, n, to_eye);
  }
  color = material.w > 0.0 ? rgba : vec4(clamp(sum, 0.0, 1.0), rgba.a);
#if SHADOWS > 0
  for (int i = 0; i < SHADOWS; i++) {
    vec3 part = clamp(reflected(shadowed + i, at.xyz, n, to_eye), 0.0, 1.0);
    shadow_color[i] = material.w > 0.0 ? vec3(0) : part;
    shadow_point[i] = shadow_view[i] * at;
  }
#endif
#else
  color = rgba;
#endif
}

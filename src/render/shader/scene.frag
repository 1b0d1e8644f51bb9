// The color of a pixel: what reaches it of each light, times the texture, in the fog.
in Surface SURFACE;
out vec4 pixel;
#if TEXTURED == 1
uniform sampler2D image;
#elif TEXTURED == 2
uniform samplerCube image;
#endif
#if FOGGED
uniform vec4 fog;
uniform vec2 fog_range;
#endif
#if SHADOWS > 0
uniform sampler2DShadow shadow_map[SHADOWS];
uniform vec4 shadow_part[SHADOWS];

// GLSL 3.30 has no indices of samplers that vary
#define LIGHTEN(i)                                                                      \
  if (any(greaterThan(shadow_color[i], vec3(0)))) {                                     \
    vec3 p = shadow_point[i].xyz / shadow_point[i].w;                                   \
    bool is_seen = shadow_point[i].w > 0.0 && all(greaterThan(p.xy, shadow_part[i].xy)) && \
                   all(lessThan(p.xy, shadow_part[i].zw));                              \
    sum += shadow_color[i] * (is_seen ? texture(shadow_map[i], p) : 1.0);               \
  }
#endif

void main() {
#if DEPTHS
#elif IDS
  pixel = color;
#else
  vec3 sum = color.rgb;
#if SHADOWS > 0
  LIGHTEN(0)
#endif
#if SHADOWS > 1
  LIGHTEN(1)
#endif
#if SHADOWS > 2
  LIGHTEN(2)
#endif
#if SHADOWS > 3
  LIGHTEN(3)
#endif
  pixel = vec4(sum, color.a);
#if TEXTURED == 1
  pixel *= texture(image, coord.xy);
#elif TEXTURED == 2
  pixel *= texture(image, coord);
#endif
#if FOGGED
  pixel.rgb = mix(fog.rgb, pixel.rgb,
                  clamp((fog_range.y - depth) / (fog_range.y - fog_range.x), 0.0, 1.0));
#endif
#endif
}

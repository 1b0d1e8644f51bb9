// The program that draws shapes, as condyle_render does: copies of a shape, lit as fixed-function
// OpenGL lights them. Reflected light is the sum over lights of
//
//   a (ambient + diffuse max(n.l, 0)) rgba + a specular s max(n.h, 0)^(128 shininess)
//
// with a the attenuation by distance and the edge of a spot, l the direction to the light and h the
// one half way between l and the eye; and emission rgba. It is found at the pixels, or at the
// vertices where pixels are dear (PIXELS). Lights that throw shadows come last.

// Offsets of a copy's data for the program: three rows of its pose; scale and length; colour;
// emission, specular and shininess; position of its texture.
export const COPY = { rows: 0, size: 12, rgba: 16, look: 20, texgen: 24, floats: 28 };

const HEAD = `
precision highp float;
precision highp int;
precision highp sampler2DShadow;
#if LIGHTS > 0
// of each: position, direction against its rays (cosine of the edge), ambient (exponent), diffuse,
// specular, attenuation
uniform vec4 light[6 * LIGHTS];
#endif
uniform vec3 ambient;
uniform mat4 projectionMatrix, viewMatrix;
uniform vec3 cameraPosition;

// for parallel rays (orthographic cameras) the direction to the eye is the same everywhere
#define TO_EYE(at) (projectionMatrix[3][3] == 1.0 ? vec3(viewMatrix[0].z, viewMatrix[1].z, viewMatrix[2].z) : normalize(cameraPosition - at))

// of a highlight; where pixels are dear, Schlick's t / (e - e t + t)
#if PIXELS
#define POWER(t) pow(t, exponent)
#else
#define POWER(t) 1.0 / ((exponent / t - exponent) + 1.0)
#endif
#if TEXTURED == 1
#define COORD vec2
#else
#define COORD vec3
#endif
`;

// variables passed from the vertex to the fragment program
const BETWEEN = (way: "in" | "out") => `
#if PIXELS
${way} vec3 place, up, surface;
#else
#if SHADOWS > 0
${way} vec3 shadowed[SHADOWS];
#endif
#endif
#if SHADOWS > 0
${way} vec4 shadowPoint[SHADOWS];
#endif
#if TEXTURED > 0
${way} COORD coord;
#endif
#if FOGGED
${way} float depth;
#endif
#if MIRROR == 2
${way} float height;
#endif
${way} vec4 color;
`;

// Kinds of lights, one letter for each; the last `shadows` throw some.
export const PARALLEL = "p",
  SPOT = "s";

// Statements are written out for each light, by its kind, without functions: processors that draw follow loops, branches and calls
// badly. They add to `bright` and `gloss` what a surface at a place with a normal n reflects, times `part`.
const LIGHTING = "vec3 l, gloss = vec3(0); float f, a;";
const reflect = (kind: string, light: number, at: string, part = "1.0") => {
  const of = (row: number) => `light[${6 * light + row}]`;
  return (
    (kind === PARALLEL
      ? `l = ${of(1)}.xyz; a = ${part};`
      : `l = ${of(0)}.xyz - ${at}; a = inversesqrt(max(dot(l, l), 1e-20)); l *= a;
  f = dot(l, ${of(1)}.xyz);
  a = ${part} * (f < ${of(1)}.w ? 0.0 : pow(max(f, 1e-10), ${of(2)}.w)) / max(${of(5)}.x + (${of(5)}.y + ${of(5)}.z / a) / a, 1e-10);`) +
    `
  f = dot(n, l);
  bright += a * (${of(2)}.rgb + ${of(3)}.rgb * max(f, 0.0));
  l += eye;
  gloss += a * (f > 0.0 ? POWER(max(dot(n, l) * inversesqrt(dot(l, l)), 1e-10)) : 0.0) * ${of(4)}.rgb;`
  );
};

// Code for the part `s` of a light that reaches the surface, by shadow map number i.
const arrive = (kind: string, i: number) => `
  p = shadowPoint[${i}].xyz${kind === PARALLEL ? "" : ` / shadowPoint[${i}].w`} - vec3(0, 0, BIAS);
  s = ${kind === PARALLEL ? "" : `shadowPoint[${i}].w > 0.0 && `}all(lessThan(abs(p - 0.5), vec3(0.5))) ? FALL(shadowMap${i}) : 1.0;`;

export function vertexProgram(kinds: string, shadows: number): string {
  const plain = kinds.length - shadows,
    thrown = [...kinds.slice(plain)];
  return `${HEAD}
in vec3 position, normal;
in vec2 uv;
in float end;                          // of a capsule: 1 or -1
in vec4 row0, row1, row2, size, rgba, look, texgen;  // size: scale, length
#if SHADOWS > 0
uniform mat4 shadowView[SHADOWS];
uniform float shadowGap;               // between a surface and where its shadow is looked up
#endif
#if !DEPTHS
${BETWEEN("out")}
#endif

void main() {
  vec3 local = position * size.xyz + vec3(0, 0, end * size.w);
  vec3 at = vec3(dot(row0.xyz, local) + row0.w, dot(row1.xyz, local) + row1.w, dot(row2.xyz, local) + row2.w);
  vec4 seen = viewMatrix * vec4(at, 1);
  gl_Position = projectionMatrix * seen;
#if !DEPTHS
  vec3 n = normal / size.xyz;
  n = normalize(vec3(dot(row0.xyz, n), dot(row1.xyz, n), dot(row2.xyz, n)));
#if TEXTURED == 1 && COORDS
  coord = uv;
#elif TEXTURED > 0
  // the texture continues along the cylinder of a capsule
  coord = COORD(texgen.xyz * (position + vec3(0, 0, end * size.w / size.z))) + texgen.w;
#endif
#if FOGGED
  depth = -seen.z;
#endif
#if MIRROR == 2
  height = position.z;
#endif
  color = rgba;
#if SHADOWS > 0
  ${thrown.map((_, i) => `shadowPoint[${i}] = shadowView[${i}] * vec4(at + shadowGap * n, 1);`).join("")}
#endif
#if PIXELS
  place = at;
  up = n;
  surface = look.xyz;
#else
  vec3 eye = TO_EYE(at), bright = ambient + look.x;
  float exponent = 128.0 * look.z;
  ${LIGHTING}
#if TWO_SIDED
  n = dot(n, eye) < 0.0 ? -n : n;
#endif
  ${Array.from(kinds.slice(0, plain), (kind, i) => reflect(kind, i, "at")).join("")}
  color.rgb = clamp(bright * rgba.rgb + gloss * look.y, 0.0, 1.0);
  ${thrown
    .map(
      (kind, i) => `
  bright = gloss = vec3(0);
  ${reflect(kind, plain + i, "at")}
  shadowed[${i}] = clamp(bright * rgba.rgb + gloss * look.y, 0.0, 1.0);`,
    )
    .join("")}
#endif
#endif
}
`;
}

export function fragmentProgram(kinds: string, shadows: number): string {
  const plain = kinds.length - shadows,
    thrown = [...kinds.slice(plain)];
  return `${HEAD}
#if DEPTHS
void main() {}
#else
${BETWEEN("in")}
out vec4 pixel;
#if TEXTURED == 1
uniform sampler2D image;
#elif TEXTURED == 2
uniform samplerCube image;
#endif
#if FOGGED
uniform vec3 fogColor;
uniform vec2 fogRange;
#endif
#if MIRROR
uniform sampler2D reflection;
uniform vec4 screen;
uniform float reflectance;
#endif
#if SHADOWS > 0
uniform sampler2DShadow shadowMap0;
#if SHADOWS > 1
uniform sampler2DShadow shadowMap1;
#endif
#define BIAS 0.0004
#if SOFT
#define NEAR(map, x, y) texture(map, p + vec3(vec2(x, y) / vec2(textureSize(map, 0)), 0))
#define FALL(map) 0.25 * (NEAR(map, -0.75, -0.75) + NEAR(map, 0.75, -0.75) + NEAR(map, -0.75, 0.75) + NEAR(map, 0.75, 0.75))
#else
#define FALL(map) texture(map, p)
#endif
#endif

void main() {
  ${thrown.length ? "vec3 p; float s;" : ""}
#if PIXELS
  vec3 eye = TO_EYE(place), n = normalize(up), bright = ambient + surface.x;
  float exponent = 128.0 * surface.z;
  ${LIGHTING}
#if TWO_SIDED
  n = dot(n, eye) < 0.0 ? -n : n;
#endif
  ${Array.from(kinds, (kind, i) => (i < plain ? reflect(kind, i, "place") : arrive(kind, i - plain) + reflect(kind, i, "place", "s"))).join("")}
  vec3 sum = bright * color.rgb + gloss * surface.y;
#else
  vec3 sum = color.rgb;
  ${thrown
    .map(
      (kind, i) => `${arrive(kind, i)}
  sum += s * shadowed[${i}];`,
    )
    .join("")}
#endif
  pixel = vec4(clamp(sum, 0.0, 1.0), color.a);
#if TEXTURED > 0
  pixel *= texture(image, coord);
#endif
#if MIRROR == 2
  if (height > 0.999)
#endif
#if MIRROR
  {
    vec2 seen = (gl_FragCoord.xy - screen.xy) / screen.zw;
    pixel.rgb += reflectance * texture(reflection, vec2(1.0 - seen.x, seen.y)).rgb;
  }
#endif
#if FOGGED
  pixel.rgb = mix(fogColor, pixel.rgb, clamp((fogRange.y - depth) / (fogRange.y - fogRange.x), 0.0, 1.0));
#endif
}
#endif
`;
}

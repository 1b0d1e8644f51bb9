// What is behind everything: the model's sky, or a quiet gradient in the colours of the page.

import * as THREE from "three";

const VERTEX = `
varying vec3 vDirection;
void main() {
  vec4 far = inverse(projectionMatrix) * vec4(position.xy, 1.0, 1.0);
  bool perspective = projectionMatrix[3][3] == 0.0;
  vDirection = transpose(mat3(viewMatrix)) * (perspective ? far.xyz / far.w : vec3(0.0, 0.0, -1.0));
  gl_Position = vec4(position.xy, 0.99999, 1.0);
}`;

// one triangle that covers the picture
const everywhere = new THREE.BufferGeometry();
everywhere.setAttribute("position", new THREE.Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));

// the sky of a model is stored with +y up
const FRAGMENT = `
varying vec3 vDirection;
uniform samplerCube sky; uniform vec3 low; uniform vec3 high;
void main() {
  vec3 d = vDirection;
#if TEXTURED
  gl_FragColor = vec4(textureLod(sky, vec3(d.x, d.z, -d.y), 0.0).rgb, 1.0);
#else
  gl_FragColor = vec4(mix(low, high, smoothstep(-0.05, 0.7, d.z * inversesqrt(dot(d, d)))), 1.0);
#endif
}`;

// drawn after opaque shapes, so that only its visible part costs time
const SKY_LAST = 1;

export class Sky {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  readonly low = new THREE.Color();
  readonly high = new THREE.Color();

  constructor() {
    const material = new THREE.ShaderMaterial({
      uniforms: {
        sky: { value: null },
        low: { value: this.low },
        high: { value: this.high },
      },
      defines: { TEXTURED: 0 },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: THREE.DoubleSide,
      depthWrite: false,
      fog: false,
    });
    this.mesh = new THREE.Mesh(everywhere, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = SKY_LAST;
  }

  use(texture: THREE.CubeTexture | null) {
    const { material } = this.mesh;
    material.uniforms["sky"]!.value = texture;
    if (material.defines["TEXTURED"] !== +(texture !== null)) {
      material.defines["TEXTURED"] = +(texture !== null);
      material.needsUpdate = true;
    }
  }
}

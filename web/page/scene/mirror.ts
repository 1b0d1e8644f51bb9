// A mirror: as in mjr_render, the first shape that reflects shows the others. They are drawn into a
// texture from the mirror image of the eye, and the mirror adds that texture to its own colour.
//
// With R the reflection and S = diag(-1, 1, 1), the eye E becomes R E S, a rotation again, so that
// front faces stay front faces. Its picture has left and right swapped; the mirror's program looks
// it up that way.

import * as THREE from "three";

// Objects in this layer are drawn but not mirrored.
export const MIRROR_LAYER = 1;

export interface MirrorSurface {
  normal: THREE.Vector3;
  point: THREE.Vector3;
  reflectance: number;
}

const clip = new THREE.Vector4(),
  corner = new THREE.Vector4(),
  last = new THREE.Vector4();
const inverse = new THREE.Matrix4(),
  flip = new THREE.Matrix4().makeScale(-1, 1, 1);

export class Mirror {
  // for programs of mirrors; `screen` is the part of the canvas that the picture fills
  readonly uniforms = {
    reflection: { value: null as THREE.Texture | null },
    screen: { value: new THREE.Vector4(0, 0, 1, 1) },
    reflectance: { value: 0 },
  };
  private readonly target: THREE.WebGLRenderTarget;
  private readonly camera = new THREE.PerspectiveCamera();

  constructor(samples: number) {
    this.target = new THREE.WebGLRenderTarget(1, 1, { samples });
    this.camera.matrixAutoUpdate = false;
  }

  // Draws what the mirror shows: `scene` without what is in its layer.
  draw(
    renderer: THREE.WebGLRenderer,
    scene: THREE.Scene,
    eye: THREE.Camera,
    surface: MirrorSurface,
    screen: THREE.Vector4,
    detail: number,
  ) {
    this.uniforms.reflectance.value = surface.reflectance;
    this.uniforms.screen.value.copy(screen);
    this.uniforms.reflection.value = null;
    this.target.setSize(Math.max(1, Math.round(detail * screen.z)), Math.max(1, Math.round(detail * screen.w)));
    this.place(eye, surface);
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(scene, this.camera);
    renderer.setRenderTarget(null);
    this.uniforms.reflection.value = this.target.texture;
  }

  private place(eye: THREE.Camera, { normal: n, point }: MirrorSurface) {
    const offset = n.dot(point);
    this.camera.matrix
      .set(
        1 - 2 * n.x * n.x,
        -2 * n.x * n.y,
        -2 * n.x * n.z,
        2 * offset * n.x,
        -2 * n.x * n.y,
        1 - 2 * n.y * n.y,
        -2 * n.y * n.z,
        2 * offset * n.y,
        -2 * n.x * n.z,
        -2 * n.y * n.z,
        1 - 2 * n.z * n.z,
        2 * offset * n.z,
        0,
        0,
        0,
        1,
      )
      .multiply(eye.matrix)
      .multiply(flip);
    this.camera.matrixWorldNeedsUpdate = true;
    const p = this.camera.projectionMatrix.copy(eye.projectionMatrix).premultiply(flip).multiply(flip);

    // the near plane becomes the mirror's: row 3 of P is k c - row 4, with c the plane seen from the camera
    const local = new THREE.Plane(n, -offset).applyMatrix4(inverse.copy(this.camera.matrix).invert());
    clip.set(local.normal.x, local.normal.y, local.normal.z, local.constant);
    corner.set(Math.sign(clip.x), Math.sign(clip.y), 1, 1).applyMatrix4(inverse.copy(p).invert());
    const e = p.elements;
    last.set(e[3]!, e[7]!, e[11]!, e[15]!);
    clip.multiplyScalar((2 * last.dot(corner)) / clip.dot(corner)).sub(last);
    [e[2], e[6], e[10], e[14]] = clip.toArray();
    this.camera.projectionMatrixInverse.copy(p).invert();
  }

  dispose() {
    this.target.dispose();
  }
}

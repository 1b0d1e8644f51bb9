#!/bin/sh
# Builds the stepper, the timers of stages, rays, scenes and pictures twice (Condyle, reference), writes the benchmark's models and compares.   usage: run.sh BUILD_DIR
set -eu
cd "$(dirname "$0")/.."
build=$1
out=$build/bench
mkdir -p "$out"
reference=$(scripts/reference.sh) || {
  echo "make bench needs the Python package mujoco==3.3.7 to compare with" >&2
  exit 1
}
library=$(ls "$reference"/libmujoco.so.*)
cc -O2 -Iinclude bench/stepper.c -o "$out/condyle" -L"$build" -lcondyle -Wl,-rpath,"$PWD/$build" -lm
cc -O2 -I"$reference/include" bench/stepper.c -o "$out/reference" "$library" -Wl,-rpath,"$reference" -lm
cc -O2 -Iinclude bench/stages.c -o "$out/stages_condyle" -L"$build" -lcondyle -Wl,-rpath,"$PWD/$build" -lm
cc -O2 -I"$reference/include" bench/stages.c -o "$out/stages_reference" "$library" -Wl,-rpath,"$reference" -lm
cc -O2 -Iinclude bench/rays.c -o "$out/rays_condyle" -L"$build" -lcondyle -Wl,-rpath,"$PWD/$build" -lm
cc -O2 -I"$reference/include" bench/rays.c -o "$out/rays_reference" "$library" -Wl,-rpath,"$reference" -lm
cc -O2 -Iinclude bench/aba.c -o "$out/aba" -L"$build" -lcondyle -Wl,-rpath,"$PWD/$build" -lm
cc -O2 -Iinclude bench/scene.c -o "$out/scene_condyle" -L"$build" -lcondyle -Wl,-rpath,"$PWD/$build" -lm
cc -O2 -I"$reference/include" bench/scene.c -o "$out/scene_reference" "$library" -Wl,-rpath,"$reference" -lm
# internals are in the static library only; its flags are those of the shared one
cc -O2 -Iinclude -Isrc bench/columns.c -o "$out/columns" "$build/libcondyle.a" -fno-lto -lexpat -lz -lccd -lqhull_r -lspng -lm -ldl -lpthread
for count in 22 100; do
  python3 models/crowd.py $count > "$out/crowd_$count.xml"
done
models="models/humanoid.xml:2000 $out/crowd_22.xml:200 $out/crowd_100.xml:40 models/hand.xml:1000 models/humanoid_mesh.xml:1000"
shared=../shared/models/reference
if [ -d "$shared" ]; then
  models="$models $shared/mug/mug.xml:1000 $shared/cube/cube_3x3x3.xml:300 $shared/cards/cards.xml:100"
  models="$models $shared/replicate/bunnies.xml:20 $shared/replicate/container.xml:2000"
fi
# shellcheck disable=SC2086  # one word a model
python3 bench/compare.py "$out" $models
# shellcheck disable=SC2046,SC2086
python3 bench/stages.py "$out" collision $(printf '%s\n' $models | sed 's/:[0-9]*$//')
python3 bench/tree.py 300 > "$out/tree_300.xml"
python3 bench/stages.py "$out" models/humanoid.xml "$out/tree_300.xml"
python3 bench/torus.py 224 > "$out/torus.xml"
python3 bench/rays.py "$out" "$out/torus.xml" "$out/crowd_22.xml" models/humanoid.xml
python3 bench/scene.py "$out"
python3 bench/scene.py "$out" models/humanoid.xml models/hand.xml
cc -O2 -Iinclude bench/hard.c -o "$out/hard" -L"$build" -lcondyle -Wl,-rpath,"$PWD/$build" -lm
python3 bench/hard.py "$out/hard"
for derivative in transitionFD inverseFD; do
  # shellcheck disable=SC2046,SC2086
  python3 bench/stages.py "$out" $derivative $(printf '%s\n' $models | sed 's/:[0-9]*$//' | grep -v -e crowd -e cube -e cards -e bunnies)
done
for kind in ant quadruped arm; do
  python3 bench/robot.py $kind > "$out/$kind.xml"
done
cc -O2 -Iinclude bench/derive.c -o "$out/derive_condyle" -L"$build" -lcondyle -Wl,-rpath,"$PWD/$build" -lm
cc -O2 -I"$reference/include" bench/derive.c -o "$out/derive_reference" "$library" -Wl,-rpath,"$reference" -lm
python3 bench/derive.py "$out" models/humanoid.xml "$out/ant.xml" models/hand.xml "$out/arm.xml" "$out/quadruped.xml"
"$out/aba"
cc -O2 -Iinclude bench/cloth.c -o "$out/cloth_condyle" -L"$build" -lcondyle -Wl,-rpath,"$PWD/$build" -lm
cc -O2 -I"$reference/include" bench/cloth.c -o "$out/cloth_reference" "$library" -Wl,-rpath,"$reference" -lm
python3 bench/cloth.py "$out"

cc -O2 -Iinclude bench/sleep/sleep.c -o "$out/sleep_condyle" -L"$build" -lcondyle -Wl,-rpath,"$PWD/$build" -lm
python3 bench/sleep/sleep.py "$out"
for count in 10 40 160; do
  python3 bench/snake.py $count > "$out/snake_$count.xml"
done
"$out/columns" models/humanoid.xml models/hand.xml models/rubble.xml tests/models/hard_wall.xml "$out"/snake_*.xml
cc -O2 -Iinclude bench/batch.c -o "$out/batch" -L"$build" -lcondyle -Wl,-rpath,"$PWD/$build" -lm
for model in models/humanoid.xml bench/swing.xml; do
  for threads in 1 "$(nproc)"; do
    "$out/batch" "$model" 256 "$threads"
  done
done
if [ -e "$build/libcondyle_render.so" ] && printf '#include <EGL/egl.h>\nint main(void) { return 0; }\n' | cc -xc - -o "$out/egl" -lEGL 2> /dev/null; then
  cc -O2 -Iinclude bench/render.c -o "$out/render_condyle" -L"$build" -lcondyle_render -lcondyle -lEGL -Wl,-rpath,"$PWD/$build" -lm
  cc -O2 -I"$reference/include" bench/render.c -o "$out/render_reference" "$library" -lEGL -Wl,-rpath,"$reference" -lm
  python3 bench/render.py "$out"
fi

#!/bin/sh
# Collects the models of Gymnasium and dm_control, writes robots of meshes, and times them under Condyle and two releases of the
# reference; figures go to build/bench-wide/wide.md.   usage: run.sh BUILD_DIR [OPTION...]     (options: compare.py --help)
set -eu
cd "$(dirname "$0")/../.."
build=$1
shift
out=build/bench-wide
models=$out/models
mkdir -p "$out"

environment() { # environment NAME PACKAGE...: a Python of its own with these packages
  [ -e "$out/venv-$1/done" ] && return
  python3 -m venv "$out/venv-$1"
  name=$1
  shift
  "$out/venv-$name/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
  touch "$out/venv-$name/done"
}

# dm_control compiles its models while they are caught, by the release it was made for
environment gymnasium gymnasium==1.4.0
environment dm_control dm_control==1.0.50 mujoco==3.17.0 pillow
environment newest mujoco==4.0.0
oldest=$(scripts/reference.sh)
newest=$(echo "$PWD/$out"/venv-newest/lib/python*/site-packages/mujoco)

if ! [ -e "$models/done" ]; then
  "$out/venv-gymnasium/bin/python" bench/wide/collect_gymnasium.py "$models/gymnasium"
  "$out/venv-dm_control/bin/python" bench/wide/collect_dm_control.py "$models/dm_control"
  touch "$models/done"
fi
python3 bench/wide/robots.py "$models/robots"
python3 bench/wide/kitchen.py "$models/scenes"
python3 bench/wide/crowds.py "$models/crowds"
python3 bench/wide/grippers.py "$models/grippers"
python3 bench/wide/muscles.py "$models/muscles"
own() { # own NAME: where a model of ours goes
  mkdir -p "$models/condyle/$1"
  echo "$models/condyle/$1/model.xml"
}
for name in hand humanoid humanoid_mesh rubble; do
  cp "models/$name.xml" "$(own $name)"
done
python3 models/crowd.py 22 > "$(own crowd_22)"
python3 bench/tree.py 100 > "$(own tree_100)"
python3 bench/snake.py 40 > "$(own snake_40)"
cp bench/swing.xml "$(own swing)"
for kind in ant quadruped arm; do
  python3 bench/robot.py $kind > "$(own $kind)"
done

flags="-O2 bench/wide/wide.c"
# shellcheck disable=SC2086  # several words
{
  cc $flags -Iinclude -o "$out/condyle" -L"$build" -lcondyle -Wl,-rpath,"$PWD/$build" -lm
  cc $flags -I"$oldest/include" -o "$out/reference-3.3.7" "$(ls "$oldest"/libmujoco.so.*)" -Wl,-rpath,"$oldest" -lm
  cc $flags -I"$newest/include" -o "$out/reference-4.0.0" "$(ls "$newest"/libmujoco.so.*)" -Wl,-rpath,"$newest" -lm
}
python3 bench/wide/compare.py "$out" "$@"

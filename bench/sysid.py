"""System identification with Condyle and with MuJoCo's toolbox, on the same problems in one run.

usage: sysid.py [--rounds N] [--reference PYTHON]

PYTHON has `mujoco[sysid]` of release 4.0 or later. Each problem is a recorded motion with noise and a model with wrong numbers; both
toolboxes get the same program, start and data, and run in processes of their own, in turn. Shown are the parameters' largest error in
parts of their truth, half the sum of squared residuals, how many rollouts it took, and the time of `optimize` on the clock and of the
processor, the best of the rounds. The processor's time counts where other programs keep it busy.
"""

import argparse
import json
import os
import subprocess
import sys
import time

import numpy as np

ARM = """<mujoco><option timestep="0.002" integrator="implicitfast"/>
<default><geom type="capsule" size="0.03" contype="0" conaffinity="0"/><joint armature="0.02"/></default>
<worldbody><body name="b1"><joint name="j1" axis="0 0 1"/><geom name="g1" fromto="0 0 0 0 0 0.3" mass="1.5"/>
<body name="b2" pos="0 0 0.3"><joint name="j2" axis="0 1 0"/><geom name="g2" fromto="0 0 0 0.4 0 0" mass="1"/>
<body name="b3" pos="0.4 0 0"><joint name="j3" axis="0 1 0"/><geom name="g3" fromto="0 0 0 0.3 0 0" mass="1"/>
<body name="b4" pos="0.3 0 0"><joint name="j4" axis="1 0 0"/><geom name="g4" type="box" size="0.05 0.03 0.02" mass="0.5"/>
</body></body></body></body></worldbody>
<actuator><motor name="m1" joint="j1"/><motor name="m2" joint="j2"/><motor name="m3" joint="j3"/><motor name="m4" joint="j4"/></actuator>
<sensor><jointpos name="q1" joint="j1"/><jointpos name="q2" joint="j2"/><jointpos name="q3" joint="j3"/><jointpos name="q4" joint="j4"/>
<jointvel name="w1" joint="j1"/><jointvel name="w2" joint="j2"/><jointvel name="w3" joint="j3"/><jointvel name="w4" joint="j4"/></sensor>
</mujoco>"""

LEG = """<body name="{n}hip" pos="{x} {y} 0"><joint class="hip" name="{n}hip" axis="1 0 0"/><geom size="0.03" fromto="0 0 0 0 {s} 0" mass="0.6"/>
<body name="{n}thigh" pos="0 {s} 0"><joint class="thigh" name="{n}thigh" axis="0 1 0"/><geom size="0.025" fromto="0 0 0 0 0 -0.2" mass="1"/>
<body name="{n}calf" pos="0 0 -0.2"><joint class="calf" name="{n}calf" axis="0 1 0"/><geom size="0.015" fromto="0 0 0 0 0 -0.2" mass="0.2"/>
<geom name="{n}foot" type="sphere" class="foot" pos="0 0 -0.2" size="0.02"/></body></body></body>"""
CORNERS = {"fl": (0.2, 0.08, 0.06), "fr": (0.2, -0.08, -0.06), "rl": (-0.2, 0.08, 0.06), "rr": (-0.2, -0.08, -0.06)}
KINDS = ("hip", "thigh", "calf")


def quadruped():
  names = [n + k for n in CORNERS for k in KINDS]
  legs = "".join(LEG.format(n=n, x=x, y=y, s=s) for n, (x, y, s) in CORNERS.items())
  motors = "".join(f'<position name="m{n}" joint="{n}" kp="40" kv="1"/>' for n in names)
  sensors = "".join(f'<jointpos name="q{n}" joint="{n}"/>' for n in names) + "".join(f'<jointvel name="w{n}" joint="{n}"/>' for n in names)
  return f"""<mujoco><option timestep="0.002" integrator="implicitfast"/>
<default><geom type="capsule" contype="0" conaffinity="0"/><default class="foot"><geom contype="1" mass="0.05" friction="0.8"/></default>
<default class="hip"><joint armature="0.01" damping="0.1"/></default><default class="thigh"><joint armature="0.01" damping="0.1"/></default>
<default class="calf"><joint armature="0.01" damping="0.1"/></default></default>
<worldbody><geom type="plane" size="5 5 1" conaffinity="1"/>
<body name="trunk" pos="0 0 0.38"><freejoint/><geom type="box" size="0.2 0.06 0.05" mass="6"/>{legs}</body></worldbody>
<actuator>{motors}</actuator><sensor>{sensors}</sensor></mujoco>"""


PENDULUM = """<mujoco><option timestep="0.002"/><worldbody><body><joint name="j" axis="0 1 0" damping="0.1"/>
<geom name="rod" type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02" mass="0.2" contype="0" conaffinity="0"/>
<geom name="ball" pos="0 0 -0.5" size="0.05" mass="1" contype="0" conaffinity="0"/></body></worldbody>
<actuator><motor name="m" joint="j"/></actuator><sensor><jointpos name="q" joint="j"/><jointvel name="w" joint="j"/></sensor></mujoco>"""


def geom_mass(name):
  return lambda spec, p: setattr(spec.geom(name), "mass", p.value[0])


def damping(name, kind="damping"):
  def write(spec, p):
    joint = spec.joint(name)
    try:
      setattr(joint, kind, [p.value[0], 0, 0] if kind == "damping" else p.value[0])
    except TypeError:
      setattr(joint, kind, p.value[0])

  return write


def of_kind(kind, what):
  def write(spec, p):
    for n in CORNERS:
      if what in ("kp", "kv"):
        actuator = spec.actuator("m" + n + kind)
        if what == "kp":
          actuator.gainprm[0], actuator.biasprm[1] = p.value[0], -p.value[0]
        else:
          actuator.biasprm[2] = -p.value[0]
      else:
        damping(n + kind, what)(spec, p)

  return write


# A problem: model; parameters (name, start, lower, upper, truth, how it is written); seconds and number of motions; size and rate of
# controls; what they vary around; delay of all sensors
def arm_problem():
  parameters = [(f"mass{i}", 1.0, 0.1, 4.0, truth, geom_mass(f"g{i}")) for i, truth in ((2, 1.6), (3, 0.7), (4, 0.9))]
  for i, truth in enumerate((0.4, 0.3, 0.25, 0.1), 1):
    parameters.append((f"damping{i}", 0.15, 0.01, 2.0, truth, damping(f"j{i}")))
  for i, truth in enumerate((0.3, 0.4, 0.2, 0.05), 1):
    parameters.append((f"friction{i}", 0.1, 0.0, 1.0, truth, damping(f"j{i}", "frictionloss")))
  return ARM, parameters, 0.5, 6, [2.5, 6.0, 2.0, 0.4], 9.0, [np.zeros(4)], 0.0


def quadruped_problem():
  truth = {"kp": (60, 50, 70), "kv": (1.6, 1.3, 2.0), "armature": (0.02, 0.025, 0.015), "frictionloss": (0.2, 0.3, 0.25)}
  ranges = {"kp": (40, 10, 150), "kv": (1, 0.1, 6), "armature": (0.01, 0.001, 0.1), "frictionloss": (0.1, 0.0, 2.0)}
  parameters = [(f"{what}_{kind}", *ranges[what], truth[what][i], of_kind(kind, what)) for what in truth for i, kind in enumerate(KINDS)]
  return quadruped(), parameters, 0.15, 16, [0.25] * 12, 15.0, [np.tile([0, 0.6, -1.2], 4)], 0.0


def pendulum_problem():
  parameters = [("mass", 1.0, 0.2, 5.0, 1.3, geom_mass("ball")), ("damping", 0.1, 0.01, 2.0, 0.3, damping("j"))]
  return PENDULUM, parameters, 5.0, 4, [1.5], 3.0, [np.zeros(1)], 0.013


PROBLEMS = {"arm": arm_problem, "quadruped": quadruped_problem, "pendulum": pendulum_problem}
NOISE = 1e-3


class Prepared:
  """A problem, ready to be solved any number of times."""

  def __init__(self, name, mujoco, sysid):
    self.mujoco, self.sysid = mujoco, sysid
    self.xml, self.parameters, seconds, motions, sizes, rate, start, self.delay = PROBLEMS[name]()
    spec = mujoco.MjSpec.from_string(self.xml)
    for _, _, _, _, truth, write in self.parameters:
      write(spec, type("Value", (), {"value": np.array([truth])}))
    model = spec.compile()
    h = model.opt.timestep
    t = h * np.arange(int(round(seconds / h)) + 1)
    random = np.random.default_rng(0)
    self.controls, self.initials, self.measured = [], [], []
    for k in range(motions):
      phase = random.uniform(0, 6.3, (2, len(sizes)))
      control = start[0] + np.array(sizes) * (np.sin(rate * t[:, None] + phase[0]) + 0.5 * np.sin(2.6 * rate * t[:, None] + phase[1]))
      qpos = mujoco.MjData(model).qpos.copy()
      qpos[-len(sizes) :] = start[0] if name == "quadruped" else random.uniform(-1, 1, len(sizes))
      controls = sysid.TimeSeries.from_control_names(t, control, model)
      initial = sysid.create_initial_state(model, qpos)
      found = sysid.sysid_rollout([model], [mujoco.MjData(model)], [controls], [initial])[0].sensordata
      clean = found.interpolate(found.times - self.delay)
      noise = NOISE * np.abs(clean).max(axis=0) * random.normal(size=clean.shape)
      self.controls.append(controls)
      self.initials.append(initial)
      self.measured.append(sysid.TimeSeries(found.times, clean + noise, found.signal_mapping))

  def solve(self, **options):
    """Time of the clock and of the processor, the numbers found and the truth, F, rollouts."""
    sysid = self.sysid
    params = sysid.ParameterDict()
    for name, start, low, high, _, write in self.parameters:
      params.add(sysid.Parameter(name, start, low, high, modifier=write))
    truth = [p[4] for p in self.parameters]
    arguments = {}
    if self.delay:
      delay = sysid.Parameter("delay", 0.001, 0.0, 0.04)
      params.add(delay)
      transform = sysid.SignalTransform()
      transform.delay("*", delay)
      truth.append(self.delay)
      arguments["modify_residual"] = transform.apply
    names = [f"run{i}" for i in range(len(self.initials))]
    spec = self.mujoco.MjSpec.from_string(self.xml)
    group = sysid.ModelSequences("system", spec, names, self.initials, self.controls, self.measured)
    inner = sysid.build_residual_fn(models_sequences=[group], n_threads=2, **arguments)
    calls = [0]

    def counted(x, p, **more):
      calls[0] += 1 if np.ndim(x) == 1 else np.shape(x)[1]
      return inner(x, p, **more)

    ours = "jacobian" in options
    clock, cpu = time.perf_counter(), time.process_time()
    best, result = sysid.optimize(params, inner if ours else counted, verbose=False, **options)
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    found = best.as_vector()
    residuals = inner(found, params)[0]
    return {
      "clock": clock,
      "cpu": cpu,
      "error": float(np.max(np.abs(found / truth - 1))),
      "F": 0.5 * float(sum(r @ r for r in residuals)),
      "rollouts": result.count.rollouts if ours else calls[0] * len(self.initials),
      "passes": result.count.passes if ours else 0,
      "x": found.tolist(),
    }


def serve():
  """Answers lines (problem, options) with results, as JSON."""
  out = os.fdopen(os.dup(1), "w")
  os.dup2(2, 1)
  if os.environ.get("SYSID_BENCH") == "condyle":
    import condyle

    condyle.install_as_mujoco()
  import mujoco
  from mujoco import sysid

  prepared = {}
  for line in sys.stdin:
    name, options = json.loads(line)
    if name not in prepared:
      prepared[name] = Prepared(name, mujoco, sysid)
    print(json.dumps(prepared[name].solve(**options)), file=out, flush=True)


class Toolbox:
  """A process that solves problems."""

  def __init__(self, python, which):
    environment = {**os.environ, "SYSID_BENCH": which}
    self.process = subprocess.Popen(
      [python, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True
    )

  def solve(self, name, options):
    self.process.stdin.write(json.dumps([name, options]) + "\n")
    self.process.stdin.flush()
    line = self.process.stdout.readline()
    if not line:
      raise SystemExit(f"{name}: the toolbox ended")
    return json.loads(line)


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("--serve", action="store_true")
  parser.add_argument("--rounds", type=int, default=5)
  parser.add_argument("--reference", help="a Python that has mujoco[sysid]")
  parser.add_argument("--only")
  options = parser.parse_args()
  if options.serve:
    return serve()
  condyle = Toolbox(sys.executable, "condyle")
  ways = {"condyle": (condyle, {"jacobian": "auto"}), "condyle, exact": (condyle, {"jacobian": "exact"})}
  if options.reference:
    ways["mujoco"] = (Toolbox(options.reference, "mujoco"), {})
  print(f"{'':26} {'error':>9} {'F':>12} {'rollouts':>9} {'passes':>7} {'clock ms':>9} {'cpu ms':>8} {'times':>6}")
  for name in [options.only] if options.only else PROBLEMS:
    rounds = {way: [] for way in ways}
    for _ in range(options.rounds):
      for way, (toolbox, arguments) in ways.items():
        rounds[way].append(toolbox.solve(name, arguments))
    best = {way: min(r["clock"] for r in results) for way, results in rounds.items()}
    for way, results in rounds.items():
      last = results[-1]
      ratio = f"{best['mujoco'] / best[way]:6.1f}" if "mujoco" in best else ""
      cpu = min(r["cpu"] for r in results)
      print(
        f"{name + ' ' + way:26} {last['error']:9.2g} {last['F']:12.9g} {last['rollouts']:9} {last['passes']:7}"
        f" {1e3 * best[way]:9.1f} {1e3 * cpu:8.1f} {ratio:>6}"
      )


if __name__ == "__main__":
  main()

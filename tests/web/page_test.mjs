// The page of the viewer in a real browser, through its own controls.     usage: page_test.mjs VIEWER.html CONDYLE SOURCE_DIR
import { execFileSync } from "node:child_process";
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "./chromium.mjs";

const [viewer, condyle, source] = process.argv.slice(2);
let passed = 0,
  failed = 0,
  step = 0;

async function test(name, run) {
  try {
    await run();
    passed++;
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.message}`);
  }
}

function expect(truth, message) {
  if (!truth) {
    throw new Error(message);
  }
}

const browser = await Browser.start({ width: 1280, height: 720 });
const value = (expression) => browser.evaluate(expression);
const frame = (part) => value(`condyle.last.${part}`);
const click = async (selector) => {
  await browser.until(`document.querySelector(${JSON.stringify(selector)})`);
  await value(
    `document.querySelector(${JSON.stringify(selector)}).scrollIntoView({block: "center"})`,
  );
  const [x, y] =
    await value(`(() => { const b = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    return [b.x + b.width / 2, b.y + b.height / 2]; })()`);
  await browser.mouse("mousePressed", x, y, { buttons: 1, clickCount: 1 });
  await browser.mouse("mouseReleased", x, y, { clickCount: 1 });
};
const key = async (name, code = name, text = undefined) => {
  await browser.send("Input.dispatchKeyEvent", {
    type: "keyDown",
    key: name,
    code,
    text,
  });
  await browser.send("Input.dispatchKeyEvent", {
    type: "keyUp",
    key: name,
    code,
  });
};
// a frame that was asked for after now
const nextFrame = async (count = 2) => {
  const before = await value(
    "(window.framesSeen ??= (condyle.frames.on(() => window.framesSeen++), 1))",
  );
  await browser.until(`window.framesSeen >= ${before + count}`);
};
const choose = (selector, chosen) =>
  value(`(() => { const s = document.querySelector(${JSON.stringify(selector)});
  s.value = ${JSON.stringify(chosen)}; s.dispatchEvent(new Event("change")); })()`);
const pause = async (on) => {
  if ((await value("condyle.playing")) === on) {
    await click("#play");
  }
  await nextFrame();
};
const middle = () =>
  value(`(() => { const b = document.querySelector("#stage").getBoundingClientRect();
  return [b.x + b.width / 2, b.y + b.height / 2]; })()`);

const drop = (files) =>
  value(`(() => { const t = new DataTransfer();
  for (const [name, text] of ${JSON.stringify(files)}) t.items.add(new File([text], name));
  document.dispatchEvent(new DragEvent("drop", { dataTransfer: t, bubbles: true, cancelable: true })); })()`);

const setText = (text) =>
  value(`(() => { const t = document.querySelector("#text"); t.value = ${JSON.stringify(text)};
  t.dispatchEvent(new Event("input")); })()`);

// Draws the last picture again and reads it, as small as it is asked for: what is on the screen can't be read.
const read = (width, height, [x, y, w, h], then) =>
  value(`(() => { const picture = document.querySelector("canvas.picture");
  const c = document.createElement("canvas"); c.width = ${width}; c.height = ${height}; const g = c.getContext("2d", { willReadFrequently: true });
  condyle.frames.emit(condyle.last); const X = picture.width, Y = picture.height;
  g.drawImage(picture, Math.floor(${x} * X), Math.floor(${y} * Y), ${w} || X, ${h} || Y, 0, 0, ${width}, ${height});
  const d = g.getImageData(0, 0, ${width}, ${height}).data; ${then} })()`);

// The part of the picture whose colours fulfil a condition on r, g, b.
const pixels = (condition) =>
  read(
    32,
    32,
    [0, 0, 0, 0],
    `let count = 0;
  for (let i = 0; i < d.length; i += 4) { const r = d[i], g = d[i + 1], b = d[i + 2]; count += ${condition} ? 1 : 0; } return count / 1024;`,
  );

// The colour at a place of the picture, 0 to 1 from the upper left corner.
const color = (x, y) =>
  read(1, 1, [x, y, 1, 1], "return Array.from(d.slice(0, 3));");

const start = Date.now();
await browser.open(`file://${viewer}`);
await browser.until(
  "window.condyle?.last?.pictures.length && document.querySelector('#status-time')",
  60000,
);
const firstPicture = await browser.until(
  "performance.getEntriesByName('picture')[0]?.startTime",
);

// frames of another model than the one that the page draws them with
await value(
  "window.foreign = [], condyle.frames.on((it) => it.qpos.length === condyle.model.size('nq') || foreign.push(it.qpos.length))",
);

await test("the page shows a model without a server, and asks for nothing else", async () => {
  expect(
    (await value("document.querySelector('#title').textContent")) ===
      "humanoid.xml",
    "another title",
  );
  expect(
    await value("window.boot.worker instanceof Worker"),
    "the worker doesn't start before the page",
  );
  const outside = browser.requests.filter(
    (url) => !/^(file|blob|data):/.test(url),
  );
  expect(outside.length === 0, `asked for ${outside}`);
});

await test("the picture has colours", async () => {
  await nextFrame();
  const colours = await read(
    32,
    32,
    [0, 0, 0, 0],
    `const seen = new Set();
    for (let i = 0; i < d.length; i += 4) seen.add((d[i] >> 4) * 256 + (d[i + 1] >> 4) * 16 + (d[i + 2] >> 4)); return seen.size;`,
  );
  expect(colours > 8, `${colours} colours`);
});

await test("time goes on, at the pace of the clock", async () => {
  // both clocks are read in the page, as a frame arrives
  const now = async () => {
    await nextFrame();
    return value("[condyle.last.time, performance.now() / 1000]");
  };
  const [t0, w0] = await now();
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const [t1, w1] = await now();
  const pace = (t1 - t0) / (w1 - w0);
  expect(pace > 0.5 && pace < 1.5, `a pace of ${pace}`);
});

await test("what stands still is drawn with all pixels", async () => {
  await pause(true);
  await browser.until(
    "document.querySelector('canvas.picture').width === document.querySelector('#stage').clientWidth",
  );
  await pause(false);
  await browser.until(
    "document.querySelector('canvas.picture').width < document.querySelector('#stage').clientWidth",
  );
});

await test("pause, step and reset", async () => {
  await pause(true);
  const before = await frame("time");
  await nextFrame(3);
  expect((await frame("time")) === before, "moves while it is paused");
  await click("#step");
  await nextFrame();
  const step = (await frame("time")) - before;
  expect(Math.abs(step - 0.005) < 1e-9, `a step of ${step}`);
  await click("#reset");
  await nextFrame();
  expect((await frame("time")) === 0, "not back at the start");
  await key(" ", "Space", " ");
  await nextFrame();
  expect(await value("condyle.playing"), "space doesn't play");
  await pause(true);
});

await test("keyframes", async () => {
  await click("#reset");
  await nextFrame();
  const before = await frame("qpos[2]");
  await choose("#key", "0");
  await nextFrame();
  expect((await frame("qpos[2]")) !== before, "the same height");
  await choose("#key", "-1");
  await nextFrame();
  expect((await frame("qpos[2]")) === before, "another start");
});

await test("steps are those of the program", async () => {
  const folder = mkdtempSync(join(tmpdir(), "condyle-page-"));
  const file = join(folder, "out.csv");
  execFileSync(condyle, [
    "simulate",
    join(source, "models/humanoid.xml"),
    "--steps",
    "100",
    "--out",
    file,
  ]);
  const last = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .pop()
    .split(",")
    .map(Number);
  rmSync(folder, { recursive: true });
  await value(
    "(() => { for (let i = 0; i < 100; i++) condyle.call('step'); })()",
  );
  await nextFrame();
  const qpos = await value("Array.from(condyle.last.qpos)");
  const worst = Math.max(...qpos.map((x, i) => Math.abs(x - last[1 + i])));
  expect(worst < 1e-7, `positions differ by ${worst}`);
  step = await value("condyle.ask('measure', 300)");
  await click("#reset");
});

await test("sliders set controls and joints", async () => {
  await value("document.querySelector('#control-0').focus()");
  await key("ArrowRight", "ArrowRight");
  await nextFrame();
  expect((await frame("ctrl[0]")) !== 0, "the control is still zero");
  await click("#clear");
  await nextFrame();
  expect((await frame("ctrl[0]")) === 0, "the control isn't zero again");
  await value(
    "document.querySelectorAll('.right details').forEach((it) => (it.open = true))",
  );
  await value(
    "(() => { const s = document.querySelector('[id^=joint-]'); s.value = s.max; s.dispatchEvent(new Event('input')); })()",
  );
  await nextFrame();
  const [at, high] = await value(
    "(() => { const s = document.querySelector('[id^=joint-]'); const j = Number(s.id.slice(6)); return [condyle.model.at('jnt_qposadr', j), Number(s.max)]; })()",
  );
  expect(
    Math.abs((await frame(`qpos[${at}]`)) - high) < 1e-9,
    "the joint isn't where the slider is",
  );
  await click("#reset");
});

await test("the mouse moves the camera", async () => {
  const [x, y] = await middle();
  const before = await value("Array.from(condyle.last.camera)");
  await (
    await browser.drag([x, y], [x + 80, y + 20])
  )();
  await nextFrame();
  const turned = await value("Array.from(condyle.last.camera)");
  expect(turned[4] !== before[4] && turned[5] !== before[5], "not turned");
  await (
    await browser.drag([x, y], [x + 40, y], { button: "right" })
  )();
  await nextFrame();
  const moved = await value("Array.from(condyle.last.camera)");
  expect(moved[0] !== turned[0] || moved[1] !== turned[1], "not moved");
  await browser.mouse("mouseWheel", x, y, { deltaY: 200 });
  await nextFrame();
  expect((await frame("camera[3]")) > moved[3], "not farther");
  await choose("#camera", "-1");
  await nextFrame();
});

await test("the camera of a new model follows its one floating body, until it is moved", async () => {
  const floating = (x) =>
    `<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody><keyframe><key qpos="${x} 0 0 1 0 0 0"/></keyframe></mujoco>`;
  await drop([["float.xml", floating(7)]]);
  await browser.until(
    "document.querySelector('#title').textContent === 'float.xml'",
  );
  await pause(true);
  await choose("#key", "0");
  await browser.until("Math.abs(condyle.last.camera[0] - 7) < 0.1");
  const [x, y] = await middle();
  await (
    await browser.drag([x, y], [x + 40, y], { button: "right" })
  )();
  await click("#reset");
  await choose("#key", "-1");
  await nextFrame(60);
  expect((await frame("camera[0]")) > 5, "follows after it was moved");
  await click("#models");
  await click("[data-model='humanoid.xml']");
  await browser.until(
    "document.querySelector('#title').textContent === 'humanoid.xml'",
  );
});

await test("a double click selects what is under it", async () => {
  // standing still: on a slow machine it would have fallen before the click
  await pause(true);
  await click("#reset");
  await nextFrame();
  const [x, y] = await middle();
  for (const clickCount of [1, 2]) {
    await browser.mouse("mousePressed", x, y, { buttons: 1, clickCount });
    await browser.mouse("mouseReleased", x, y, { clickCount });
  }
  await browser.until("condyle.last.selected > 0");
  expect(
    await value("document.querySelector('.inspector').textContent.length > 20"),
    "nothing about it",
  );
});

await test("a body is pulled along", async () => {
  // slowly, so that it is still there
  await value("condyle.setSpeed(0.05)");
  await click("#reset");
  await pause(false);
  const [x, y] = await middle();
  const letGo = await browser.drag([x, y], [x + 150, y - 150], {
    modifiers: 1,
  });
  await browser.until(
    "condyle.last.selected > 0 && Math.hypot(...condyle.last.qvel.slice(0, 3)) > 0.2",
  );
  await letGo();
  await value("condyle.setSpeed(1)");
  await pause(true);
  await click("#reset");
});

await test("flags draw contacts and frames", async () => {
  await choose("#key", "0");
  await nextFrame();
  await value(
    "(() => { for (let i = 0; i < 200; i++) condyle.call('step'); })()",
  );
  await nextFrame();
  const count = () => value("condyle.last.pictures[0].geoms.byteLength / 252");
  const before = await count();
  await click("#show-14");
  await click("#show-16");
  await nextFrame();
  const contacts = await count();
  expect(contacts > before, "no contacts are drawn");
  await key("i", "KeyI", "i");
  await nextFrame();
  expect((await count()) > contacts, "no inertia is drawn");
  await choose("#label", "1");
  await nextFrame();
  for (const flag of ["#show-14", "#show-16", "#show-10"]) {
    await click(flag);
  }
  await choose("#label", "0");
});

await test("soft, hard and sticking contacts side by side", async () => {
  await click("#compare");
  await browser.until("condyle.last.pictures.length === 3");
  await browser.until(
    "document.querySelector('.captions').textContent === 'SoftHardSticking'",
  );
  await pause(false);
  await nextFrame(5);
  await click("#compare");
  await browser.until("condyle.last.pictures.length === 1");
  await pause(true);
  await click("#reset");
});

await test("the tree knows the line of an element", async () => {
  await value(
    "document.querySelector('#find').value = 'head'; document.querySelector('#find').dispatchEvent(new Event('input'))",
  );
  const line = Number(
    await browser.until(
      "document.querySelector('.row-item[data-kind=geom] .line')?.textContent",
    ),
  );
  const text = readFileSync(join(source, "models/humanoid.xml"), "utf8").split(
    "\n",
  )[line - 1];
  expect(text.includes('name="head"'), `line ${line} is ${text}`);
  await click(".row-item[data-kind=geom] .line");
  expect(
    await value("!document.querySelector('.editor').hidden"),
    "the text isn't shown",
  );
  await value(
    "document.querySelector('#find').value = ''; document.querySelector('#find').dispatchEvent(new Event('input'))",
  );
});

await test("an edited text keeps the pose, a broken one tells its line", async () => {
  await value(
    "(() => { for (let i = 0; i < 50; i++) condyle.call('step'); })()",
  );
  await nextFrame();
  const pose = await value("Array.from(condyle.last.qpos)");
  const text = await value("document.querySelector('#text').value");
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes('name="head"'));
  lines[at] = lines[at].replace("<geom ", '<geom sise="1" ');
  await setText(lines.join("\n"));
  await browser.until(
    `document.querySelector('.problem.error b')?.textContent.endsWith(':${at + 1}')`,
  );
  expect(
    await value(
      "document.querySelector('.mark.error span').textContent.includes('sise')",
    ),
    "not at its line",
  );
  expect(
    (await value("condyle.model !== null")) &&
      (await frame("qpos.length")) === pose.length,
    "the model is gone",
  );
  lines[at] = lines[at]
    .replace(' sise="1"', "")
    .replace(/size="[^"]*"/, 'size="0.2"');
  await setText(lines.join("\n"));
  await browser.until("!document.querySelector('.problem.error')");
  await nextFrame();
  const after = await value("Array.from(condyle.last.qpos)");
  expect(
    pose.every((x, i) => Math.abs(x - after[i]) < 1e-12),
    "another pose",
  );
  const id = await value(
    "[...Array(condyle.model.size('ngeom')).keys()].find((i) => condyle.model.name('geom', i) === 'head')",
  );
  expect(
    (await value(`condyle.model.at('geom_size', 3 * ${id})`)) === 0.2,
    "the size is as before",
  );
});

const cube =
  "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n" +
  "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";

await test("a model and its mesh are dropped onto the page", async () => {
  await drop([
    ["cube.obj", cube],
    [
      "robot.xml",
      `<mujoco><asset><mesh name="m" file="cube.obj" scale=".1 .1 .1"/></asset>
    <worldbody><geom type="plane" size="0 0 .1"/><body name="part" pos="0 0 1"><freejoint/><geom type="mesh" mesh="m"/>
    <site name="s"/></body></worldbody><sensor><accelerometer name="felt" site="s"/></sensor></mujoco>`,
    ],
  ]);
  await browser.until(
    "document.querySelector('#title').textContent === 'robot.xml'",
  );
  await browser.until(
    "condyle.last.qpos.length === 7 && document.querySelector('#sensor-0')?.getAttribute('aria-pressed') === 'true'",
  );
  await nextFrame(3);
});

await test("all kinds of surfaces are drawn", async () => {
  await drop([
    [
      "soft.xml",
      `<mujoco><asset><hfield name="h" nrow="4" ncol="4" size="1 1 .2 .1" elevation="0 1 0 1 1 0 1 0 0 1 0 1 1 0 1 0"/>
    <texture name="t" type="2d" builtin="checker" width="32" height="32"/><material name="c" texture="t" texrepeat="4 4"/></asset><worldbody>
    <geom type="hfield" hfield="h"/><geom type="ellipsoid" size=".1 .2 .3" pos="1 0 1" material="c"/>
    <flexcomp name="cloth" type="grid" count="5 5 1" spacing=".1 .1 .1" pos="0 0 1" radius=".01" dim="2"><edge equality="true"/></flexcomp>
    <flexcomp name="rope" type="grid" count="5 1 1" spacing=".1 .1 .1" pos="0 0 2" radius=".01" dim="1"><edge equality="true"/></flexcomp>
    <camera name="eye" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/></worldbody></mujoco>`,
    ],
  ]);
  await browser.until(
    "document.querySelector('#title').textContent === 'soft.xml' && condyle.last.pictures[0]?.flex",
  );
  await choose("#camera", "0");
  await nextFrame(5);
});

await test("what is no model is refused, and nothing else changes", async () => {
  await drop([["notes.txt", "nothing"]]);
  await browser.until(
    "document.querySelector('#notice').textContent.includes('no model')",
  );
  await drop([["bad.xml", "<mujoco><worldbody><body></worldbody></mujoco>"]]);
  await browser.until(
    "document.querySelector('#notice').textContent.includes('bad.xml')",
  );
  await drop([["junk.mjb", "\u0000\u0001junk"]]);
  await browser.until(
    "document.querySelector('#notice').textContent.includes('junk.mjb')",
  );
  await nextFrame();
});

await test("the gallery opens our models", async () => {
  await click("#models");
  await click("[data-model='hand.xml']");
  await browser.until(
    "document.querySelector('#title').textContent === 'hand.xml'",
  );
  await nextFrame();
});

await test("the ground is seen from half above, along an axis", async () => {
  await drop([
    [
      "ground.xml",
      '<mujoco><worldbody><light pos="0 0 3"/><geom type="plane" size="9 9 1" rgba="1 0 0 1"/></worldbody></mujoco>',
    ],
  ]);
  await browser.until(
    "document.querySelector('#title').textContent === 'ground.xml'",
  );
  await value(
    "condyle.call('lookAt', 0, 0, 0), condyle.call('setCamera', 3, 90, -45)",
  );
  await nextFrame(3);
  const reds = await pixels("r > 40 && g < 40 && b < 40");
  expect(reds > 0.9, `${reds} of the picture is the ground`);
});

await test("mirrors show what stands before them", async () => {
  for (const mirror of [
    'type="plane" size="50 50 1"',
    'type="box" size="50 50 .5" pos="0 0 -.5"',
  ]) {
    // the eye looks along y, 1 m above the mirror; the box's image is 2 m below it
    await drop([
      [
        `mirror.xml`,
        `<mujoco><visual><headlight ambient="0 0 0" diffuse="0 0 0" specular="0 0 0"/></visual>
      <asset><material name="m" rgba="0 0 0 1" reflectance=".8"/><material name="glow" rgba="1 0 0 1" emission="1"/></asset>
      <worldbody><geom ${mirror} material="m"/><geom type="box" size=".7 .5 .5" pos="0 10 1" material="glow"/>
      <camera name="eye" pos="0 0 1" xyaxes="1 0 0 0 0 1" fovy="53.1301"/></worldbody></mujoco>`,
      ],
    ]);
    await browser.until(
      "document.querySelector('#title').textContent === 'mirror.xml'",
    );
    await choose("#camera", "0");
    await nextFrame(3);
    const isRed = ([r, g, b]) => r > 150 && g < 60 && b < 60;
    expect(isRed(await color(0.5, 0.5)), "no box");
    expect(
      isRed(await color(0.5, 0.7)),
      `no image in the mirror: ${await color(0.5, 0.7)}`,
    );
    expect(
      !isRed(await color(0.5, 0.6)) && !isRed(await color(0.5, 0.8)),
      "the image is too large",
    );
    await key("r", "KeyR", "r");
    await nextFrame();
    expect(
      isRed(await color(0.5, 0.5)) && !isRed(await color(0.5, 0.7)),
      "the mirror can't be switched off",
    );
    await key("r", "KeyR", "r");
    await drop([["nothing.xml", "<mujoco/>"]]);
    await browser.until(
      "document.querySelector('#title').textContent === 'nothing.xml'",
    );
  }
});

await test("skins follow their bodies", async () => {
  await drop([
    [
      "skin.xml",
      `<mujoco><statistic extent="5"/><worldbody><light pos="0 -3 0" dir="0 1 0"/><body name="b"><joint type="slide" axis="1 0 0"/>
    <geom size=".01" rgba="0 0 0 0"/></body><camera name="eye" pos="0 -4 0" xyaxes="1 0 0 0 0 1" fovy="53.1301"/></worldbody>
    <deformable><skin name="s" rgba="0 0 1 1" vertex="-.5 0 -.5 .5 0 -.5 .5 0 .5 -.5 0 .5" face="0 1 2 0 2 3"><bone body="b"
    bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2 3" vertweight="1 1 1 1"/></skin></deformable>
    <keyframe><key qpos="1.5"/></keyframe></mujoco>`,
    ],
  ]);
  await browser.until(
    "document.querySelector('#title').textContent === 'skin.xml'",
  );
  await pause(true);
  await choose("#camera", "0");
  await nextFrame(3);
  const isBlue = ([r, g, b]) => b > 80 && r < 0.7 * b && g < 0.7 * b;
  // 1.5 m to the right at 4 m, where half of the picture is 2 m high
  const aspect = await value(
    "document.querySelector('canvas.picture').width / document.querySelector('canvas.picture').height",
  );
  const right = 0.5 + 1.5 / 4 / aspect;
  expect(
    isBlue(await color(0.5, 0.5)) && !isBlue(await color(right, 0.5)),
    `no skin: ${await color(0.5, 0.5)}`,
  );
  await choose("#key", "0");
  await nextFrame();
  expect(
    !isBlue(await color(0.5, 0.5)) && isBlue(await color(right, 0.5)),
    "the skin stays where it was",
  );
  await click("#show-23");
  await nextFrame();
  expect(!isBlue(await color(right, 0.5)), "the skin can't be hidden");
  await click("#show-23");
});

await test("light and dark", async () => {
  const back = () => value("getComputedStyle(document.body).backgroundColor");
  const dark = await back();
  await click("#theme");
  expect((await back()) !== dark, "the same colours");
});

await test("on narrow screens the sides lie over the picture", async () => {
  const metrics = (width, height) =>
    browser.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
  await metrics(480, 800);
  const width = (selector) =>
    value(
      `document.querySelector("${selector}").getBoundingClientRect().width`,
    );
  expect(
    await value("document.querySelector('.toolbar').scrollWidth <= innerWidth"),
    "the bar is cut off",
  );
  for (let i = 0; i < 4; i++) {
    await click(i % 2 ? "#right" : "#left");
    expect(
      (await width("main")) === 480 && (await width(".toolbar")) === 480,
      `the picture is ${await width("main")} wide`,
    );
    expect(
      (await width(".left")) < 440 && (await width(".right")) < 440,
      "a side covers the picture",
    );
  }
  await metrics(1280, 720);
});

await test("no frame is drawn with another model than its own", async () => {
  expect(
    (await value("foreign.length")) === 0,
    `frames of ${await value("foreign.join()")} positions`,
  );
});

await test("nothing went wrong on the way", async () => {
  expect(browser.complaints.length === 0, browser.complaints.join("; "));
});

// a notebook's output: a page in a page, without an origin; the rules are those of notebooks in VS Code
for (const [where, rules] of [
  ["static notebooks", ""],
  [
    "editors",
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none';
    script-src https: 'unsafe-inline' 'unsafe-eval'; style-src https: 'unsafe-inline'; img-src https: data:; child-src https: data:">`,
  ],
]) {
  await test(`the page runs in the outputs of ${where}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "condyle-host-"));
    const inside = (page, sandbox) =>
      `<iframe ${sandbox} width="600" height="400" srcdoc="${page.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>`;
    const spy = `<script>let steps = 0; setInterval(() => { if (window.condyle?.last?.pictures.length && !steps++) { condyle.play(false); condyle.call("reset", -1);
      condyle.call("step"); } top.postMessage(window.condyle?.last?.time, "*"); }, 50)</script>`;
    const page = readFileSync(viewer, "utf8").replace(
      "</body>",
      () => `${spy}</body>`,
    );
    writeFileSync(
      join(folder, "host.html"),
      `<script>addEventListener("message", (event) => (window.heard = event.data))</script>
      ${inside(`${rules}<body>${inside(page, "")}`, 'sandbox="allow-scripts"')}`,
    );
    try {
      await browser.open(`file://${folder}/host.html`);
      await browser.until("window.heard === 0.005", 30000);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

console.log(
  `first picture after ${Math.round(firstPicture)} ms, ${Date.now() - start} ms in all; a step of the humanoid takes ${(1000 * step).toFixed(1)} us`,
);
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

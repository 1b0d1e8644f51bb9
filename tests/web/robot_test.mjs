// Robots that are dropped onto the page, as folders, archives and single files.     usage: robot_test.mjs VIEWER.html CONDYLE
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { Browser } from "./chromium.mjs";

const [viewer, condyle] = process.argv.slice(2);
let passed = 0,
  failed = 0;

async function test(name, run) {
  try {
    await run();
    passed++;
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.message}`);
  }
}

function expect(got, wanted, what) {
  if (JSON.stringify(got) !== JSON.stringify(wanted)) {
    throw new Error(
      `${what}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`,
    );
  }
}

const browser = await Browser.start({ width: 1280, height: 720 });
const value = (expression) => browser.evaluate(expression);
const text = (selector) =>
  value(
    `document.querySelector(${JSON.stringify(selector)})?.textContent ?? ""`,
  );
const title = (name) =>
  browser.until(
    `document.querySelector("#title").textContent === ${JSON.stringify(name)}`,
  );
const notice = async (words) => {
  await browser.until(
    `!document.querySelector("#notice").hidden && document.querySelector("#notice").textContent.includes(${JSON.stringify(words)})`,
  );
  await value(`document.querySelector("#notice").hidden = true`);
};
const bodies = () =>
  value(
    `Array.from({ length: condyle.model.size("nbody") }, (_, i) => condyle.model.name("body", i))`,
  );

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return ~crc >>> 0;
}

// An archive of files, with what its headers may say wrongly.
function zip(files) {
  const parts = [],
    directory = [];
  let at = 0;
  for (const {
    name,
    content = "",
    method = 8,
    flags = 0,
    crc,
    size,
  } of files) {
    const bytes = Buffer.from(content),
      packed = method === 8 ? deflateRawSync(bytes) : bytes,
      title = Buffer.from(name);
    const numbers = Buffer.alloc(26); // version, flags, method, time, date, crc, sizes, lengths of name and extra
    [20, flags, method, 0, 0].forEach((it, i) =>
      numbers.writeUInt16LE(it, 2 * i),
    );
    [crc ?? crc32(bytes), packed.length, size ?? bytes.length].forEach(
      (it, i) => numbers.writeUInt32LE(it, 10 + 4 * i),
    );
    numbers.writeUInt16LE(title.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    parts.push(Buffer.from("PK\x03\x04"), numbers, title, packed);
    directory.push(Buffer.from("PK\x01\x02\x14\x00"), numbers, rest, title);
    at += 4 + 26 + title.length + packed.length;
  }
  const all = Buffer.concat(directory),
    end = Buffer.alloc(18);
  [0, 0, files.length, files.length].forEach((it, i) =>
    end.writeUInt16LE(it, 2 * i),
  );
  end.writeUInt32LE(all.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, all, Buffer.from("PK\x05\x06"), end]);
}

// Drops files, whose content is text or bytes, as a program does: without entries.
const drop = (files) =>
  value(`(() => { const t = new DataTransfer();
  for (const [name, base64] of ${JSON.stringify(files.map(([name, content]) => [name, Buffer.from(content).toString("base64")]))})
    t.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
  document.dispatchEvent(new DragEvent("drop", { dataTransfer: t, bubbles: true, cancelable: true })); })()`);

// Drops what an expression gives: entries of files and folders. A folder gives its content in parts, as browsers do.
const dropEntries = (entries) =>
  value(`(() => {
  const file = (name, content) => ({ name, isFile: true, file: (done) => done(new File([content], name)) });
  const folder = (name, ...children) => ({ name, isFile: false, createReader: () => {
    let at = 0;
    return { readEntries: (done) => done(children.slice(at, (at += 2))) };
  } });
  const event = new Event("drop", { bubbles: true, cancelable: true });
  event.dataTransfer = { files: [], items: [${entries}].map((entry) => ({ webkitGetAsEntry: () => entry })) };
  document.dispatchEvent(event); })()`);

const inertial = `<inertial><mass value="2"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>`;
const mesh = `<geometry><mesh filename="package://bot/meshes/cube.obj"/></geometry>`;
const robot = (name) => `<?xml version="1.0"?>
<!-- <mujoco> -->
<robot name="${name}">
  <link name="base">${inertial}<visual>${mesh}</visual><collision>${mesh}</collision></link>
  <link name="arm">
    ${inertial}
    <visual><geometry><sphere radius="0"/></geometry></visual>
    <visual><origin xyz="0 0 3"/><geometry><sphere radius="1"/></geometry></visual>
  </link>
  <link name="light"/>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/></joint>
  <joint name="end" type="continuous"><parent link="arm"/><child link="light"/></joint>
</robot>
`;
const cube =
  "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n" +
  "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";

// The robot stands on its floor: the cube reaches 1 m below its base.
async function expectStanding(name) {
  await title(name);
  await browser.until(
    `condyle.last.qpos.length === 2 && condyle.last.pictures.length > 0`,
  );
  expect(await bodies(), ["world", "base", "arm", "light"], "bodies");
  const kinds = await value(`Array.from(condyle.model.array("geom_type"))`);
  expect(kinds, [0, 7, 7, 2], "kinds of geoms");
  // the cube that collides is in a group that isn't drawn
  expect(
    await value(`condyle.last.pictures[0].geoms.byteLength / 252`),
    3,
    "shapes in the picture",
  );
  const floor = await value(
    `condyle.ask("inspect", "geom", 0).then((it) => it.find(({ name }) => name === "geom_pos").values)`,
  );
  expect(floor, [0, 0, -1], "place of the floor");
  expect(await value(`condyle.model.size("nlight")`), 1, "lights");
}

await browser.open(`file://${viewer}`);
await browser.until("window.condyle?.last?.pictures.length", 60000);

const folder = (name) =>
  `folder(${JSON.stringify(name)}, folder(".git", file("other.urdf", "<robot/>")), file("package.xml", "<package/>"), file("README.md", ""),
  folder("urdf", file("${name}.urdf", ${JSON.stringify(robot(name))})), folder("meshes", file("cube.obj", ${JSON.stringify(cube)})))`;

await test("a folder is a robot that stands", async () => {
  await dropEntries(folder("bot"));
  await expectStanding("bot.urdf");
});

await test("changes stand in the tree, at their body and with their line", async () => {
  await browser.until(`document.querySelectorAll(".tree .note").length === 3`);
  const notes =
    await value(`Array.from(document.querySelectorAll(".tree .note"), (it) => [
    it.closest("details").querySelector(".row-item").querySelector(".name").textContent,
    Number(it.querySelector(".line")?.textContent ?? 0), it.querySelector(".name").textContent])`);
  expect(
    notes.map(([body, line]) => [body, line]),
    [
      ["arm", 7],
      ["light", 10],
      ["light", 10],
    ],
    "bodies and lines",
  );
  expect(
    notes[0][2],
    "<sphere> has the size 0 and is left out",
    "what was changed",
  );
  expect(
    await value(
      `Array.from(document.querySelectorAll(".tree .changed"), (it) => it.textContent)`,
    ),
    ["1", "2"],
    "counts at bodies",
  );
});

await test("a change leads to its line in the text", async () => {
  await value(`document.querySelector(".tree .note").click()`);
  expect(
    await value(`document.querySelector(".editor").hidden`),
    false,
    "the text is hidden",
  );
  const line = await value(
    `(() => { const t = document.querySelector("#text"); return t.value.slice(t.selectionStart, t.selectionEnd); })()`,
  );
  expect(
    line.trim(),
    `<visual><geometry><sphere radius="0"/></geometry></visual>`,
    "the line",
  );
  expect(
    await text(".mark span"),
    "has the size 0 and is left out",
    "the mark",
  );
  expect(
    await value(`document.querySelectorAll(".problem").length >= 3`),
    true,
    "the list of problems",
  );
});

await test("an edited robot goes on as a robot", async () => {
  await value(`(() => { const t = document.querySelector("#text"); t.value = t.value.replace('radius="0"', 'radius="0.5"');
    t.dispatchEvent(new Event("input")); })()`);
  await browser.until(
    `condyle.model.size("ngeom") === 5 && document.querySelectorAll(".tree .note").length === 2`,
  );
  await value(`document.querySelector("#tab-model").click()`);
});

await test("an archive is a robot that stands", async () => {
  await drop([
    [
      "stored.zip",
      zip([
        { name: "box/urdf/", method: 0 },
        {
          name: "box/urdf/box.urdf",
          content: robot("box").replaceAll("//bot/", "//box/"),
        },
        { name: "box/meshes\\cube.obj", content: cube, method: 0 },
        { name: "__MACOSX/box/urdf/._box.urdf", content: "<robot/>" },
      ]),
    ],
  ]);
  await expectStanding("box.urdf");
});

await test("a robot and its mesh without folders", async () => {
  await drop([
    ["flat.urdf", robot("flat")],
    ["cube.obj", cube],
  ]);
  await expectStanding("flat.urdf");
});

await test("a robot in a file of another ending, and one of SDF", async () => {
  await drop([
    ["other.xml", robot("other")],
    ["cube.obj", cube],
  ]);
  await expectStanding("other.xml");
  await drop([
    [
      "ball.sdf",
      `<sdf version="1.7"><model name="m"><link name="ball"><visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry></visual></link></model></sdf>`,
    ],
  ]);
  await title("ball.sdf");
  expect((await bodies())[1], "ball", "the body");
});

await test("of several robots the one of the folder's name is shown", async () => {
  await dropEntries(
    `folder("bot_description", file("cube.obj", ${JSON.stringify(cube)}), file("hand.urdf", "<robot name='h'><link name='hand'/></robot>"),
     file("bot.urdf", ${JSON.stringify(robot("bot"))}))`,
  );
  await expectStanding("bot.urdf");
});

await test("of several robots without such a name one is chosen from a list", async () => {
  const entries = `folder("hands", ...["left", "right"].map((it) => file(it + ".urdf", "<robot name='h'><link name='" + it + "'/></robot>")))`;
  await dropEntries(entries);
  await browser.until(
    `document.querySelectorAll("#choice [data-name]").length === 2`,
  );
  await value(
    `document.querySelector("[data-name='hands/right.urdf']").click()`,
  );
  await title("right.urdf");
  expect(await bodies(), ["world", "right"], "bodies");
  // a list that is closed changes nothing
  await dropEntries(entries);
  await browser.until(`document.querySelector("#choice")`);
  await value(`document.querySelector("#choice").close()`);
  await browser.until(`!document.querySelector("#choice")`);
  expect(await text("#title"), "right.urdf", "the model");
});

await test("a page can't run xacro, and says so", async () => {
  await dropEntries(
    `folder("bot", file("bot.urdf.xacro", "<robot xmlns:xacro='x'/>"), file("package.xml", "<package/>"))`,
  );
  await notice(
    "which a page can't run: make the robot by “xacro bot.urdf.xacro > robot.urdf”",
  );
  expect(await text("#title"), "right.urdf", "the model");
});

const bomb = "0".repeat(1 << 22);
const model = robot("x");
const whole = zip([{ name: "x.urdf", content: model }]);
for (const [what, archive, words] of [
  [
    "leads out of its folder",
    zip([{ name: "a/../../x.urdf", content: model }]),
    "leads out of the archive",
  ],
  [
    "leads out by another slash",
    zip([{ name: "a\\..\\..\\x.urdf", content: model }]),
    "leads out of the archive",
  ],
  [
    "leads to the root",
    zip([{ name: "/etc/x.urdf", content: model }]),
    "leads out of the archive",
  ],
  [
    "leads to a drive",
    zip([{ name: "C:/x.urdf", content: model }]),
    "leads out of the archive",
  ],
  [
    "has control characters in a name",
    zip([{ name: "a\u0001.urdf", content: model }]),
    "control characters",
  ],
  [
    "grows too much",
    zip([{ name: "x.stl", content: bomb }]),
    "as no file of a model does",
  ],
  [
    "grows more than it says",
    zip([{ name: "x.urdf", content: bomb, size: 1000 }]),
    "x.urdf is damaged",
  ],
  [
    "is shorter than it says",
    zip([{ name: "x.urdf", content: model, size: model.length + 1 }]),
    "x.urdf is damaged",
  ],
  [
    "says that it is huge",
    zip([{ name: "x.urdf", content: model, size: 0xfffffff0 }]),
    "as no file of a model does",
  ],
  [
    "has another sum",
    zip([{ name: "x.urdf", content: model, crc: 7 }]),
    "x.urdf is damaged",
  ],
  [
    "is encrypted",
    zip([{ name: "x.urdf", content: model, flags: 1 }]),
    "encrypted",
  ],
  [
    "is packed otherwise",
    zip([{ name: "x.urdf", content: model, method: 12 }]),
    "by a method",
  ],
  ["is cut off", whole.subarray(0, whole.length - 1), "cut off"],
  ["has lost its beginning", Buffer.concat([whole.subarray(40)]), "damaged"],
  ["is none", Buffer.from("zip"), "no zip archive"],
  ["is empty", zip([]), "it holds no files"],
]) {
  await test(`an archive that ${what} is refused, and nothing else changes`, async () => {
    await drop([["x.zip", archive]]);
    await notice(words);
    await browser.until(`document.querySelector("#progress").hidden`);
    expect(await text("#title"), "right.urdf", "the model");
  });
}

await test("folders are read within bounds", async () => {
  await dropEntries(
    `Array.from({ length: 60 }).reduce((inner, _, i) => folder("f" + i, inner), file("x.urdf", ""))`,
  );
  await notice("folders are nested too deep");
  await dropEntries(
    `folder("many", ...Array.from({ length: 20001 }, (_, i) => file(i + ".txt", "")))`,
  );
  await notice("more than 20000 files");
  await dropEntries(
    `{ name: "big.stl", isFile: true, file: (done) => done({ name: "big.stl", size: 2 ** 30 }) }`,
  );
  await notice("more than 537 MB");
  expect(await text("#title"), "right.urdf", "the model");
});

await test("a mesh that isn't there is told", async () => {
  await drop([["alone.urdf", robot("alone")]]);
  await notice("no file 'package://bot/meshes/cube.obj'");
});

await test("condyle view shows the same changes, at the robot's own lines", async () => {
  const folder = mkdtempSync(join(tmpdir(), "condyle-robot-"));
  for (const part of ["urdf", "meshes"]) {
    mkdirSync(join(folder, part));
  }
  const file = join(folder, "urdf/bot.urdf");
  writeFileSync(file, robot("bot").replaceAll("package://bot/", "../"));
  writeFileSync(join(folder, "meshes/cube.obj"), cube);
  const program = spawn(
    condyle,
    ["view", file, "--no-browser", "--page", viewer],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const ended = new Promise((resolve) => program.on("exit", resolve));
  try {
    const address = await new Promise((resolve, reject) => {
      program.stdout.once("data", (data) => resolve(String(data).trim()));
      program.once("exit", () => reject(new Error("condyle view ends")));
    });
    await browser.open(address);
    await browser.until(
      "window.condyle?.last?.pictures.length && condyle.last.qpos.length === 2",
      60000,
    );
    expect(await bodies(), ["world", "base", "arm", "light"], "bodies");
    await browser.until(`document.querySelectorAll(".tree .note").length >= 3`);
    const lines = await value(
      `Array.from(document.querySelectorAll(".tree .note .line"), (it) => it.title)`,
    );
    expect(
      lines.slice(0, 3),
      [`${file}:7`, `${file}:10`, `${file}:10`],
      "lines",
    );
    expect(lines.length, 3, "what the robot and its MJCF both say");
    await value(`document.querySelector(".tree .note").click()`);
    const line = await value(
      `(() => { const t = document.querySelector("#text"); return t.value.slice(t.selectionStart, t.selectionEnd); })()`,
    );
    expect(line.trim().slice(0, 8), "<visual>", "the line");
    expect(
      await value(`document.querySelector("#text").readOnly`),
      true,
      "its text can't be edited",
    );
  } finally {
    program.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true });
  }
});

await test("nothing went wrong on the way", async () => {
  expect(browser.complaints, [], "complaints");
});

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const isRoot = process.getuid?.() === 0;
const stranger = { uid: 65534, gid: 65534 };
const strangerCanRead = !isRoot || spawnSync("test", ["-r", import.meta.filename], stranger).status === 0;

test.runIf(strangerCanRead)("what needs root is left out with one line where there is none", () => {
  for (const [script, ...args] of [
    ["debian", "/nowhere"],
    ["image", "/nowhere"],
    ["minimal", "/nowhere", "package.tgz"],
  ]) {
    const options = { cwd: root, encoding: "utf8", ...(isRoot ? stranger : {}) } as const;
    const { status, stdout, stderr } = spawnSync(`${root}.ci/${script}`, args, options);
    expect({ status, stdout, stderr }).toEqual({
      status: 75,
      stderr: "",
      stdout: "Left out: a minimal Debian needs root.\n",
    });
  }
});

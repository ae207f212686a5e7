import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../cli/run-command.ts";
import { ask, hold, scratchDataDir } from "../db/embedded/fixture.ts";

const isRoot = process.getuid?.() === 0;
// Root may write everywhere. So if the test runs as root, the commands run as another user.
const ordinaryUser = isRoot ? { uid: 65534, gid: 65534 } : {};
const theyCanRead = spawnSync("test", ["-r", import.meta.filename], ordinaryUser).status === 0;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pressbell-cli-"));
  // Other users may enter this folder, so that only the folders below refuse them.
  await chmod(folder, 0o755);
  return () => rm(folder, { recursive: true });
});

describe("with a DATA_DIR that holds no database", () => {
  const says = (dataDir: string) =>
    `There is no Pressbell data in ${dataDir}. ` +
    "Set DATA_DIR, or DATABASE_URL and SECRET_KEY, to the service's (docs/run.md).\n";

  test("a command says so, exits with 1, and creates none", async () => {
    const missing = join(folder, "missing");
    const [listed, imported] = await Promise.all([
      runCommand(["runs", "list"], { DATA_DIR: missing }),
      runCommand(["subscribers", "import", "--site", "S", "FILE"], { DATA_DIR: folder }),
    ]);
    expect(listed).toEqual({ code: 1, out: "", err: says(missing) });
    expect(imported).toEqual({ code: 1, out: "", err: says(folder) });
    expect(await readdir(folder)).toEqual([]);
  });

  test("migrate creates one, which other commands then use", async () => {
    const scratch = scratchDataDir();
    const settings = { DATA_DIR: join(scratch.dataDir, "by", "itself"), LOG_LEVEL: "silent" };
    try {
      expect(await runCommand(["migrate"], settings)).toEqual({ code: 0, out: "schema: up to date\n", err: "" });
      const listed = await runCommand(["runs", "list"], settings);
      expect(listed).toEqual({ code: 0, out: "", err: "Nothing is being sent.\n" });
    } finally {
      await scratch.clear();
    }
  });
});

test("a command with the settings file finds the embedded database of a service that runs", async () => {
  const { dataDir, clear } = scratchDataDir();
  try {
    expect(await runCommand(["migrate"], { DATA_DIR: dataDir, LOG_LEVEL: "silent" })).toMatchObject({ code: 0 });
    const file = join(folder, "settings");
    await writeFile(file, `DATA_DIR=${dataDir}\n`);
    const service = await hold(dataDir);
    const names = [
      "--tenant",
      "News",
      "--owner",
      "owner@example.org",
      "--site",
      "News",
      "--site-url",
      "https://n.example",
    ];
    expect(await runCommand(["provision", ...names], { SETTINGS_FILE: file })).toMatchObject({ code: 0 });
    expect(await ask(service.connection, "select name from tenants")).toBe("News");
    const listed = await runCommand(["tenants", "list", "--json"], { SETTINGS_FILE: file });
    expect(JSON.parse(listed.out)).toMatchObject({ name: "News" });
    await service.release();
  } finally {
    await clear();
  }
});

describe("a command with a DATA_DIR that cannot be used exits with 1 and one line that names it:", () => {
  const says = (dataDir: string, reason: string) => `Wrong setting: DATA_DIR ${dataDir} cannot be used (${reason}).\n`;

  test("a file in its place, and a file above it", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    const below = join(file, "data");
    const [inPlace, above] = await Promise.all([
      runCommand(["migrate"], { DATA_DIR: file }),
      runCommand(["migrate"], { DATA_DIR: below }),
    ]);
    expect(inPlace).toEqual({ code: 1, out: "", err: says(file, "file already exists") });
    expect(above).toEqual({ code: 1, out: "", err: says(below, "file already exists") });
  });

  test.runIf(theyCanRead)("a folder that this user may not write to, and one that they may not enter", async () => {
    const open = join(folder, "open");
    const closed = join(folder, "closed");
    await Promise.all([mkdir(open, { mode: 0o555 }), mkdir(join(closed, "data"), { recursive: true })]);
    await chmod(closed, 0o000);
    const below = join(open, "data");
    const ended = await Promise.all([
      runCommand(["migrate"], { DATA_DIR: open }, ordinaryUser),
      runCommand(["migrate"], { DATA_DIR: below }, ordinaryUser),
      runCommand(["migrate"], { DATA_DIR: closed }, ordinaryUser),
      runCommand(["runs", "list"], { DATA_DIR: join(closed, "data") }, ordinaryUser),
    ]);
    await chmod(closed, 0o700);
    const dataDirs = [open, below, closed, join(closed, "data")];
    const denied = dataDirs.map((dataDir) => ({ code: 1, out: "", err: says(dataDir, "permission denied") }));
    expect(ended).toEqual(denied);
  });

  test.runIf(existsSync("/proc/self"))(
    "a folder in which no folder can be created, where mkdir of Node.js would never return",
    async () => {
      const dataDir = "/proc/nope/data";
      const ended = await runCommand(["migrate"], { DATA_DIR: dataDir });
      expect(ended).toEqual({ code: 1, out: "", err: says(dataDir, "no such file or directory") });
    },
  );
});

import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settings } from "../../src/config.ts";
import { secretSettings } from "../../src/secret-files.ts";
import { installedFile } from "../../src/settings-file.ts";
import { readPage } from "../docs/pages.ts";

const unitNames = (await readdir(new URL("../../deploy/systemd/", import.meta.url))).toSorted();
const units = new Map(
  await Promise.all(unitNames.map(async (name) => [name, await readPage(`deploy/systemd/${name}`)] as const)),
);

/** Returns the values of a directive in a unit, in order. */
function valuesOf(unit: string, directive: string): string[] {
  return [...unit.matchAll(new RegExp(`^${directive}=(.*)$`, "gm"))].map(([, value]) => value!);
}

/**
 * Variables of deploy/ that are not settings of Pressbell: those of Node.js and of PostgreSQL's image, and the host
 * name for Caddy.
 */
const others = ["NODE_ENV", "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD_FILE", "PUBLIC_HOST"];

test("the units, the image and the compose file set nothing but settings that exist", async () => {
  const known = [...Object.keys(settings.shape), ...secretSettings.map((name) => `${name}_FILE`), ...others];
  const inUnits = [...units.values()].flatMap((unit) => valuesOf(unit, "Environment").join(" ").split(" "));
  const inImage = /^ENV (.*)$/m.exec(await readPage("deploy/Dockerfile"))![1]!.split(" ");
  const inCompose = [...(await readPage("deploy/compose.yaml")).matchAll(/^ {4,6}([A-Z_]+): /gm)].map(
    ([, name]) => name!,
  );
  const set = [...inUnits, ...inImage, ...inCompose].map((pair) => pair.split("=")[0]!);
  expect(set).toEqual(expect.arrayContaining(["DATA_DIR", "HOST", "DATABASE_URL_FILE", "PUBLIC_URL", "TRUST_PROXY"]));
  expect(set.filter((name) => !known.includes(name))).toEqual([]);
});

test.each(unitNames)("%s has its settings from the file that commands read, and no other", (name) => {
  expect(valuesOf(units.get(name)!, "EnvironmentFile")).toEqual([installedFile]);
  expect(valuesOf(units.get(name)!, "Environment")).toEqual(["NODE_ENV=production"]);
  expect(valuesOf(units.get(name)!, "LoadCredential")).toEqual([]);
});

test("the compose file hides no line of its settings file by an empty value", async () => {
  const compose = await readPage("deploy/compose.yaml");
  expect(compose).toContain("env_file: [{ path: ./settings");
  expect(compose.match(/\$\{\w+:?-\}/g)).toBeNull();
});

test("the images of others are pinned by their digests", async () => {
  const bases = [...(await readPage("deploy/Dockerfile")).matchAll(/^FROM (\S+)/gm)];
  const services = [...(await readPage("deploy/compose.yaml")).matchAll(/^ +image: (docker\.io\S+)$/gm)];
  const images = [...bases, ...services].map(([, image]) => image!);
  expect(images).toHaveLength(4);
  expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
});

test.each(unitNames)("%s starts again for as long as the database is away, and lets the drain end", (name) => {
  const unit = units.get(name)!;
  // A start without a database exits with 1 (test/config.test.ts).
  expect(valuesOf(unit, "Restart")).toEqual(["on-failure"]);
  expect(valuesOf(unit, "StartLimitIntervalSec")).toEqual(["0"]);
  expect(Number(valuesOf(unit, "RestartSec")[0])).toBeGreaterThanOrEqual(5);
  expect(valuesOf(unit, "KillMode")).toEqual(["mixed"]);
  expect(Number(valuesOf(unit, "TimeoutStopSec")[0])).toBeGreaterThan(25);
});

/**
 * Directives that every unit must have. They keep a process that an attacker controls away from the kernel and from
 * other users.
 */
const confinement: [directive: string, value: string][] = [
  ...["NoNewPrivileges", "PrivateDevices", "PrivateTmp", "ProtectControlGroups", "ProtectHome", "ProtectKernelLogs"],
  ...["ProtectKernelModules", "ProtectKernelTunables", "RestrictNamespaces", "RestrictSUIDSGID"],
].map((directive) => [directive, "yes"]);
confinement.push(["ProtectSystem", "strict"], ["CapabilityBoundingSet", ""], ["SystemCallFilter", "@system-service"]);
confinement.push(["SystemCallArchitectures", "native"]);

test.each(unitNames)("%s confines its process", (name) => {
  expect(confinement.map(([directive]) => [directive, ...valuesOf(units.get(name)!, directive)])).toEqual(confinement);
});

// A machine with systemd can check the units more thoroughly than the tests above.
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).error === undefined;
if (hasSystemd) test("systemd finds no fault in the units", verifyUnits);

async function verifyUnits(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-units-"));
  for (const [name, unit] of units)
    await writeFile(join(folder, name), unit.replace(/^ExecStart=\S+/m, "ExecStart=/bin/true"));
  const said = await new Promise<string>((resolve) => {
    const files = unitNames.map((name) => join(folder, name));
    execFile("systemd-analyze", ["verify", "--man=no", ...files], (error, out, err) =>
      resolve(`${error?.code ?? 0}${out}${err}`),
    );
  });
  await rm(folder, { recursive: true });
  expect(said).toBe("0");
}

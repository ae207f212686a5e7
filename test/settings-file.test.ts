import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withSettingsFile } from "../src/settings-file.ts";
import { runCommand } from "./cli/run-command.ts";
import { runHere } from "./cli/run-here.ts";
import { createTestDatabase, openAppOn, settingsOf } from "./fixtures/app.ts";
import { afterFile } from "./fixtures/cleanup.ts";
import { createPublisher } from "./fixtures/publisher.ts";
import { ownerEmail } from "./fixtures/sign-in.ts";

const folder = mkdtempSync(join(tmpdir(), "pressbell-settings-"));
afterFile(async () => rmSync(folder, { recursive: true }));
const file = join(folder, "settings");
writeFileSync(file, '# of the service\nPUBLIC_URL=https://push.example.org\nPORT="8081"\n');

test("a command gets the service's settings from SETTINGS_FILE, and its links are the service's", async () => {
  const app = await openAppOn(await createTestDatabase("template"));
  const { tenantId } = await createPublisher(app);
  const words = ["password", "link", "--email", ownerEmail(tenantId), "--json"];
  const { code, out } = await runHere(words, { ...settingsOf(app), SETTINGS_FILE: file });
  expect(code).toBe(0);
  expect(JSON.parse(out).link).toMatch(/^https:\/\/push\.example\.org\//);
});

test("variables win over lines of the file, and the usual file may be missing", () => {
  const given = { SETTINGS_FILE: file, PORT: "9" };
  expect(withSettingsFile(given)).toEqual({ ...given, PUBLIC_URL: "https://push.example.org" });
  expect(withSettingsFile({}, file)).toEqual({ PUBLIC_URL: "https://push.example.org", PORT: "8081" });
  expect(withSettingsFile({ PORT: "9" }, join(folder, "missing"))).toEqual({ PORT: "9" });
  // A checkout has no settings file at the usual place.
  expect(withSettingsFile({ PORT: "9" })).toEqual({ PORT: "9" });
});

test("an empty variable hides no line of the file", () => {
  expect(withSettingsFile({ PORT: "", PUBLIC_URL: undefined }, file)).toEqual({
    PUBLIC_URL: "https://push.example.org",
    PORT: "8081",
  });
});

test("a secret that is given as a variable, in either way, hides both lines of the file", () => {
  const both = join(folder, "secrets");
  writeFileSync(both, "SECRET_KEY=of-the-file\nDATABASE_URL_FILE=/of/the/file\n");
  const given = { SECRET_KEY_FILE: "/of/a/variable", DATABASE_URL: "postgres://of.a.variable" };
  expect(withSettingsFile(given, both)).toEqual(given);
});

test("mcp starts also where the settings file cannot be read", async () => {
  const { code, err } = await runCommand(["mcp"], { SETTINGS_FILE: join(folder, "missing") });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("PRESSBELL_URL") });
});

test("a file that is named and missing stops a command, with one line", async () => {
  const ended = await runHere(["doctor"], { SETTINGS_FILE: join(folder, "missing") });
  expect(ended).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Wrong setting: SETTINGS_FILE must .*ENOENT\)\.\n$/),
  });
});

test("a # in a value needs quotes: without them systemd reads another value", () => {
  const write = (text: string) => {
    const SETTINGS_FILE = join(folder, "hash");
    writeFileSync(SETTINGS_FILE, text);
    return { SETTINGS_FILE };
  };
  expect(withSettingsFile(write('# a # comment\nSMTP_URL="smtp://u:p#w@h"\n'))).toMatchObject({
    SMTP_URL: "smtp://u:p#w@h",
  });
  for (const line of ["SMTP_URL=smtp://u:p#w@h", "LOG_LEVEL=info # less", "PORT=#"]) {
    const name = line.split("=")[0];
    expect(() => withSettingsFile(write(`PORT=1\n${line}\n`))).toThrow(`the value of ${name} in `);
  }
});

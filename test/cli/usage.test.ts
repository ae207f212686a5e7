import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { type Printed, runCommand } from "./run-command.ts";
import { runHere } from "./run-here.ts";

const nowhere = { DATABASE_URL: "postgres://127.0.0.1:1/pressbell", SECRET_KEY: "x".repeat(32) };

const unknown: [typed: string[], says: string][] = [
  [[], "a command is missing"],
  [["launch"], "no command launch"],
  [["runs", "start"], "no command runs start"],
];

/** Mistakes in a known command, with the first line of its usage and the message. */
const mistakes: [typed: string[], usage: string, says: string][] = [
  [["start", "now"], "start", "too many arguments: now"],
  [["start", "--port", "1"], "start", "there is no option --port"],
  [["runs", "list", "--json=1"], "runs list ", "--json takes no value"],
  [
    ["runs", "list", "--site"],
    "runs list ",
    "--site needs a value; one that begins with a dash is written --site=-VALUE",
  ],
  [
    ["topics", "add", "--site", "--name"],
    "topics add ",
    "--site needs a value; one that begins with a dash is written --site=-VALUE",
  ],
  [["provision"], "provision --tenant N ", "missing: --tenant, --owner, --site, --site-url"],
  [["doctor", "now"], "doctor [--site ID]", "too many arguments: now"],
  [["backup", "--passphrase-stdin"], "backup FILE (--passphrase-file FILE | --passphrase-stdin)", "missing: FILE"],
  [["restore", "f", "g"], "restore FILE ", "too many arguments: g"],
  [["runs", "stop"], "runs stop ID [--json]", "missing: ID"],
  [["runs", "stop", "a", "b", "c"], "runs stop ID [--json]", "too many arguments: b c"],
  [["subscribers", "import", "--site", "S"], "subscribers import --site ID ", "missing: FILE"],
  [["subscribers", "import"], "subscribers import --site ID ", "missing: --site, FILE"],
  [["subscribers", "export", "FILE"], "subscribers export --site ID ", "missing: --site"],
  [["subscribers", "export", "--site", "S", "a", "b"], "subscribers export --site ID ", "too many arguments: b"],
  [["feeds", "show"], "feeds show ID ", "missing: ID"],
  [["feeds", "remove"], "feeds remove ID", "missing: ID"],
];

const started = [
  "start",
  "api",
  "worker",
  "migrate",
  "provision",
  "password link",
  "account delete",
  "second-factor remove",
  "secrets reseal",
];
const commands = [
  ...started,
  "doctor",
  "tenant set",
  "site add",
  "site set",
  "site remove",
  "site snippet",
  "topics add",
  ...["segments add", "segments list", "segments retire"],
  ...["welcome show", "welcome set", "welcome off"],
  ...["win-back show", "win-back set", "win-back off"],
  ...["drill show", "drill set", "drill off", "drill run"],
  ...["tenants list", "sites list", "members list", "keys list", "keys revoke"],
  "test-device link",
  "subscribers import",
  "subscribers delete",
  "subscribers export",
  "runs list",
  "runs stop",
  ...["backup", "restore", "move", "schedules list", "quarantine list", "quarantine set", "quarantine release"],
  ...["recurring-sends add", "recurring-sends set", "recurring-sends list", "recurring-sends remove"],
  ...["feeds add", "feeds set", "feeds list", "feeds show", "feeds remove", "feeds try", "feeds discover"],
];

/** Splits the output of a refused command line. The cause comes first, then the hint where to look. */
function readRefusal({ code, out, err }: Printed): { cause: string; usage: string } {
  expect({ code, out }).toEqual({ code: 2, out: "" });
  const at = err.indexOf("\n\n");
  return { cause: err.slice(0, at), usage: err.slice(at + 2) };
}

describe("a wrong command line exits with 2, without opening a database, and prints on stderr", () => {
  test("the mistake, and commands that begin alike, if the command is missing or unknown", async () => {
    const ended = await Promise.all(unknown.map(([typed]) => runHere(typed, nowhere)));
    expect(await runCommand(unknown[0]![0], nowhere)).toEqual(ended[0]);
    unknown.forEach(([typed, says], index) => {
      const { cause, usage } = readRefusal(ended[index]!);
      expect(cause).toBe(says);
      expect(usage.endsWith("All commands: npm run -s pressbell -- help\n")).toBe(true);
      expect(usage.includes("  runs list ")).toBe(typed[0] === "runs");
    });
  }, 60_000);

  test("the mistake and the usage of only that command, if the command is known", async () => {
    const ended = await Promise.all(mistakes.map(([typed]) => runHere(typed, nowhere)));
    mistakes.forEach(([typed, firstLine, says], index) => {
      const { cause, usage } = readRefusal(ended[index]!);
      expect(cause).toBe(says);
      expect(usage).toContain(`Usage: npm run -s pressbell -- ${firstLine}`);
      for (const words of commands.filter((words) => !typed.join(" ").startsWith(words)))
        expect(usage).not.toMatch(new RegExp(`^ *${words} `, "m"));
    });
  }, 60_000);
});

describe("without a database, on stdout and with exit code 0,", () => {
  const answer = async (...words: string[]) => {
    const { code, out, err } = await runHere(words, nowhere);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return out;
  };

  test("help lists every command in a group, with what it does", async () => {
    const overview = await answer("help");
    for (const words of ["--help", "-h"]) expect(await answer(words)).toBe(overview);
    expect(overview.match(/^[A-Z][^\n:]*$/gm)).toContain("Sites");
    for (const { words, summary } of await allCommands())
      expect(overview).toMatch(new RegExp(`^  ${words.join(" ")} {2,}${summary.slice(0, 20)}`, "m"));
    for (const words of commands) expect(overview).toContain(`\n  ${words} `);
    const [, folder] = /^Pages such as docs\/run\.md are in (.+)$/m.exec(overview)!;
    expect(existsSync(`${folder}/run.md`)).toBe(true);
  });

  test("a command asked for help prints its own usage", async () => {
    for (const typed of [
      ["runs", "list", "--help"],
      ["runs", "list", "-h", "--all"],
      ["help", "runs", "list"],
    ])
      expect(await answer(...typed)).toMatch(/^Usage: npm run -s pressbell -- runs list \[--site ID\]/);
  });

  test("version prints the one of package.json", async () => {
    const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
    for (const words of ["version", "--version", "-v"]) expect(await answer(words)).toBe(`pressbell ${version}\n`);
  });

  test.each([
    [["pressbell", "runs", ""], "list stop"],
    [["pressbell", "site", "vapid", ""], "export import"],
    [["pressbell", "feeds", "remove", "--"], "--json --help"],
    [["pressbell", "runs", "stop", "some-id", "--j"], "--json"],
    [["pressbell", "quar"], "quarantine"],
  ])("the completion for bash completes %j to %s", async (typed, expected) => {
    const script = `${await answer("completion", "bash")}
      COMP_WORDS=(${typed.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${typed.length - 1}
      _pressbell; echo "\${COMPREPLY[*]}"`;
    expect((await promisify(execFile)("bash", ["-c", script])).stdout).toBe(`${expected}\n`);
  });
});

test("a start on a taken port exits with one line that says so, before any work starts", async () => {
  const app = await openTestApp();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const PORT = String((other.address() as AddressInfo).port);
  const { code, out, err } = await runCommand(["start"], { ...settingsOf(app), PORT });
  expect(code).toBe(1);
  expect(out).not.toContain("delivering with");
  expect(err).toMatch(/^Cannot listen there \(.*EADDRINUSE.*\)\. Set PORT or HOST to what is free\.\n$/);
  other.close();
}, 60_000);

import { type AddressInfo, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { type Printed, runCommand } from "./run-command.ts";
import { runHere } from "./run-here.ts";

const nowhere = { DATABASE_URL: "postgres://127.0.0.1:1/pressbell", SECRET_KEY: "x".repeat(32) };

const unknown: [typed: string[], says: string][] = [
  [[], "a command is missing"],
  [["launch"], "no command launch"],
  [["runs", "start"], "no command runs start"],
];

/** Mistakes in a known command, with the first line of its usage and the message below it. */
const mistakes: [typed: string[], usage: string, says: string | RegExp][] = [
  [["start", "now"], "start", "too many arguments: now"],
  [["start", "--port", "1"], "start", /^Unknown option '--port'/],
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
  "test-device link",
  "subscribers import",
  "subscribers delete",
  "subscribers export",
  "runs list",
  "runs stop",
  ...["backup", "restore", "move", "schedules list", "quarantine list", "quarantine set", "quarantine release"],
  ...["feeds add", "feeds set", "feeds list", "feeds show", "feeds remove", "feeds try", "feeds discover"],
];

/**
 * Splits the output of a refused command line: the usage, and the cause as its last lines, just above the next
 * prompt.
 */
function readRefusal({ code, out, err }: Printed): { usage: string; cause: string } {
  expect({ code, out }).toEqual({ code: 2, out: "" });
  const at = err.lastIndexOf("\n\n");
  return { usage: err.slice(0, at), cause: err.slice(at + 2) };
}

describe("a wrong command line exits with 2, without opening a database, and prints on stderr", () => {
  test("the usage of all commands and the mistake, if the command is missing or unknown", async () => {
    const ended = await Promise.all(unknown.map(([typed]) => runHere(typed, nowhere)));
    expect(await runCommand(unknown[0]![0], nowhere)).toEqual(ended[0]);
    unknown.forEach(([, says], index) => {
      const { usage, cause } = readRefusal(ended[index]!);
      expect(cause).toBe(`${says}\n`);
      expect(usage).toMatch(/^Usage: npm run -s pressbell -- COMMAND\n\n/);
      for (const words of commands) expect(usage).toContain(`\n  ${words}`);
    });
  }, 60_000);

  test("the usage of only that command and the mistake, if the command is known", async () => {
    const ended = await Promise.all(mistakes.map(([typed]) => runHere(typed, nowhere)));
    mistakes.forEach(([typed, firstLine, says], index) => {
      const { usage, cause } = readRefusal(ended[index]!);
      if (typeof says === "string") expect(cause).toBe(`${says}\n`);
      else expect(cause).toMatch(says);
      expect(usage).toContain(`Usage: npm run -s pressbell -- ${firstLine}`);
      for (const words of commands.filter((words) => !typed.join(" ").startsWith(words)))
        expect(usage).not.toMatch(new RegExp(`^ *${words} `, "m"));
    });
  }, 60_000);
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

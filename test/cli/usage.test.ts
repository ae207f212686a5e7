import { type AddressInfo, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { openTestApp, settingsOf } from "../worlds/app.ts";
import { type Printed, runCommand } from "./run-command.ts";

const nowhere = { DATABASE_URL: "postgres://127.0.0.1:1/pressbell", SECRET_KEY: "x".repeat(32) };

/** Commands that are typed wrong, with what is said before the usage. */
const wrong: [typed: string[], says: string | RegExp][] = [
  [[], "a command is missing"],
  [["launch"], "no command launch"],
  [["runs", "start"], "no command runs start"],
  [["start", "now"], "wrong number of arguments: now"],
  [["start", "--port", "1"], /Unknown option '--port'/],
  [["provision"], "missing: --tenant, --owner, --password, --site, --site-url"],
  [["runs", "stop"], "wrong number of arguments: "],
];

const started = ["start", "api", "worker", "migrate", "provision", "password link"];
const commands = [
  ...started,
  "tenant set",
  "site add",
  "site set",
  "site remove",
  "site snippet",
  "topics add",
  "test-device link",
  "subscribers import",
  "runs list",
  "runs stop",
  ...["feeds add", "feeds set", "feeds list", "feeds show", "feeds remove", "feeds try", "feeds discover"],
];

describe("a command that is typed wrong", () => {
  test("is answered with what is wrong and every command there is, on stderr, with exit code 2 and without a database", async () => {
    const ended = await Promise.all(wrong.map(([typed]) => runCommand(typed, nowhere)));
    wrong.forEach(([, says], index) => {
      const { code, out, err } = ended[index] as Printed;
      const [first, usage] = err.split("\n\nUsage: npm run -s pressbell -- COMMAND\n\n");
      if (typeof says === "string") expect(first).toBe(says);
      else expect(first).toMatch(says);
      for (const words of commands) expect(usage).toContain(`  ${words}`);
      expect({ code, out }).toEqual({ code: 2, out: "" });
    });
  }, 60_000);
});

test("a port that is taken ends the start with one line that says so, before any work is begun", async () => {
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

import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { textOfLine } from "../src/log-text.ts";

const log = new URL("../src/log.ts", import.meta.url);
const script = `import { createLogger } from ${JSON.stringify(log)};
const log = createLogger("info", "stdout", process.argv[1]);
log.info({ siteId: "s1" }, "hello");`;

/** Returns what a process prints to a pipe if it logs a line in this format. */
const piped = (format: string) =>
  spawnSync(process.execPath, ["--input-type=module", "-e", script, format], { encoding: "utf8" }).stdout;

/** Returns what the process prints on a terminal, which the program `script` of Linux provides. */
function onTerminal(format: string): string {
  const words = [process.execPath, "--input-type=module", "-e", script, format];
  const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return spawnSync("script", ["--quiet", "--command", command, "/dev/null"], { encoding: "utf8" }).stdout;
}

test("every error that is logged as err loses what may quote a row, and keeps its causes", () => {
  const failing = `import { createLogger } from ${JSON.stringify(log)};
    const err = Object.assign(new Error("no row", { cause: new Error("no line") }), {
      code: "23514", detail: "a reader's row", where: "a reader's line", table: "subscribers" });
    createLogger("info").child({ runId: "r" }).warn({ err }, "failed");`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", failing], { encoding: "utf8" });
  expect(stdout).not.toContain("a reader's");
  expect(JSON.parse(stdout)).toMatchObject({
    msg: "failed",
    runId: "r",
    err: { type: "Error", message: "no row: no line", code: "23514", table: "subscribers" },
  });
});

const text = /^\d\d:\d\d:\d\d hello {2}siteId=s1\r?\n$/;

test("the log is JSON in a pipe, and text if LOG_FORMAT says so", () => {
  expect(JSON.parse(piped("auto"))).toMatchObject({ level: 30, siteId: "s1", msg: "hello" });
  expect(piped("text")).toMatch(text);
});

test.runIf(process.platform === "linux")("the log is text on a terminal, and JSON if LOG_FORMAT says so", () => {
  expect(onTerminal("auto")).toMatch(text);
  expect(JSON.parse(onTerminal("json"))).toMatchObject({ msg: "hello" });
});

describe("a line for people", () => {
  const time = new Date(2026, 0, 2, 3, 4, 5).toISOString();
  const read = (line: object) => textOfLine(JSON.stringify({ time, ...line }));

  test("has the time here and the message; other levels than info are named", () => {
    expect(read({ level: 30, msg: "starts" })).toBe("03:04:05 starts\n");
    expect(read({ level: 40, msg: "slow" })).toBe("03:04:05 warning: slow\n");
  });

  test("has the other fields behind it, quoted where they hold spaces", () => {
    const fields = { runId: "r", name: "a b", counts: { sent: 1 }, gone: null };
    expect(read({ level: 30, msg: "ends", ...fields })).toBe(
      '03:04:05 ends  runId=r name="a b" counts={"sent":1} gone=null\n',
    );
  });

  test("escapes what would steer the terminal", () => {
    expect(read({ level: 30, msg: "a\nb", path: "/\u001b[2J\u009b1m\u202e" })).toBe(
      "03:04:05 a\\x0ab  path=/\\x1b[2J\\x9b1m\\u{202e}\n",
    );
  });

  test("has an error's reason, and only an error's stack", () => {
    const err = { message: "no route", stack: "Error: no route\n    at here" };
    expect(read({ level: 40, msg: "failed", err })).toBe("03:04:05 warning: failed: no route\n");
    expect(read({ level: 50, err })).toBe("03:04:05 error: no route\n    at here\n");
    const ofSeveral = { type: "AggregateError", message: "", code: "ECONNREFUSED" };
    expect(read({ level: 40, msg: "failed", err: ofSeveral })).toBe("03:04:05 warning: failed: ECONNREFUSED\n");
  });
});

import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { afterFile } from "../fixtures/cleanup.ts";

const main = new URL("../../bench/main.ts", import.meta.url).pathname;

/** Each test starts PostgreSQL, a push service and senders, which takes seconds on an idle machine. */
const testWithinMs = 180_000;

/** Runs the benchmark until it exits. Returns its output. Throws when it fails. */
async function bench(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  afterFile(() => child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`the benchmark ended with ${code}:\n${output}`);
  return output;
}

test(
  "each sender of the benchmark delivers all messages to a push service that checks them",
  async () => {
    const output = await bench("--simulator", "--n", "200", "--rounds", "1");
    for (const sender of ["service", "delivery", "web-push", "composite"]) expect(output).toMatch(`${sender}: `);
    expect(output).toMatch(/POST \/send to the first message at the push service \| \d+ ms/);
  },
  testWithinMs,
);

test(
  "the benchmark measures an import",
  async () => {
    expect(await bench("--simulator", "--import", "--n", "500")).toMatch(/\| plan \| \d/);
  },
  testWithinMs,
);

test(
  "the benchmark profiles the time of a message",
  async () => {
    const output = await bench("--simulator", "--profile", "--encryption", "node", "--n", "500");
    expect(output).toMatch(/encryption: the shared secret \| +[\d.]+/);
    expect(output).toMatch(/\| (with|select|insert|update) .+ \| \d+ \| \d+\.\d\d s \|/);
  },
  testWithinMs,
);

test(
  "the benchmark compares the ways to send",
  async () => {
    const output = await bench("--simulator", "--ways", "--n", "300", "--rounds", "1");
    expect(output).toMatch(
      /\| all at once \|.*\| 1\.00 times \|\n\| two headlines \|.*\n\| a segment \|.*\n\| two headlines to a segment \|.*\n\| local-time delivery \|.*\n\| a segment by local-time delivery \|/,
    );
  },
  testWithinMs,
);

test(
  "the benchmark measures the room that the database takes",
  async () => {
    const output = await bench("--simulator", "--storage", "--n", "300", "--rounds", "2");
    expect(output).toMatch(/\| each reader \| [1-9]\d+ bytes \|/);
    expect(output).toMatch(/\| each recipient of a send, until its retention ends \| [1-9]\d*\.\d bytes \|/);
    expect(output).toMatch(/\| each send, after that \| [1-9]\d+ bytes \|/);
  },
  testWithinMs,
);

test(
  "the benchmark measures what remains of a year of sends",
  async () => {
    const output = await bench("--simulator", "--year", "--n", "300", "--sends", "12");
    expect(output).toMatch(/\| each send, after its retention \| [1-9][\d,]+ bytes \|/);
    expect(output).toMatch(/\| subscribers \| [\d.]+ \| [\d.]+ \| 300 \|/);
    expect(output).toMatch(/\| run_batches \| [\d.]+ \| [\d.]+ \| 0 \|/);
  },
  testWithinMs,
);

test(
  "the benchmark measures each step of an audience",
  async () => {
    const output = await bench("--simulator", "--scale", "300");
    for (const step of ["import", "plan: digests", "send to all", "backup", "erasure of the site"])
      expect(output).toMatch(`| ${step} | `);
    expect(output).toMatch(/the service at most \d+ MB/);
  },
  testWithinMs,
);

test("a wrong flag is refused with the usage", async () => {
  await expect(bench("--n", "many")).rejects.toThrow(
    /--n is a whole number from 1 to 1000000, not many\.[\s\S]*npm run bench/,
  );
});

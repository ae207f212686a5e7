import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { checkDisk } from "../../src/doctor/disk.ts";
import { checkFirstStart } from "../../src/doctor/first-start.ts";
import { checkPort } from "../../src/doctor/port.ts";
import { version } from "../../src/version.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { freePort } from "../fixtures/free-port.ts";

const isRoot = process.getuid?.() === 0;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pressbell-"));
  chmodSync(folder, 0o711);
  return () => rmSync(folder, { recursive: true });
});

describe("before the first start", () => {
  test("package, folder and user are tried, and nothing is left", () => {
    const findings = checkFirstStart(join(folder, "missing", "data"));
    expect(findings.map(({ check, level }) => [check, level])).toEqual([
      ["database", "ok"],
      ["database user", "ok"],
    ]);
    expect(findings[1]!.message).toMatch(/^postgres \(PostgreSQL\) \d+\.\d+ runs as /);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a DATA_DIR that cannot be created fails", () => {
    writeFileSync(join(folder, "file"), "");
    const [finding, ...others] = checkFirstStart(join(folder, "file", "data"));
    expect(finding).toMatchObject({ check: "database folder", level: "failed" });
    expect(finding!.message).toMatch(/DATA_DIR .* cannot be used \(.*\)/);
    expect(others).toEqual([]);
  });

  test("an open folder of sockets that another program made fails", () => {
    mkdirSync(join(folder, "run"));
    chmodSync(join(folder, "run"), 0o777);
    expect(checkFirstStart(folder)).toMatchObject([
      { check: "database folder", level: "failed", message: expect.stringContaining("is open to others") },
    ]);
  });

  test("a PostgreSQL that npm has left out fails, with what installs it", async () => {
    // The copy is outside of the repository, where no node_modules has the package.
    cpSync(new URL("../../src", import.meta.url), join(folder, "src"), { recursive: true });
    const elsewhere = await import(/* @vite-ignore */ join(folder, "src/doctor/first-start.ts"));
    expect(elsewhere.checkFirstStart(join(folder, "data"))).toMatchObject([
      { check: "database package", level: "failed", message: expect.stringContaining("--include=optional") },
    ]);
    expect(existsSync(join(folder, "data"))).toBe(false);
  });

  test.runIf(isRoot)("a DATA_DIR that no user but root can reach fails", () => {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const { PATH } = process.env;
    process.env.PATH = `${bin}:${PATH}`;
    mkdirSync(join(folder, "closed"), { mode: 0o700 });
    const findings = checkFirstStart(join(folder, "closed", "data"));
    process.env.PATH = PATH;
    expect(findings.at(-1)).toMatchObject({ check: "database user", level: "failed" });
    expect(readdirSync(join(folder, "closed"))).toEqual([]);
  });

  test("the space is that of the folder in which DATA_DIR will be", async () => {
    const finding = await checkDisk(join(folder, "missing", "data"), true);
    expect(finding.message).toMatch(/ MiB are free in /);
    expect(finding.message).toContain(folder);
  });
});

describe("the port", () => {
  const health = (of: string) => JSON.stringify({ status: "ok", version: of });

  async function serve(status: number, body = ""): Promise<number> {
    const port = await freePort();
    const server = createServer((_request, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    afterFile(() => new Promise((resolve) => server.close(resolve)));
    return port;
  }

  test("is ok if it is free, or if the service itself has it", async () => {
    expect(await checkPort({ HOST: "127.0.0.1", PORT: await freePort() }, true)).toMatchObject({ level: "ok" });
    expect(await checkPort({ HOST: "127.0.0.1", PORT: await serve(200, health(version)) }, false)).toMatchObject({
      level: "ok",
      message: expect.stringContaining("the service answers"),
    });
  });

  test("is a warning if another version of the service has it", async () => {
    expect(await checkPort({ HOST: "127.0.0.1", PORT: await serve(200, health("0.0.1")) }, false)).toMatchObject({
      level: "warning",
      message: expect.stringMatching(/version 0\.0\.1 answers .*: restart the service/),
    });
  });

  test("fails if another program has it, before the first start whatever that answers", async () => {
    const taken = { level: "failed", message: expect.stringMatching(/another program has .*: stop it, or set PORT/) };
    expect(await checkPort({ HOST: "127.0.0.1", PORT: await serve(404) }, false)).toMatchObject(taken);
    for (const body of ["<title>Welcome</title>", '{"status":"ok"}', "null", "x".repeat(5_000)])
      expect(await checkPort({ HOST: "127.0.0.1", PORT: await serve(200, body) }, false)).toMatchObject(taken);
    expect(await checkPort({ HOST: "127.0.0.1", PORT: await serve(200, health(version)) }, true)).toMatchObject(taken);
  });

  test("fails on a HOST that is no address of this machine", async () => {
    for (const HOST of ["192.0.2.1", "push.invalid"]) {
      const finding = await checkPort({ HOST, PORT: 0 }, true);
      expect(finding).toMatchObject({
        level: "failed",
        message: expect.stringMatching(/is no address of this machine/),
      });
    }
  });
});

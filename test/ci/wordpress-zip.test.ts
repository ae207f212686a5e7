import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { afterFile } from "../fixtures/cleanup.ts";

const root = new URL("../../integrations/wordpress/", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "pressbell-zip-"));
afterFile(async () => rmSync(folder, { recursive: true }));

/** Builds the plugin with no other program in PATH. */
function build(name: string): Buffer {
  const file = join(folder, name);
  execFileSync(process.execPath, [join(root, "build.ts"), file], { env: { PATH: folder } });
  return readFileSync(file);
}

/** Reads the files of a zip by its directory, as unpacking programs do. */
function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    expect(zip.toString("latin1", at, at + 4)).toBe("PK\x01\x02");
    const name = zip.toString("utf8", at + 46, at + 46 + zip.readUInt16LE(at + 28));
    const body = zip.readUInt32LE(at + 42) + 30 + Buffer.byteLength(name);
    const content = inflateRawSync(zip.subarray(body, body + zip.readUInt32LE(at + 20)));
    expect([name, crc32(content), content.length]).toEqual([
      name,
      zip.readUInt32LE(at + 16),
      zip.readUInt32LE(at + 24),
    ]);
    files.set(name, content);
    at += 46 + Buffer.byteLength(name);
  }
  expect(at).toBe(end);
  return files;
}

test("the WordPress plugin is packed without zip, with its files and nothing else", () => {
  const files = unzip(build("plugin.zip"));
  expect([...files.keys()].filter((name) => !/\/(includes|languages|assets)\//.test(name))).toEqual(
    ["pressbell.php", "readme.txt", "uninstall.php"].map((name) => `pressbell/${name}`),
  );
  expect(files.size).toBeGreaterThan(15);
  for (const [name, content] of files) expect(content.equals(readFileSync(join(root, name.slice(10))))).toBe(true);
});

test("the same files give the same zip", () => {
  expect(build("one.zip").equals(build("other.zip"))).toBe(true);
});

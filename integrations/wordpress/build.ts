import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateRawSync } from "node:zlib";

// Packs the plugin into FILE (default pressbell-wordpress.zip in the current folder), for Plugins → Add New → Upload. It
// writes the zip itself, because many machines have no program for that. The same files give the same bytes.

const here = fileURLToPath(new URL(".", import.meta.url));
/** What WordPress gets. Tests, checks and this program stay. */
const packed = /^(?:[\w.-]+\.(?:php|txt)|includes\/.+|assets\/.+|languages\/.+\.(?:pot|po|mo))$/;

/** Midnight of 1 January 1980, the first moment of the format. */
const dosTime = 0;
const dosDate = 0x21;
const deflated = 8;
/** A file of Unix that its owner writes and all read. */
const attributes = 0o100644 * 0x1_0000;

type Entry = { name: Buffer; data: Buffer; size: number; crc: number };

/** The 26 bytes that both headers of a file have in common. */
function commonHeader({ name, data, size, crc }: Entry): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(deflated, 4);
  header.writeUInt16LE(dosTime, 6);
  header.writeUInt16LE(dosDate, 8);
  header.writeUInt32LE(crc, 10);
  header.writeUInt32LE(data.length, 14);
  header.writeUInt32LE(size, 18);
  header.writeUInt16LE(name.length, 22);
  return header;
}

/** The entry of the directory at the end of the zip, for a file whose own header is at `offset`. */
function directoryEntry(entry: Entry, offset: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(attributes, 6);
  rest.writeUInt32LE(offset, 10);
  // 3: made under Unix, so that the attributes count.
  return Buffer.concat([Buffer.from("PK\x01\x02\x14\x03", "latin1"), commonHeader(entry), rest, entry.name]);
}

/** Returns a zip of these files, by their names in it. */
function zip(files: Map<string, Buffer>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const entry = {
      name: Buffer.from(name),
      data: deflateRawSync(content, { level: 9 }),
      size: content.length,
      crc: crc32(content),
    };
    const body = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), commonHeader(entry), entry.name, entry.data]);
    directory.push(directoryEntry(entry, offset));
    bodies.push(body);
    offset += body.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, entries, end]);
}

const names = (await readdir(here, { recursive: true })).map((name) => name.replaceAll("\\", "/")).toSorted();
const files = new Map<string, Buffer>();
for (const name of names.filter((each) => packed.test(each)))
  files.set(`pressbell/${name}`, await readFile(join(here, name)));
const file = resolve(process.argv[2] ?? "pressbell-wordpress.zip");
await writeFile(file, zip(files));
process.stdout.write(`${file}\n`);

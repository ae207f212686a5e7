import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { BackupError } from "./backup-error.ts";
import { createByteReader } from "./byte-reader.ts";

// A sealed file has a magic, a version, a salt, and then chunks. A chunk has one byte (1: the last one), the length,
// the ciphertext and the tag. Each chunk is AES-256-GCM under a key that scrypt derives from the passphrase and the
// salt (RFC 7914). The nonce of a chunk is its place in the file, and whether it is the last one. The header is
// authenticated with each chunk. So chunks cannot be changed, left out, exchanged or cut off (the STREAM construction
// of Hoang, Reyhanitabar, Rogaway and Vizár, 2015).

const magic = Buffer.from("PRESSBELL-BACKUP");
/**
 * The version of the format. It also stands for the algorithms and the cost of scrypt: 128 MB, and less than a second.
 */
const version = 1;
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
const saltBytes = 32;
const tagBytes = 16;
const chunkBytes = 256 * 1024;

type Bytes = AsyncIterable<Buffer>;

/** Encrypts `plain` under `passphrase` in chunks. Needs little memory for any length. */
export async function* seal(plain: Bytes, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes);
  const header = Buffer.concat([magic, Buffer.of(version), salt]);
  const key = await deriveKey(passphrase, salt);
  yield header;
  const reader = createByteReader(plain);
  let next = await reader.readUpTo(chunkBytes);
  for (let place = 0; ; place++) {
    const chunk = next;
    next = await reader.readUpTo(chunkBytes);
    const isLast = next.length === 0;
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(place, isLast)).setAAD(header);
    const ciphertext = Buffer.concat([cipher.update(chunk), cipher.final()]);
    yield Buffer.concat([prefixOf(isLast, ciphertext.length), ciphertext, cipher.getAuthTag()]);
    if (isLast) return;
  }
}

/**
 * Decrypts what `seal` has written. Throws BackupError if the file is no backup, of another version, changed or
 * incomplete, and for a wrong passphrase. All yielded bytes are authentic, but they are complete only when the
 * generator ends.
 */
export async function* open(sealed: Bytes, passphrase: string): AsyncGenerator<Buffer> {
  const reader = createByteReader(sealed);
  const header = await reader.readUpTo(magic.length + 1 + saltBytes);
  if (!header.subarray(0, magic.length).equals(magic)) throw new BackupError("This file is not a backup of Pressbell.");
  if (header.length < magic.length + 1 + saltBytes) throw incomplete();
  if (header[magic.length] !== version)
    throw new BackupError("The backup has a newer format: restore it with a newer version of Pressbell.");
  const key = await deriveKey(passphrase, header.subarray(magic.length + 1));
  for (let place = 0; ; place++) {
    const prefix = await reader.readUpTo(5);
    if (prefix.length < 5) throw incomplete();
    const isLast = prefix[0] === 1;
    const length = prefix.readUInt32BE(1);
    if (length > chunkBytes) throw damaged(place);
    const body = await reader.readUpTo(length + tagBytes);
    if (body.length < length + tagBytes) throw incomplete();
    const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(place, isLast)).setAAD(header);
    decipher.setAuthTag(body.subarray(length));
    let plain: Buffer;
    try {
      plain = Buffer.concat([decipher.update(body.subarray(0, length)), decipher.final()]);
    } catch {
      throw damaged(place);
    }
    if (isLast && (await reader.readUpTo(1)).length > 0) throw damaged(place);
    yield plain;
    if (isLast) return;
  }
}

function nonceOf(place: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(place), 3);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function prefixOf(isLast: boolean, length: number): Buffer {
  const prefix = Buffer.of(isLast ? 1 : 0, 0, 0, 0, 0);
  prefix.writeUInt32BE(length, 1);
  return prefix;
}

function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize("NFC"), salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function damaged(place: number): BackupError {
  if (place === 0) return new BackupError("The passphrase is wrong, or the file was changed.");
  return new BackupError("The file was changed or is damaged: use another copy of the backup.");
}

function incomplete(): BackupError {
  return new BackupError("The file is incomplete: use another copy of the backup.");
}

import { access, rm } from "node:fs/promises";
import { BackupError } from "../backup/backup-error.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { writeBackup } from "../backup/write-backup.ts";
import { type Config, readConfig } from "../config.ts";
import { type Lease, leaseEmbeddedPostgres } from "../db/embedded/lease.ts";
import { readSecretKey, secretKeyFile, storeSecretKey } from "../secret-key-file.ts";
import { type AloneCommand, type Command, print, UsageError } from "./command.ts";
import { passphraseOptions, passphraseUsage, readPassphrase } from "./passphrase.ts";
import { createSecretFile } from "./secret-file.ts";

const flag = { type: "boolean" } as const;

export const backup: Command = {
  words: ["backup"],
  summary: "Write database and secret key to a file, while the service runs",
  usage:
    `backup FILE ${passphraseUsage} [--json]\n` +
    "      writes database and secret key to a new file, while the service runs; it can be read only with the passphrase",
  options: { ...passphraseOptions, json: flag },
  operands: ["FILE"],
  async run(app, values, [path], { secretKey, stopRequested }) {
    const passphrase = await readPassphrase(values);
    const output = await createSecretFile(path!, "FILE");
    const stop = new AbortController();
    void stopRequested.then(() => stop.abort());
    const input = { connection: app.connection, secretKey, passphrase, output, path: path!, signal: stop.signal };
    print(values, { file: path, ...(await writeBackup(input)) });
  },
};

export const restore: AloneCommand = {
  words: ["restore"],
  summary: "Read a backup into an empty database",
  usage:
    `restore FILE ${passphraseUsage} [--secret-key-out FILE] [--json]\n` +
    "      into an empty database; all sites are quarantined afterwards (quarantine list). With DATABASE_URL and without SECRET_KEY the key\n" +
    "      is written to the file of --secret-key-out",
  options: { ...passphraseOptions, "secret-key-out": { type: "string" }, json: flag },
  operands: ["FILE"],
  async runAlone(environment, values, [file]) {
    const config = readConfig(environment, { secretKey: "optional" });
    const passphrase = await readPassphrase(values);
    const keyFile = values["secret-key-out"] as string | undefined;
    await expectReadable(file!);
    await using place = await openKeyPlace(config, keyFile);
    let lease: Lease | undefined;
    try {
      const restored = await restoreBackup({
        file: file!,
        passphrase,
        secretKey: config.SECRET_KEY,
        storeSecretKey: place.store,
        async target({ secretKey }) {
          await place.expect(secretKey);
          const url = config.DATABASE_URL_DIRECT ?? config.DATABASE_URL;
          if (url !== undefined) return { url };
          lease = await leaseEmbeddedPostgres(config.DATA_DIR);
          return lease.connection;
        },
      });
      print(values, { ...restored, next: "pressbell quarantine list" });
    } finally {
      await lease?.release();
    }
  },
};

/** Throws BackupError if a file cannot be read. */
export async function expectReadable(file: string): Promise<void> {
  await access(file).catch(() => {
    throw new BackupError(`The file ${file} cannot be read. Check its path.`);
  });
}

/** The place for the secret key of the backup. `expect` throws BackupError if another key is already there. */
type KeyPlace = AsyncDisposable & { expect(secretKey: string): Promise<void>; store(secretKey: string): Promise<void> };

/**
 * Opens the place for the key: DATA_DIR/secret.key, or with DATABASE_URL the new file `keyFile`. Deletes the new file
 * at the end if no key was stored.
 */
async function openKeyPlace({ DATABASE_URL, DATA_DIR, SECRET_KEY }: Config, keyFile?: string): Promise<KeyPlace> {
  if (DATABASE_URL === undefined || SECRET_KEY !== undefined) {
    if (keyFile !== undefined) throw new UsageError("--secret-key-out is for DATABASE_URL without SECRET_KEY");
    return {
      async expect(secretKey) {
        const found = SECRET_KEY === undefined ? await readSecretKey(DATA_DIR).catch(() => undefined) : undefined;
        if (found === undefined || found === secretKey) return;
        throw new BackupError(`${secretKeyFile(DATA_DIR)} holds another key than the backup: move it away first.`);
      },
      store: async (secretKey) => void (await storeSecretKey(DATA_DIR, secretKey)),
      async [Symbol.asyncDispose]() {},
    };
  }
  if (keyFile === undefined)
    throw new UsageError("set SECRET_KEY, or say --secret-key-out FILE to get that of the backup");
  const output = await createSecretFile(keyFile, "--secret-key-out");
  let isStored = false;
  return {
    async expect() {},
    async store(secretKey) {
      await output.writeFile(`${secretKey}\n`);
      await output.sync();
      isStored = true;
    },
    async [Symbol.asyncDispose]() {
      await output.close();
      if (!isStored) await rm(keyFile, { force: true });
    },
  };
}

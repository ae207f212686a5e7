import { createHash, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appError } from "../../errors.ts";
import type { Binaries } from "./binaries.ts";
import { failed, role } from "./cluster.ts";
import type { Paths } from "./paths.ts";
import { type Runner, run } from "./runner.ts";

// Only the system user decides who can enter the folder of the sockets. Other services may run as the same user (for
// root, PostgreSQL runs as `nobody`). So PostgreSQL asks for a password, which only the user of DATA_DIR can read.

/**
 * The settings for the statement that sets the password. Neither the statement nor an error that quotes it may be
 * logged.
 */
const settings = ["log_statement=none", "log_min_error_statement=panic", "password_encryption=scram-sha-256"].flatMap(
  (setting) => ["-c", setting],
);

/**
 * Reads the password of the embedded database. Throws AppError (`unavailable`) if this user may not read it, or if its
 * file is lost while the database runs.
 */
export function readPassword(paths: Paths): string {
  try {
    return readFileSync(paths.passwordFile, "utf8").trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const advice =
      code === "ENOENT"
        ? "Stop all processes of this DATA_DIR, then start again: a first start writes a new one."
        : "Run Pressbell as the user who owns DATA_DIR.";
    throw appError("unavailable", {
      message: `The embedded database's password cannot be read (${message}). ${advice}`,
    });
  }
}

/**
 * Makes PostgreSQL accept only connections over its Unix socket that prove the password (SCRAM-SHA-256). Creates the
 * password if there is none. Works only while no PostgreSQL runs on the data folder. Throws AppError (`unavailable`)
 * if one does, or if the password cannot be set.
 */
export function requirePassword(binaries: Binaries, paths: Paths, runner: Runner): void {
  const password = readOrCreatePassword(paths);
  const rulesFile = join(paths.cluster, "pg_hba.conf");
  const rules = accessRules(password);
  if (readIfExists(rulesFile) === rules) return;
  // The password comes first. A start that is killed between the two steps does both again.
  const statement = `alter role ${role} password '${password}'\n`;
  const single = ["--single", "-j", ...settings, "-D", paths.cluster, role];
  const set = run(runner, binaries.postgres, single, statement);
  if (set.status !== 0 || /^\S.*\b(ERROR|FATAL):/m.test(set.stderr)) throw failed("set the password", set, paths);
  // PostgreSQL's user writes the file. In a folder of that user, a link could lead root to another file.
  const script = 'umask 077 && cat >"$1.new" && mv "$1.new" "$1"';
  const written = run(runner, "sh", ["-c", script, "sh", rulesFile], rules);
  if (written.status !== 0) throw failed("write pg_hba.conf", written, paths);
}

/**
 * Returns the content of pg_hba.conf. It names the hash of the password. So a data folder that is restored without
 * its password file, or with another one, gets the present password.
 */
function accessRules(password: string): string {
  const hash = createHash("sha256").update(password).digest("hex");
  return `# Written by Pressbell at each start. SHA-256 of the password: ${hash}\nlocal all all scram-sha-256\n`;
}

function readOrCreatePassword(paths: Paths): string {
  const found = readIfExists(paths.passwordFile);
  if (found !== undefined) return found.trim();
  const draft = `${paths.passwordFile}.${process.pid}`;
  // Base64url has no character that SQL would have to quote.
  writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
  try {
    // `link` fails if the file exists, so two first starts at the same time end up with the same password.
    linkSync(draft, paths.passwordFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(paths.passwordFile, "utf8").trim();
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

import { createHash } from "node:crypto";
import { accessSync, chmodSync, chownSync, constants, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { getSystemErrorMessage } from "node:util";
import { appError, ConfigError } from "../../errors.ts";

/** The paths of the embedded PostgreSQL of one DATA_DIR. Every process derives the same paths. */
export type Paths = {
  /** DATA_DIR, absolute, with links resolved. */
  dataDir: string;
  /** The owner of `dataDir`: the user that the database belongs to. */
  owner: { uid: number; gid: number };
  /** PostgreSQL's data folder. */
  cluster: string;
  log: string;
  /** The file that holds the database's password. Only the owner of `dataDir` can read it. */
  passwordFile: string;
  /** The folder of the sockets. It is in `dataDir`, or in /tmp if its path there is too long for a socket. */
  runtimeDir: string;
  /** The folder of PostgreSQL's own socket, within `runtimeDir`. Only PostgreSQL's user and root can enter it. */
  socketDir: string;
  /** The Unix socket at which processes take a lease from the supervisor. */
  supervisorSocket: string;
};

/**
 * The port. PostgreSQL names its socket after it, and rejects socket paths that are too long for the system. Linux
 * allows 107 bytes, macOS 103.
 */
export const port = 5432;
const maxSocketPathBytes = 103;
const clusterName = "postgres";

/**
 * Returns the paths of `dataDir`, an absolute or relative path. Creates that folder if it is missing. Throws
 * ConfigError if the folder cannot be created or used, and AppError (`unavailable`) if the socket's path would be too
 * long.
 */
export function pathsOf(dataDir: string): Paths {
  const real = inDataDir(dataDir, () => {
    // For root, PostgreSQL runs as another user, who must be able to enter (but not list) this folder.
    createFolder(resolve(dataDir), process.getuid?.() === 0 ? 0o711 : 0o700);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  });
  const { uid, gid } = statSync(real);
  const runtimeDir = runtimeDirOf(real, uid);
  return {
    dataDir: real,
    owner: { uid, gid },
    cluster: join(real, clusterName),
    log: join(real, "postgres.log"),
    passwordFile: join(real, "postgres.password"),
    runtimeDir,
    socketDir: socketDirOf(runtimeDir),
    supervisorSocket: join(runtimeDir, "supervisor"),
  };
}

/**
 * Returns the folder of the sockets. It is a folder in `dataDir`, where no other user can take its name. If that path
 * is too long for a socket, it is a folder in /tmp whose name follows from `dataDir`. So every process finds the same
 * folder, even after it was removed.
 */
function runtimeDirOf(dataDir: string, uid: number): string {
  const hash = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  const candidates = [join(dataDir, "run"), join(temporaryFolder(), `pressbell-${uid}-${hash}`)];
  const fits = (folder: string) => {
    return Buffer.byteLength(join(socketDirOf(folder), `.s.PGSQL.${port}.lock`)) <= maxSocketPathBytes;
  };
  const found = candidates.find(fits);
  if (found !== undefined) return found;
  throw appError("unavailable", {
    message: `${candidates.join(" and ")} are too long for a Unix socket. Set DATA_DIR or TMPDIR to a short path.`,
  });
}

function socketDirOf(runtimeDir: string): string {
  return join(runtimeDir, "pg");
}

/** Returns whether `dataDir` holds a database. Creates nothing. Throws ConfigError if the folder cannot be read. */
export function holdsCluster(dataDir: string): boolean {
  return inDataDir(dataDir, () => statSync(join(dataDir, clusterName), { throwIfNoEntry: false }) !== undefined);
}

/** Runs `work` on `dataDir`. Turns a system error into a ConfigError that names the setting. */
export function inDataDir<T>(dataDir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    throw new ConfigError(`Wrong setting: DATA_DIR ${dataDir} cannot be used (${getSystemErrorMessage(errno)}).`);
  }
}

/**
 * Creates the folder at the absolute path `path`, and missing folders above it. Node.js's `recursive: true` never
 * ends if a folder exists but cannot hold others (/proc), because it retries the missing parent again and again.
 */
function createFolder(path: string, mode: number): void {
  if (isFolder(path)) return;
  createFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process that starts at the same moment creates the same folder.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Returns /tmp if it can be written to, or else TMPDIR. Two terminals with different TMPDIRs must find the same
 * server.
 */
function temporaryFolder(): string {
  try {
    accessSync("/tmp", constants.W_OK);
    return "/tmp";
  } catch {
    return tmpdir();
  }
}

/**
 * Returns whether the folder of the sockets exists. Any user can create a folder in /tmp. So this throws AppError
 * (`unavailable`) for a path that is a link, that others can write to, or that belongs to a user whom this database
 * does not trust.
 */
export function runtimeDirExists(paths: Paths): boolean {
  const found = lstatSync(paths.runtimeDir, { throwIfNoEntry: false });
  if (!found) return false;
  const trusted = [0, process.getuid?.(), paths.owner.uid];
  if (found.isDirectory() && (found.mode & 0o022) === 0 && trusted.includes(found.uid)) return true;
  throw appError("unavailable", {
    message: `${paths.runtimeDir} belongs to another user, or is open to others. Remove it, then start again.`,
  });
}

/**
 * Creates both folders of sockets. PostgreSQL's folder belongs to `uid` and `gid` if PostgreSQL runs as another user
 * than this process.
 */
export function createSocketDirs(paths: Paths, { uid, gid }: { uid?: number; gid?: number }): void {
  if (!runtimeDirExists(paths)) mkdirSync(paths.runtimeDir, { mode: 0o700, recursive: true });
  // The check is repeated, because another user may have created the folder between the check and mkdir.
  runtimeDirExists(paths);
  mkdirSync(paths.socketDir, { mode: 0o700, recursive: true });
  // A restored backup may have other permissions.
  chmodSync(paths.socketDir, 0o700);
  if (process.getuid?.() !== 0) return;
  // The other user can enter its own folder, and list or open nothing else.
  chmodSync(paths.runtimeDir, 0o711);
  chownSync(paths.socketDir, uid ?? 0, gid ?? 0);
}

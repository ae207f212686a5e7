import { createHash } from "node:crypto";
import { accessSync, chmodSync, chownSync, constants, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { getSystemErrorMessage } from "node:util";
import { ConfigError } from "../../config.ts";
import { appError } from "../../errors.ts";

/** Where the embedded PostgreSQL of one DATA_DIR keeps its things. Every process derives the same places. */
export type Places = {
  dataDir: string;
  /** The owner of `dataDir`: the user that the database belongs to. */
  owner: { uid: number; gid: number };
  /** The data folder of PostgreSQL. */
  cluster: string;
  log: string;
  /** The folder of the sockets. Short, because a Unix socket's path has at most 103 bytes (macOS). */
  meetingPlace: string;
  /** PostgreSQL's own within it: who can enter it is let in. */
  socketDir: string;
  keeperSocket: string;
};

/** PostgreSQL names its socket after its port, and refuses names beyond what the system takes. */
export const port = 5432;
const longestSocketPath = 103;
const clusterName = "postgres";

/**
 * The places of `dataDir`, an absolute or relative path. Makes the folder when it is missing. Throws ConfigError where
 * it cannot be made or used.
 */
export function placesOf(dataDir: string): Places {
  const real = inDataDir(dataDir, () => {
    // As root PostgreSQL runs as another user, who has to pass through this folder (but not to list it) to its own.
    makeFolder(resolve(dataDir), process.getuid?.() === 0 ? 0o711 : 0o700);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  });
  const { uid, gid } = statSync(real);
  const hash = createHash("sha256").update(real).digest("hex").slice(0, 12);
  const meetingPlace = join(temporaryFolder(), `pressbell-${uid}-${hash}`);
  const socketDir = join(meetingPlace, "pg");
  if (Buffer.byteLength(join(socketDir, `.s.PGSQL.${port}.lock`)) > longestSocketPath) {
    throw appError("unavailable", {
      message: `${socketDir} is too long for a Unix socket. Set TMPDIR to a short path.`,
    });
  }
  return {
    dataDir: real,
    owner: { uid, gid },
    cluster: join(real, clusterName),
    log: join(real, "postgres.log"),
    meetingPlace,
    socketDir,
    keeperSocket: join(meetingPlace, "keeper"),
  };
}

/** Whether `dataDir` holds a database. Makes nothing. Throws ConfigError where that cannot be seen. */
export function holdsCluster(dataDir: string): boolean {
  return inDataDir(dataDir, () => statSync(join(dataDir, clusterName), { throwIfNoEntry: false }) !== undefined);
}

/** Does `work` in `dataDir`; what the system refuses there becomes a ConfigError that names the setting. */
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
 * Makes a folder, an absolute path, with what is missing above it. Node.js's own way never ends where a folder is there
 * but takes no other (/proc): it looks for the missing one above it again and again.
 */
function makeFolder(path: string, mode: number): void {
  if (isFolder(path)) return;
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process that starts at the same moment makes the same folder.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** /tmp rather than TMPDIR: two terminals with different TMPDIRs must find the same server. */
function temporaryFolder(): string {
  try {
    accessSync("/tmp", constants.W_OK);
    return "/tmp";
  } catch {
    return tmpdir();
  }
}

/**
 * Whether the folder of the sockets is there. Anybody may make a folder in /tmp: one that is a link, that others can
 * write to or that was made by somebody whom this database does not already trust is refused with an error.
 */
export function meetingPlaceExists(places: Places): boolean {
  const found = lstatSync(places.meetingPlace, { throwIfNoEntry: false });
  if (!found) return false;
  const trusted = [0, process.getuid?.(), places.owner.uid];
  if (found.isDirectory() && (found.mode & 0o022) === 0 && trusted.includes(found.uid)) return true;
  throw appError("unavailable", {
    message: `${places.meetingPlace} was made by somebody else, or is open to others. Remove it, then start again.`,
  });
}

/** Makes both folders of sockets; PostgreSQL's belongs to `uid` and `gid` when it runs as another user than this. */
export function makeSocketDirs(places: Places, { uid, gid }: { uid?: number; gid?: number }): void {
  if (!meetingPlaceExists(places)) mkdirSync(places.meetingPlace, { mode: 0o700, recursive: true });
  // Looked at again: between the look and mkdir somebody else may have made it.
  meetingPlaceExists(places);
  mkdirSync(places.socketDir, { mode: 0o700, recursive: true });
  if (process.getuid?.() !== 0) return;
  // The other user passes through to its own folder, and finds nothing else to open.
  chmodSync(places.meetingPlace, 0o711);
  chownSync(places.socketDir, uid ?? 0, gid ?? 0);
}

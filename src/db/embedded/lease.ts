import { setTimeout as delay } from "node:timers/promises";
import { role } from "./cluster.ts";
import { joinSupervisor, type SupervisorLease } from "./join-supervisor.ts";
import { readPassword } from "./password.ts";
import { pathsOf, port } from "./paths.ts";

/**
 * A lease that keeps the embedded PostgreSQL of one DATA_DIR running. The end of the process releases it, however it
 * ends.
 */
export type Lease = {
  /** The connection. `host` is the folder of the Unix socket. It stays the same for the life of the DATA_DIR. */
  connection: { host: string; port: number; user: string; database: string; password: string };
  /**
   * Calls `callback` once if PostgreSQL is lost for good, that is, if an attempt to start it again after a loss
   * failed. Short losses are repaired without a call, and pools reconnect.
   */
  onLost(callback: (error: Error) => void): void;
  /** Releases the lease. Resolves at once if others hold one, or else when PostgreSQL and its supervisor have ended. */
  release(): Promise<void>;
};

const pollMs = 5;
const supervisorExitMs = 2_000;
const repairMs = 5_000;

/**
 * Starts the embedded PostgreSQL of `dataDir`, or joins the one that another process has started. Throws an AppError
 * (`unavailable`) that says what to do if it cannot start. The lease itself does not keep the process alive.
 */
export async function leaseEmbeddedPostgres(dataDir: string): Promise<Lease> {
  const paths = pathsOf(dataDir);
  let releasing = false;
  let wanted = true;
  let held: SupervisorLease | undefined;
  let rejoining: Promise<void> | undefined;
  let lost: Error | undefined;
  const callbacks: ((error: Error) => void)[] = [];

  const join = async () => {
    held = await joinSupervisor(paths, () => wanted);
    held?.socket.unref().resume();
    // An error is followed by "close".
    held?.socket
      .on("error", () => {})
      .once("close", () => {
        if (!releasing) rejoining = join().catch(reportLost);
      });
  };
  const reportLost = (error: Error) => {
    lost = error;
    for (const callback of callbacks) callback(error);
  };

  await join();
  let password: string;
  try {
    password = readPassword(paths);
  } catch (error) {
    releasing = true;
    if (held) await release(held);
    throw error;
  }
  return {
    connection: { host: paths.socketDir, port, user: role, database: role, password },
    onLost: (callback) => {
      callbacks.push(callback);
      if (lost) callback(lost);
    },
    release: async () => {
      releasing = true;
      // During a repair, this process has to end what the repair starts. So it waits for the repair, up to a limit.
      const limit = setTimeout(() => {
        wanted = false;
      }, repairMs);
      await rejoining;
      clearTimeout(limit);
      if (held && !lost) await release(held);
    },
  };
}

async function release({ socket, supervisorPid, loserExited }: SupervisorLease): Promise<void> {
  await loserExited?.();
  if (socket.destroyed) return;
  // The supervisor answers if it stays for other holders. Otherwise it sends nothing, stops PostgreSQL and exits.
  let stays = false;
  socket.on("data", () => {
    stays = true;
  });
  await new Promise<void>((resolve) => {
    socket.ref().once("close", resolve);
    socket.end();
  });
  if (stays) return;
  const deadline = Date.now() + supervisorExitMs;
  while (isAlive(supervisorPid) && Date.now() < deadline) await delay(pollMs);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { role } from "./cluster.ts";
import { type Held, joinSupervisor } from "./join-supervisor.ts";
import { placesOf, port } from "./places.ts";

/** Keeps the embedded PostgreSQL of one DATA_DIR running. A process's end, of whatever kind, gives it back. */
export type Lease = {
  /** `host` is the folder of the Unix socket. It stays the same for the life of the DATA_DIR. */
  connection: { host: string; port: number; user: string; database: string };
  /**
   * Calls back once if PostgreSQL is lost for good: it was started again after each loss, and at last did not come up.
   * Short losses are repaired without a word; pools reconnect.
   */
  onLost(callback: (error: Error) => void): void;
  /** Gives the lease back. Resolves at once while others hold one, else when PostgreSQL and its keeper are gone. */
  release(): Promise<void>;
};

const pollMs = 5;
const keeperExitMs = 2_000;
const repairMs = 5_000;

/**
 * Starts the embedded PostgreSQL of `dataDir`, or joins the one that another process has started. Throws an AppError
 * (`unavailable`) that says what to do when it cannot start. The lease itself does not keep the process alive.
 */
export async function leaseEmbeddedPostgres(dataDir: string): Promise<Lease> {
  const places = placesOf(dataDir);
  let releasing = false;
  let wanted = true;
  let held: Held | undefined;
  let rejoining: Promise<void> | undefined;
  let lost: Error | undefined;
  const callbacks: ((error: Error) => void)[] = [];

  const take = async () => {
    held = await joinSupervisor(places, () => wanted);
    held?.socket.unref().resume();
    // An error is followed by the close.
    held?.socket
      .on("error", () => {})
      .once("close", () => {
        if (!releasing) rejoining = take().catch(lose);
      });
  };
  const lose = (error: Error) => {
    lost = error;
    for (const callback of callbacks) callback(error);
  };

  await take();
  return {
    connection: { host: places.socketDir, port, user: role, database: role },
    onLost: (callback) => {
      callbacks.push(callback);
      if (lost) callback(lost);
    },
    release: async () => {
      releasing = true;
      // In the middle of a repair: what it starts is ours to end, unless it takes too long.
      const limit = setTimeout(() => {
        wanted = false;
      }, repairMs);
      await rejoining;
      clearTimeout(limit);
      if (held && !lost) await giveBack(held);
    },
  };
}

async function giveBack({ socket, keeperPid, rival }: Held): Promise<void> {
  await rival?.();
  if (socket.destroyed) return;
  // The keeper answers when it stays for others; else it says nothing, stops PostgreSQL and ends.
  let stays = false;
  socket.on("data", () => {
    stays = true;
  });
  await new Promise<void>((resolve) => {
    socket.ref().once("close", resolve);
    socket.end();
  });
  if (stays) return;
  const deadline = Date.now() + keeperExitMs;
  while (isAlive(keeperPid) && Date.now() < deadline) await delay(pollMs);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { role } from "../../src/db/embedded/cluster.ts";
import { startGuarded } from "../fixtures/browsers/guarded-process.ts";
import { closeAfterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { freePort } from "../fixtures/free-port.ts";

const binary = "/usr/sbin/pgbouncer";

/** Whether Debian's package `pgbouncer` is installed. */
export const hasPgbouncer = existsSync(binary);

export type Pgbouncer = {
  /** Returns the value for DATABASE_URL. */
  url(database: string): string;
  close(): Promise<void>;
};

/**
 * Starts a PgBouncer in transaction mode in front of the PostgreSQL at `port` of loopback. It takes another server
 * connection for each transaction (`server_round_robin`), so anything that depends on a session fails at once.
 */
export async function startPgbouncer(port: number): Promise<Pgbouncer> {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-pgbouncer-"));
  const listenPort = await freePort();
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, settings(port, listenPort));
  // A PgBouncer that is started as root changes to another user, who has to read its settings.
  await chmod(folder, 0o755);
  const asUser = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const { process: child, stop } = startGuarded(binary, [...asUser, file], { PATH: process.env.PATH ?? "" }, "pipe");
  const close = closeAfterFile(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  let log = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  await eventually(() => accepts(child, listenPort), 60_000, "PgBouncer did not start").catch((error: Error) => {
    throw new Error(`${error.message}: ${log}`);
  });
  return {
    url: (database) => `postgres://${role}@127.0.0.1:${listenPort}/${database}`,
    close,
  };
}

const settings = (port: number, listenPort: number) => `[databases]
* = host=127.0.0.1 port=${port} user=${role}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 12
max_client_conn = 200
server_round_robin = 1
`;

async function accepts({ signalCode }: ChildProcess, port: number): Promise<boolean> {
  if (signalCode !== null) throw new Error("PgBouncer ended");
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

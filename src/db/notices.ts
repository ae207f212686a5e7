import { sql } from "kysely";
import type pg from "pg";
import type { Logger } from "../log.ts";
import { type PollLoop, startPollLoop } from "../poll-loop.ts";
import { type Connection, createClient } from "./pool.ts";
import { openSession } from "./pooled-client.ts";

/** A notice to all processes. `run`: a run waits for its plan. `batches`: batches wait to be claimed. */
export type Notice = "run" | "batches";

const channel = "pressbell";
/** How often a lost connection is tried again, and how often an open one is tested. */
const checkEveryMs = 5_000;

/**
 * Returns SQL that sends a notice to all processes when its transaction commits. Each transaction sends a notice only
 * once.
 */
export function notify(notice: Notice) {
  return sql`pg_notify(${channel}, ${notice})`;
}

/** Calls `onNotice` for each notice of any process. See `listenOn`. */
export function listen(connection: Connection, log: Logger, onNotice: (notice: Notice) => void): PollLoop {
  return listenOn(connection, log, {
    channel,
    onNotice: (payload) => onNotice(payload as Notice),
    whatIsLate: "runs start up to half a second late",
  });
}

export type Listening = {
  channel: string;
  onNotice(payload: string): void;
  /** Called each time a connection opens. `hears`: false if a pooler is in between, so that no notice will come. */
  onOpen?(hears: boolean): void;
  /** The work that is late while the connection is lost, for the log. */
  whatIsLate: string;
};

/**
 * Listens on a connection of its own. While the connection is lost, notices are lost too. Therefore, whatever waits
 * for a notice also looks for its work now and then.
 */
export function listenOn(connection: Connection, log: Logger, listening: Listening): PollLoop {
  const { channel, onNotice, onOpen, whatIsLate } = listening;
  let client: pg.Client | undefined;

  async function check(): Promise<void> {
    if (client !== undefined) return void (await client.query("select 1"));
    const opened = createClient(connection, "pressbell notices", { query_timeout: checkEveryMs });
    // Without a listener, a lost connection would end this process. The next check opens another connection.
    opened.on("error", () => {});
    opened.on("end", () => {
      if (client !== opened) return;
      client = undefined;
      loop.wake();
    });
    opened.on("notification", ({ payload }) => onNotice(payload ?? ""));
    await opened.connect();
    // Through a pooler, other clients would get the notices. Then all work is found by looking for it.
    const { isPooled } = await openSession(opened);
    if (!isPooled) await opened.query(`listen ${channel}`);
    client = opened;
    onOpen?.(!isPooled);
  }

  const loop = startPollLoop({
    round: check,
    everyMs: checkEveryMs,
    onFault(err) {
      log.warn({ err }, `the connection for notices was lost and is opened again: ${whatIsLate}`);
      // The stream is destroyed, because a peer that is gone would never answer `end`.
      client?.connection.stream.destroy();
      client = undefined;
    },
  });
  return {
    async stop() {
      await loop.stop();
      const closing = client;
      client = undefined;
      await closing?.end();
    },
  };
}

import { sql } from "kysely";
import type pg from "pg";
import type { Logger } from "../log.ts";
import { type PollLoop, startPollLoop } from "../poll-loop.ts";
import { type Connection, createClient } from "./pool.ts";
import { openSession } from "./pooled-client.ts";

/** What all processes are told at once: `run`: a run waits for its plan. `batches`: batches wait to be claimed. */
export type Notice = "run" | "batches";

const channel = "pressbell";
/** How often a connection is tried, or an open one asked whether it still is one. */
const checkEveryMs = 5_000;

/** SQL that tells all processes when the statement's transaction commits. Within one transaction a notice is sent once. */
export function notify(notice: Notice) {
  return sql`pg_notify(${channel}, ${notice})`;
}

/** Calls `onNotice` for each notice of any process, as `listenOn` does. */
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
  /** Called each time that a connection is open. `hears` false: a pooler is in between, so no notice will come. */
  onOpen?(hears: boolean): void;
  /** What follows while the connection is away, for the log. */
  whatIsLate: string;
};

/**
 * Listens on a connection of its own. While that is away, notices are lost: what waits for one also looks for itself now
 * and then.
 */
export function listenOn(connection: Connection, log: Logger, listening: Listening): PollLoop {
  const { channel, onNotice, onOpen, whatIsLate } = listening;
  let client: pg.Client | undefined;

  async function check(): Promise<void> {
    if (client !== undefined) return void (await client.query("select 1"));
    const opened = createClient(connection, "pressbell notices", { query_timeout: checkEveryMs });
    // Without a listener, a lost connection would end this process. The next check opens another one.
    opened.on("error", () => {});
    opened.on("end", () => {
      if (client !== opened) return;
      client = undefined;
      loop.wake();
    });
    opened.on("notification", ({ payload }) => onNotice(payload ?? ""));
    await opened.connect();
    // Through a pooler, others would get the notices. Then everything is found by looking for it.
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
      // A peer that is gone would never answer its end.
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

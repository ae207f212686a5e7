import { Readable } from "node:stream";
import type { Member } from "../actor.ts";
import type { App } from "../app.ts";
import { listenOn } from "../db/notices.ts";
import type { PollLoop } from "../poll-loop.ts";
import { findSite } from "./audience.ts";

/**
 * What the triggers `tell_change` of the schema tell of. `groups`: campaigns of several sites. `sends`: a live run began. `items`: of
 * feeds. `settings`: of the site or its tenant, and their pauses. `audience`: topics and segments.
 */
const topics = ["campaigns", "groups", "sends", "feeds", "items", "settings", "audience", "members"] as const;
export type ChangeTopic = (typeof topics)[number];

/** The right to see a site may have ended: this ends the stream. The browser asks again, and every check is made again. */
const access = "access";

/** A statement that changes several kinds is one event. */
const gatherMs = 50;
/** At most one event of a stream in this time, whatever changes. */
const pauseMs = 1_000;
/** A new stream begins with an event of the changes of this time: its page may have read what it shows before. */
const replayedMs = 15_000;
/** Browsers come back to a service that has restarted after a second at least, but not all in the same moment. */
const againMs = () => 1_000 + Math.floor(Math.random() * 2_000);
/** Proxies end connections that are silent. */
const beatMs = 10_000;
/** A stream ends after this, so that a session that expires ends it too. */
const endAfterMs = 600_000;
/** The same where a pooler keeps notices back: the page reads again with each new stream. */
const endUnheardAfterMs = 15_000;

/** The streams of this process, which share one connection for notices. */
export type SiteChanges = {
  /**
   * Returns a stream of server-sent events, `changes` with a list of topics, of what belongs to any of `ids`: a site, its
   * tenant, the member.
   */
  follow(app: App, ids: string[]): Promise<Readable>;
  /** Returns the number of open streams. */
  followed(): number;
  /** Closes the connection for notices. */
  stop(): Promise<void>;
};

type Follower = { ids: string[]; tell(topic: ChangeTopic): void; end(): void };

/** Creates the streams of a process. Its connection is opened for the first stream and stays. */
export function createSiteChanges(): SiteChanges {
  const followers = new Set<Follower>();
  const recent = createRecentNotices();
  let listening: { loop: PollLoop; isOpen: Promise<void> } | undefined;
  let hears = true;
  let openedMs = Number.NEGATIVE_INFINITY;

  function listen(app: App) {
    const { promise: isOpen, resolve } = Promise.withResolvers<void>();
    const loop = listenOn(app.connection, app.log, {
      channel: "pressbell_changes",
      onNotice(payload) {
        // A topic and an id, as `tell_change` writes them.
        const [topic, id] = payload.split(" ") as [string, string];
        recent.add(payload);
        for (const follower of followers) {
          if (!follower.ids.includes(id)) continue;
          if (topic === access) end(follower);
          else follower.tell(topic as ChangeTopic);
        }
      },
      onOpen(isHeard) {
        hears = isHeard;
        openedMs = performance.now();
        // What they have not been told, their pages read again with the next stream.
        for (const follower of followers) end(follower);
        resolve();
      },
      whatIsLate: "pages of the dashboard show changes late",
    });
    return { loop, isOpen };
  }

  /** Returns what a new stream begins with: everything, if this process has not listened for so long. */
  function changedBefore(ids: string[]): readonly ChangeTopic[] {
    return performance.now() - openedMs < replayedMs ? topics : recent.topicsOf(ids);
  }

  /** One that has ended is told nothing more. */
  function end(follower: Follower): void {
    if (followers.delete(follower)) follower.end();
  }

  return {
    async follow(app, ids) {
      listening ??= listen(app);
      await listening.isOpen;
      const { stream, follower } = openStream(ids, changedBefore(ids));
      followers.add(follower);
      const ending = setTimeout(() => end(follower), hears ? endAfterMs : endUnheardAfterMs);
      stream.once("close", () => clearTimeout(ending));
      return stream.once("close", () => followers.delete(follower));
    },
    followed: () => followers.size,
    stop: async () => listening?.loop.stop(),
  };
}

/** The notices of the last `replayedMs`. */
function createRecentNotices() {
  /** When each came last, the oldest first. */
  const recent = new Map<string, number>();
  function forgetOld(): void {
    for (const [payload, atMs] of recent) {
      if (performance.now() - atMs < replayedMs) return;
      recent.delete(payload);
    }
  }
  return {
    add(payload: string): void {
      recent.delete(payload);
      recent.set(payload, performance.now());
      forgetOld();
    },
    topicsOf(ids: string[]): ChangeTopic[] {
      forgetOld();
      const own = [...recent.keys()].map((payload) => payload.split(" ") as [string, string]);
      return own.flatMap(([topic, id]) => (topic !== access && ids.includes(id) ? [topic as ChangeTopic] : []));
    },
  };
}

/** `before`: what its first event tells. */
function openStream(ids: string[], before: readonly ChangeTopic[]): { stream: Readable; follower: Follower } {
  const stream = new Readable({ read() {} });
  const waiting = new Set<ChangeTopic>();
  let timer: NodeJS.Timeout | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  const flush = () => {
    timer = undefined;
    lastMs = performance.now();
    stream.push(eventOf([...waiting].sort()));
    waiting.clear();
  };
  const beat = setInterval(() => stream.push(":\n\n"), beatMs);
  const leave = () => {
    clearTimeout(timer);
    clearInterval(beat);
  };
  const end = () => {
    if (timer !== undefined) flush();
    leave();
    stream.push(null);
  };
  stream.once("close", leave);
  stream.push(`retry: ${againMs()}\n\n${eventOf(before)}`);
  const follower: Follower = {
    ids,
    tell(topic) {
      waiting.add(topic);
      timer ??= setTimeout(flush, Math.max(gatherMs, lastMs + pauseMs - performance.now()));
    },
    end,
  };
  return { stream, follower };
}

const eventOf = (told: readonly ChangeTopic[]) => `event: changes\ndata: ${JSON.stringify(told)}\n\n`;

/** Follows what changes of a site, as `SiteChanges.follow` does. Throws `not_found` before anything is sent. */
export async function followSite(
  app: App,
  actor: Member,
  { siteId, changes }: { siteId: string; changes: SiteChanges },
): Promise<Readable> {
  const site = await findSite(app, actor, siteId);
  return changes.follow(app, [site.id, actor.tenantId, actor.userId]);
}

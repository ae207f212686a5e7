import { Readable } from "node:stream";
import type { Member } from "../actor.ts";
import type { App } from "../app.ts";
import { listenOn } from "../db/notices.ts";
import type { PollLoop } from "../poll-loop.ts";
import { findSite } from "./audience.ts";

/**
 * The topics that the schema's triggers `tell_change` announce. `groups`: campaigns of several sites. `sends`: a live
 * run began. `items`: items of feeds. `settings`: settings and pauses of the site or its tenant. `audience`: topics
 * and segments.
 */
const topics = ["campaigns", "groups", "sends", "feeds", "items", "settings", "audience", "members"] as const;
export type ChangeTopic = (typeof topics)[number];

/**
 * Says that the right to see a site may have ended, which ends the stream. The browser connects again, and all checks
 * run again.
 */
const access = "access";

/** The wait before an event, so that a statement that changes several topics becomes one event. */
const gatherMs = 50;
/** The least time between two events of a stream. */
const pauseMs = 1_000;
/**
 * A new stream begins with an event of the changes of this time, because its page may have read its data before them.
 */
const replayedMs = 15_000;
/**
 * Returns how long browsers wait before they reconnect: at least a second, and not all the same time after a restart.
 */
const againMs = () => 1_000 + Math.floor(Math.random() * 2_000);
/** The time between two empty comments. Without them, proxies would end a silent connection. */
const beatMs = 10_000;
/** How long a stream lasts, so that a session that expires also ends its stream. */
const endAfterMs = 600_000;
/** How long a stream lasts if a pooler keeps notices back. The page reads its data again with each new stream. */
const endUnheardAfterMs = 15_000;

/** The streams of this process. They share one connection for notices. */
export type SiteChanges = {
  /**
   * Returns a stream of server-sent events, `changes` with a list of topics. It has the changes that belong to any of
   * `ids`: a site, its tenant, the member.
   */
  follow(app: App, ids: string[]): Promise<Readable>;
  /** Returns the number of open streams. */
  followed(): number;
  /** Closes the connection for notices. */
  stop(): Promise<void>;
};

type Follower = { ids: string[]; tell(topic: ChangeTopic): void; end(): void };

/** Creates the streams of a process. Their connection opens for the first stream and stays open. */
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
        // The payload is a topic and an id, as `tell_change` writes them.
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
        // Followers may have missed notices. With the next stream, their pages read everything again.
        for (const follower of followers) end(follower);
        resolve();
      },
      whatIsLate: "pages of the dashboard show changes late",
    });
    return { loop, isOpen };
  }

  /**
   * Returns the topics that a new stream begins with: all topics, if this process has not listened for `replayedMs`
   * yet.
   */
  function changedBefore(ids: string[]): readonly ChangeTopic[] {
    return performance.now() - openedMs < replayedMs ? topics : recent.topicsOf(ids);
  }

  /** Ends a follower, which is then told nothing more. */
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

/** Creates a memory of the notices of the last `replayedMs`. */
function createRecentNotices() {
  /** The last time of each notice, oldest first. */
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

/** Opens a stream. `before`: the topics of its first event. */
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

/** Follows the changes of a site, as `SiteChanges.follow` does. Throws `not_found` before anything is sent. */
export async function followSite(
  app: App,
  actor: Member,
  { siteId, changes }: { siteId: string; changes: SiteChanges },
): Promise<Readable> {
  const site = await findSite(app, actor, siteId);
  return changes.follow(app, [site.id, actor.tenantId, actor.userId]);
}

import type { CampaignClass } from "../../src/tenants/sites/campaign-classes.ts";
import type { Random } from "./random.ts";
import { type PastStory, pastStories } from "./stories.ts";

/** The displays, clicks, dismissals and unsubscribes of an interval that begins `minute` minutes after the send. */
export type Receipts = { minute: number; displayed: number; clicked: number; dismissed: number; unsubscribed: number };

/** A past send, or a story that was rejected. `atMs`: its time, ms since 1970. */
export type PastSend = {
  story: PastStory;
  atMs: number;
  author: "editor" | "deskEditor" | "key";
  /** Whether somebody had scheduled it. */
  scheduled: boolean;
  class: CampaignClass;
  end: "completed" | "stopped" | "rejected";
  /** Whether it corrects the previous send. */
  corrects: boolean;
  score: number;
};

export type Plan = { sends: PastSend[]; startMs: number };

const dayMs = 86_400_000;
const quarterMs = 900_000;
const days = 60;
/** Local hours at which an editor sends. */
const hours = [7.25, 12.1, 17.6, 20.4];

/**
 * Plans the sends of a newspaper in the weeks before `nowMs`: one to three notifications a day, a rejected story each
 * week, and a stopped run with its correction. Plans nothing in the last three hours. `midnightMs`: the start of today
 * at the site.
 */
export function planHistory(random: Random, nowMs: number, midnightMs: number): Plan {
  const startMs = midnightMs - days * dayMs;
  const sends: PastSend[] = [];
  for (let day = 0; day <= days; day++) {
    const skipped = random.whole(1, 3);
    for (const [i, hour] of hours.entries()) {
      const atMs = Math.round(startMs + day * dayMs + (hour + random.between(0, 0.9)) * 3_600_000);
      if (atMs > nowMs - 3 * 3_600_000 || i === skipped || (i > 0 && random.between(0, 1) < 0.25)) continue;
      sends.push(planSend(random, atMs, sends.length));
    }
    const morningMs = startMs + day * dayMs + 9.5 * 3_600_000;
    if (day % 7 === 3 && morningMs < nowMs) sends.push(rejectedAt(morningMs));
  }
  return { sends: withCorrection(sends.toSorted((a, b) => a.atMs - b.atMs)), startMs };
}

/** Returns the class of a send: breaking news every two weeks or so, and some sends of class `low`. */
const classOf = (no: number): CampaignClass => (no % 23 === 5 ? "breaking" : no % 7 === 3 ? "low" : "normal");

/** Plans a send. Takes the stories in steps that reach all of them. */
function planSend(random: Random, atMs: number, no: number): PastSend {
  const scheduled = new Date(atMs).getUTCHours() < 8 && random.between(0, 1) < 0.6;
  const author = random.pick(["editor", "editor", "deskEditor", "key"] as const);
  return {
    story: pastStories[(no * 11) % pastStories.length]!,
    atMs: scheduled ? Math.floor(atMs / quarterMs) * quarterMs : atMs,
    author: scheduled && author === "key" ? "editor" : author,
    scheduled,
    class: classOf(no),
    end: "completed",
    corrects: false,
    score: random.pick([0.8, 0.8, 0.7, 0.6]),
  };
}

/** Returns a story that the CMS offered and the decision rejected. */
function rejectedAt(atMs: number): PastSend {
  const story = { title: "For our readers: the calendar of the river", body: "Order it now, with free delivery." };
  return { story, atMs, author: "key", scheduled: false, class: "normal", end: "rejected", corrects: false, score: 0 };
}

/** Makes an editor stop the sixth last send and correct it twelve minutes later. */
function withCorrection(sends: PastSend[]): PastSend[] {
  const at = sends.findLastIndex(({ end, story }, i) => i < sends.length - 5 && end === "completed" && !story.topic);
  const wrong = sends[at];
  if (wrong === undefined) return sends;
  const story = { ...wrong.story, title: `Corrected: ${wrong.story.title}` };
  const stopped = { ...wrong, end: "stopped", author: "editor", scheduled: false } as const;
  const correction = { ...stopped, story, end: "completed", corrects: true, atMs: wrong.atMs + 12 * 60_000 } as const;
  return [...sends.slice(0, at), stopped, correction, ...sends.slice(at + 1)];
}

/** Returns by which factor readers click more or less: more in the evening, and more on sport. */
function clicksAt({ topic }: PastStory, atMs: number): number {
  return (new Date(atMs).getUTCHours() >= 15 ? 1.6 : 0.8) * (topic === "Sport" ? 1.5 : 1);
}

/**
 * The minutes after the send at which the intervals of its receipts begin: single minutes for three hours, then hours.
 */
const stretches = [...Array.from({ length: 180 }, (_, i) => i), ...Array.from({ length: 45 }, (_, i) => 180 + i * 60)];
/** Minutes after which half of the reacting readers have reacted. */
const halfAfterMinutes = 45;
/** The same for displays. It is short, because most devices are on when a notification comes. */
const halfDisplayedAfterMinutes = 2;

/**
 * Plans what the readers of `accepted` messages did until `nowMs`. Half of the reactions come in the first 45 minutes,
 * half of the displays within two minutes, and the last of both after two days.
 */
export function planReceipts(
  random: Random,
  { story, atMs, score }: PastSend,
  accepted: number,
  nowMs: number,
): Receipts[] {
  const shares = {
    displayed: random.between(0.52, 0.7),
    clicked: random.between(0.018, 0.03) * (0.4 + score) * clicksAt(story, atMs),
    dismissed: random.between(0.1, 0.16),
    unsubscribed: random.between(0, 0.0009),
  };
  const upTo = (share: number, minute: number, half: number) =>
    Math.round(accepted * share * (1 - half / (half + minute)));
  return stretches
    .filter((minute) => atMs + minute * 60_000 < nowMs)
    .map((minute, i) => {
      const came = (share: number, half = halfAfterMinutes) =>
        upTo(share, stretches[i + 1] ?? 2_880, half) - upTo(share, minute, half);
      const { displayed, clicked, dismissed, unsubscribed } = shares;
      const counts = {
        displayed: came(displayed, halfDisplayedAfterMinutes),
        clicked: came(clicked),
        dismissed: came(dismissed),
      };
      return { minute, ...counts, unsubscribed: came(unsubscribed) };
    })
    .filter(({ displayed, clicked, dismissed, unsubscribed }) => displayed + clicked + dismissed + unsubscribed > 0);
}

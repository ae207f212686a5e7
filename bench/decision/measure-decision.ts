import { checkStory } from "../../src/decision/check-story.ts";
import { writeNudge } from "../../src/decision/nudge.ts";
import { readArticle } from "../../src/decision/page/article.ts";
import type { LabelledPage } from "./labels.ts";

/**
 * The result for a page. `title`: null if no title is expected. `cpuMs`: the CPU time of reading and checking the
 * page.
 */
export type Outcome = {
  page: LabelledPage;
  decision: "send" | "skip";
  blockedBy: string[];
  title: { found: string | null; isRight: boolean } | null;
  cpuMs: number;
};

const hourMs = 3_600_000;

/**
 * Decides on a page as if it had been published an hour ago, and without a site. Saved pages are old, and their labels
 * do not depend on age.
 */
export function decideLabelled(page: LabelledPage, today: number): Outcome {
  const before = process.threadCpuUsage();
  const { article, signals } = readArticle({ url: page.url, body: page.body, robotsHeader: null });
  const now = article.publishedAt === null ? today : Date.parse(article.publishedAt) + hourMs;
  const fetched = { kind: "page", status: 200, isHtml: true } as const;
  const given = { title: null, body: false, imageUrl: false };
  const { decision, reasons } = checkStory(
    {
      fetched,
      article,
      signals,
      given,
      freshnessHours: 48,
      site: null,
      expected: null,
      visitsWon: null,
      strict: false,
    },
    now,
  );
  const found = writeNudge(article).title;
  const { user, system } = process.threadCpuUsage(before);
  const wanted = page.want === "send" && page.titles.length > 0;
  return {
    page,
    decision,
    blockedBy: reasons.filter(({ effect }) => effect === "blocks").map(({ code, message }) => `${code}: ${message}`),
    title: wanted ? { found, isRight: page.titles.some((title) => fold(title) === fold(found ?? "")) } : null,
    cpuMs: (user + system) / 1_000,
  };
}

/**
 * Returns a title in the form in which titles are compared: lower case, without quotes, with one kind of dash, and
 * with single spaces.
 */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/["'‘’‚‛“”„‟«»‹›`´]/gu, "")
    .replace(/[‐‑‒–—―−-]/gu, "-")
    .replace(/\s+/gu, " ")
    .trim();
}

/** Returns the figures of all pages and of each kind of page, and a line for each wrong page with its reasons. */
export function reportOutcomes(outcomes: Outcome[]): string {
  const kinds = Map.groupBy(outcomes, ({ page }) => page.kind);
  const width = Math.max(5, ...[...kinds.keys()].map((kind) => kind.length));
  const rows = [["all", outcomes] as const, ...kinds].map(([name, some]) => `${name.padEnd(width)}  ${figures(some)}`);
  const wrong = outcomes.flatMap(({ page, decision, blockedBy, title }) => [
    ...(decision === page.want ? [] : [`${page.id} ${page.kind}: ${decision}, wanted ${page.want}. ${page.url}`]),
    ...(decision === page.want ? [] : blockedBy.map((reason) => `    ${reason}`)),
    ...(title === null || title.isRight
      ? []
      : [`${page.id} title: ${title.found ?? "none"}`, `    wanted: ${page.titles[0]}`]),
  ]);
  const cost = `CPU a page: ${medianMs(outcomes.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms in the median`;
  return [...rows, cost, ...(wrong.length === 0 ? [] : ["", "Wrong:", ...wrong])].join("\n");
}

/** Returns the median of some times. */
export function medianMs(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

function figures(outcomes: Outcome[]): string {
  const right = outcomes.filter(({ page, decision }) => decision === page.want);
  const sent = outcomes.filter(({ decision }) => decision === "send");
  const stories = outcomes.filter(({ page }) => page.want === "send");
  const sentStories = sent.filter(({ page }) => page.want === "send");
  const titles = outcomes.filter(({ title }) => title !== null);
  const parts = [
    ["decision", right.length, outcomes.length],
    ["precision of stories", sentStories.length, sent.length],
    ["recall of stories", sentStories.length, stories.length],
    ["title", titles.filter(({ title }) => title!.isRight).length, titles.length],
  ] as const;
  return parts
    .filter(([, , of]) => of > 0)
    .map(([name, count, of]) => `${name} ${((100 * count) / of).toFixed(1)} % (${count}/${of})`)
    .join(", ");
}

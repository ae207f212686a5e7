/** What is known of a notification before it goes out. Hour and weekday by the site's clocks; weekday 1: Monday. */
export type NudgeFacts = {
  title: string;
  /** Of the story. */
  url: string;
  hasImage: boolean;
  topicIds: string[];
  hour: number;
  weekday: number;
  /** Since the site's last notification. Null: it is the first. */
  hoursSinceLast: number | null;
};

/**
 * A category that a history can tell from the rest, such as `hour evening`, and the share of notifications that have
 * it.
 */
export type Category = { name: string; share: number };

/** A category needs so many notifications in the history, and so many outside it, to be told from the rest. */
const nudgesNeeded = 8;
/** The most frequent are looked at: with more, a fit takes long, and chance finds something among them. */
const categoriesAtMost = 40;
/** Of a title. Shorter ones are mostly articles and prepositions. */
const wordLetters = 4;

/** The categories of a notification. */
export function categoriesOf(facts: NudgeFacts): string[] {
  const { title, url, hasImage, topicIds, hour, weekday, hoursSinceLast } = facts;
  const length = [...title].length;
  const section = sectionOf(url);
  return [
    `hour ${hour < 6 ? "night" : hour < 10 ? "morning" : hour < 16 ? "day" : hour < 21 ? "evening" : "late"}`,
    `weekday ${weekday}`,
    ...(weekday >= 6 ? ["weekend"] : []),
    `title ${length <= 40 ? "short" : length <= 70 ? "medium" : "long"}`,
    ...(title.includes("?") ? ["question"] : []),
    ...(/\d/.test(title) ? ["number"] : []),
    ...(hasImage ? ["picture"] : []),
    ...(topicIds.length === 0 ? ["everybody"] : topicIds.map((topicId) => `topic ${topicId}`)),
    `after ${hoursSinceLast === null || hoursSinceLast >= 12 ? "long" : hoursSinceLast < 2 ? "short" : "some"}`,
    ...(section === null ? [] : [`section ${section}`]),
    ...wordsOf(title).map((word) => `word ${word}`),
  ];
}

/** Whether a category means the same at every site. Sections, topics and words are a site's own. */
export function isCommon(name: string): boolean {
  return !/^(section|topic|word) /.test(name);
}

/** The first folder of an address, as in `/sport/cup-final`; null without one. */
function sectionOf(url: string): string | null {
  const path = URL.parse(url)?.pathname ?? "/";
  const [first, ...rest] = path.split("/").filter((part) => part !== "");
  return first === undefined || rest.length === 0 || !/^\p{L}[\p{L}-]{1,30}$/u.test(decode(first))
    ? null
    : decode(first).toLowerCase();
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function wordsOf(title: string): string[] {
  const words = title.toLowerCase().match(/\p{L}+/gu) ?? [];
  return [...new Set(words.filter((word) => [...word].length >= wordLetters))];
}

/** Learns from a history which categories can be told from the rest, at most the 40 most frequent, by name. */
export function knownCategories(history: NudgeFacts[]): Category[] {
  const counts = new Map<string, number>();
  for (const facts of history) for (const name of categoriesOf(facts)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= nudgesNeeded && history.length - count >= nudgesNeeded)
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, categoriesAtMost)
    .map(([name, count]) => ({ name, share: count / history.length }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Turns a notification into one number for each category, each drawn to a mean of zero, so that the intercept is the
 * mean.
 */
export function encode(known: Category[], facts: NudgeFacts): number[] {
  const has = new Set(categoriesOf(facts));
  return known.map(({ name, share }) => (has.has(name) ? 1 : 0) - share);
}

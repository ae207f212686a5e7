/** The facts about a notification before it is sent. Hour and weekday: by the site's time zone; weekday 1 is Monday. */
export type NudgeFacts = {
  title: string;
  /** The URL of the story. */
  url: string;
  hasImage: boolean;
  topicIds: string[];
  hour: number;
  weekday: number;
  /** Hours since the site's last notification. Null: it is the first. */
  hoursSinceLast: number | null;
};

/** A category whose effect a history can show, such as `hour evening`, and the share of notifications that have it. */
export type Category = { name: string; share: number };

/**
 * How many notifications of the history must have a category, and how many must not, so that its effect can be told.
 */
const nudgesNeeded = 8;
/** The most categories of a model. With more, a fit takes long, and chance makes some of them look important. */
const categoriesAtMost = 40;
/** The fewest letters of a word that counts as a category. Shorter ones are mostly articles and prepositions. */
const wordLetters = 4;

/** Returns the categories of a notification. */
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

/** Returns whether a category means the same at every site. Sections, topics and words are specific to a site. */
export function isCommon(name: string): boolean {
  return !/^(section|topic|word) /.test(name);
}

/** Returns the first folder of an address such as `/sport/cup-final`. Returns null if there is none. */
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

/** Returns the categories whose effect a history can show: the 40 most frequent, sorted by name. */
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
 * Converts a notification to one number for each category. Each number has a mean of zero over the history, so that
 * the intercept is the mean.
 */
export function encode(known: Category[], facts: NudgeFacts): number[] {
  const has = new Set(categoriesOf(facts));
  return known.map(({ name, share }) => (has.has(name) ? 1 : 0) - share);
}

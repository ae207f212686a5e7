/** What is known of a nudge before it goes out. Hour and weekday by the site's clocks; weekday 1: Monday. */
export type NudgeFacts = {
  title: string;
  hasImage: boolean;
  topicIds: string[];
  hour: number;
  weekday: number;
  /** Since the site's last nudge. Null: it is the first. */
  hoursSinceLast: number | null;
};

/** A category needs so many nudges in the history, and so many outside it, to be told from the rest. */
const nudgesNeeded = 8;

/** The categories of a nudge, such as `hour evening`. */
export function categoriesOf({ title, hasImage, topicIds, hour, weekday, hoursSinceLast }: NudgeFacts): string[] {
  const length = [...title].length;
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
  ];
}

/** Turns the categories of a nudge into numbers: one for each that the history can tell from the rest. */
export type Encoder = (facts: NudgeFacts) => number[];

/** Learns from the history which categories there are. Each number is drawn to a mean of zero, so that the intercept is the mean. */
export function encoderOf(history: NudgeFacts[]): Encoder {
  const counts = new Map<string, number>();
  for (const facts of history) for (const name of categoriesOf(facts)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const known = [...counts]
    .filter(([, count]) => count >= nudgesNeeded && history.length - count >= nudgesNeeded)
    .map(([name, count]) => ({ name, share: count / history.length }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return (facts) => {
    const has = new Set(categoriesOf(facts));
    return known.map(({ name, share }) => (has.has(name) ? 1 : 0) - share);
  };
}

import patterns from "./style-patterns.json" with { type: "json" };

/** Faults of the old style in a page: occurrences by pattern, long sentences, and the number of its words. */
export type StyleCounts = { patterns: Record<string, number>; longSentences: string[]; words: number };

const longestSentence = 40;
const expressions = patterns.map(({ pattern }) => ({ pattern, expression: new RegExp(pattern, "gi") }));

/** Returns the sentences of a page, without code, tables and headings. Code marks stand for one word each. */
export function sentencesOf(page: string): string[] {
  const prose = page
    .replace(/^```.*?^```$/gms, "")
    .replace(/^(?:\||#|<).*$/gm, "")
    .replace(/`[^`]+`/g, "CODE")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*+/g, "");
  const paragraphs = prose.split(/\n\s*\n|\n(?=\s*(?:- |\d+\. ))/);
  return paragraphs
    .map((paragraph) =>
      paragraph
        .replace(/^\s*(?:- |\d+\. )/, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?:;])\s+(?=[A-Z“(])/))
    .filter((sentence) => sentence !== "");
}

/** Counts a page's faults of the old style. */
export function countStyle(page: string): StyleCounts {
  const sentences = sentencesOf(page);
  const counted = expressions.map(({ pattern, expression }) => {
    const found = sentences.flatMap((sentence) => [...sentence.matchAll(expression)]);
    return [pattern, found.length] as const;
  });
  return {
    patterns: Object.fromEntries(counted.filter(([, count]) => count > 0)),
    longSentences: sentences.filter((sentence) => sentence.split(" ").length > longestSentence),
    words: page.split(/\s+/).filter(Boolean).length,
  };
}

/**
 * The known faults of a page: how many of each pattern, and how many long sentences. A long page also has its number of
 * words.
 */
export type Known = { patterns?: Record<string, number>; longSentences?: number; words?: number };

/** The most words of a page, unless a larger number is known. */
const mostWords = 1_500;

/** Returns the counts that are worth recording. A page in the style of docs/style.md has none. */
export function knownOf({ patterns: found, longSentences, words }: StyleCounts): Known {
  return {
    ...(Object.keys(found).length > 0 && { patterns: found }),
    ...(longSentences.length > 0 && { longSentences: longSentences.length }),
    ...(words > mostWords && { words: Math.ceil(words / 100) * 100 }),
  };
}

/** Returns a line for each fault of a page beyond the known ones. The line says what is better. */
export function newFaults(page: string, counts: StyleCounts, known: Known = {}): string[] {
  const byPattern = patterns
    .filter(({ pattern }) => (counts.patterns[pattern] ?? 0) > (known.patterns?.[pattern] ?? 0))
    .map(({ pattern, better }) => `${page}: ${counts.patterns[pattern]} × /${pattern}/; better: ${better}`);
  const tooLong = counts.longSentences.length > (known.longSentences ?? 0) ? counts.longSentences : [];
  const bySentence = tooLong.map((text) => `${page}: over ${longestSentence} words: ${text.slice(0, 80)}…`);
  const most = known.words ?? mostWords;
  const byWords = counts.words > most ? [`${page}: ${counts.words} words; at most ${most}`] : [];
  return [...byPattern, ...bySentence, ...byWords];
}

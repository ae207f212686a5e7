/** Returns the pattern that matches a sentence. Its parts that differ, `{1}`, `{2}` …, are groups of the pattern. */
export function patternOf(sentence: string): RegExp {
  const parts = sentence.split(/\{\d\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("(.*?)")}$`, "s");
}

/** Returns the pattern of a sentence with parts that differ, `{1}`, `{2}` …, which are its groups. */
export function patternOf(sentence: string): RegExp {
  const parts = sentence.split(/\{\d\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("(.*?)")}$`, "s");
}

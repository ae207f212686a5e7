/** Counts Unicode code points, the unit of the limits of title and body. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Returns `text` if it has at most `limit` code points, else its beginning and an ellipsis. Cuts between words, and at
 * Unicode word boundaries in scripts without spaces. Cuts within a word only if it is too long, and never within a
 * grapheme.
 */
export function cutAtWord(text: string, limit: number): string {
  if (countCodePoints(text) <= limit) return text;
  const room = [...text].slice(0, limit - 1).join("");
  const space = text.charAt(room.length) === " " ? room.length : room.lastIndexOf(" ");
  const kept = space >= room.length * 0.7 ? room.slice(0, space) : wholeParts(text, room.length, room);
  return `${kept.replace(/[\s,;:–—-]+$/u, "")}…`;
}

/**
 * Returns the whole words that fit into the first `units` UTF-16 units, or whole graphemes if the words fill less than
 * half of them. Returns `fallback` if graphemes fill less than half too.
 */
function wholeParts(text: string, units: number, fallback: string): string {
  // A little more than `units`, so that the last part is complete, but never the whole of a hostile text.
  const near = text.slice(0, units + 100);
  for (const granularity of ["word", "grapheme"] as const) {
    let end = 0;
    for (const { index, segment } of new Intl.Segmenter(undefined, { granularity }).segment(near)) {
      if (index + segment.length > units) break;
      end = index + segment.length;
    }
    if (end >= units * 0.5) return text.slice(0, end);
  }
  return fallback;
}

/** Characters two columns wide: East Asian scripts, full-width forms and emoji. */
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** Estimates the columns that `text` takes in a line: 2 for a wide character, 0 for a combining mark, else 1. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of text) width += /[\p{Mn}\p{Me}\p{Cf}]/u.test(char) ? 0 : wide.test(char) ? 2 : 1;
  return width;
}

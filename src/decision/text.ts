/** Line breaks and tabs part words. Other controls, and what changes the direction of the text after it, only deceive. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const deceivers = /[\p{Cc}\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/**
 * A line of text as it is stored, counted and shown: NFC, one line, trimmed, without control and bidi-override
 * characters. Lone surrogates become U+FFFD. Spaces inside stay as they are.
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(breaks, " ").replace(deceivers, "").normalize("NFC").trim();
}

/** How many Unicode code points `text` has: what the limits of title and body count. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * `text` if it has at most `limit` code points, else its beginning with … in the last place, cut between words.
 * Scripts without spaces are cut where Unicode sees a word's end; an endless word is cut inside, never inside a letter.
 */
export function cutAtWord(text: string, limit: number): string {
  if (countCodePoints(text) <= limit) return text;
  const room = [...text].slice(0, limit - 1).join("");
  const space = text.charAt(room.length) === " " ? room.length : room.lastIndexOf(" ");
  const kept = space >= room.length * 0.7 ? room.slice(0, space) : wholeParts(text, room.length, room);
  return `${kept.replace(/[\s,;:–—-]+$/u, "")}…`;
}

/** The whole words, or else letters as a reader sees them, that fit into the first `units` UTF-16 units. */
function wholeParts(text: string, units: number, otherwise: string): string {
  // A little more than the room, so that the last part is seen whole; never the whole of a hostile text.
  const near = text.slice(0, units + 100);
  for (const granularity of ["word", "grapheme"] as const) {
    let end = 0;
    for (const { index, segment } of new Intl.Segmenter(undefined, { granularity }).segment(near)) {
      if (index + segment.length > units) break;
      end = index + segment.length;
    }
    if (end >= units * 0.5) return text.slice(0, end);
  }
  return otherwise;
}

/** Letters that take the place of two: East Asian scripts, full-width forms and emoji. */
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** About how many columns `text` takes in a line: a wide letter two, an accent of its own none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += /[\p{Mn}\p{Me}\p{Cf}]/u.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
  return width;
}

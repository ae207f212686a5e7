/**
 * A time that was taken out of a text. `ms`: ms since midnight, or null if there is no such time. `rest`: the text
 * with a mark in place of the time.
 */
export type TakenTime = { ms: number | null; rest: string };

/** The mark in place of a part that was taken out. It is no character of a date. */
export const taken = "\u0001";

const second = "\\d{1,2}(?:[.,]\\d{1,9})?";
const lead = "(?:(?<![\\p{L}])(?:at|um|kl|klo|kello|à|a las|às|alle|alle ore|ore|om|o|godz|v|в|о|об|στις|saat)\\.? )?";

/**
 * Creates a reader of times such as "15:04", "3:04:05.678 p.m.", "at 15:04", "10h30", "11.41 Uhr", "kl. 10.30", "10
 * a.m." and "上午10时30分", and of times with an extra ":00". The reader returns null if the text has no time. `halves`: a
 * pattern of the words for the halves of the day.
 */
export function createTimeReader(halves: string): (text: string) => TakenTime | null {
  const after = `(?: ?${halves}(?!\\p{L}))?`;
  const before = `(?:(?<!\\p{L})${halves} ?)?`;
  const patterns = [
    `${lead}(?<![\\d:+-])${before}t?(?<hour>\\d{1,2}):(?<minute>\\d{1,2})(?::(?<second>${second}))?(?::00(?![\\d:]))?`,
    `${lead}(?<![\\d:+.-])${before}(?<hour>\\d{1,2}) ?[時时點点시] ?(?:(?<minute>\\d{1,2}) ?[分분])? ?(?:(?<second>\\d{1,2}) ?[秒초])?`,
    `${lead}(?<![\\d:+.-])(?<hour>\\d{1,2}) ?h(?: ?(?<minute>\\d\\d)(?!\\d)(?: ?min)?)?(?!\\p{L})`,
    `(?<![\\d.])(?<hour>\\d{1,2})\\.(?<minute>\\d\\d)(?= uhr(?!\\p{L}))`,
    `(?<!\\p{L})(?:kl|klo|kello|alle|ore|alle ore|um|godz)\\.? (?<hour>\\d{1,2})\\.(?<minute>\\d\\d)(?![\\d.])`,
    `${lead}(?<![\\d:+./-])(?<hour>\\d{1,2})(?= ?${halves}(?!\\p{L}))`,
  ].map((pattern) => new RegExp(pattern + after.replaceAll("<am>", "<am2>").replaceAll("<pm>", "<pm2>"), "u"));
  return (text) => {
    for (const pattern of patterns) {
      const found = pattern.exec(text);
      if (found !== null) return takeOut(text, found);
    }
    return null;
  };
}

function takeOut(text: string, found: RegExpExecArray): TakenTime {
  const { hour = "", minute = "0", second: seconds = "0", am, pm, am2, pm2 } = found.groups!;
  const half = am !== undefined || am2 !== undefined ? "am" : pm !== undefined || pm2 !== undefined ? "pm" : null;
  const rest = `${text.slice(0, found.index)} ${taken} ${text.slice(found.index + found[0].length)}`;
  return {
    ms: msOf({ hour: Number(hour), minute: Number(minute), second: Number(seconds.replace(",", ".")), half }),
    rest,
  };
}

/** Returns the ms since midnight, or null if there is no such time. */
export function msOf(time: { hour: number; minute: number; second: number; half: "am" | "pm" | null }): number | null {
  const { hour, minute, second: seconds, half } = time;
  // Some write 15:04 PM, so PM does not change such an hour.
  const hours = half === null || hour > 12 ? hour : (hour % 12) + (half === "pm" ? 12 : 0);
  if (hours > 24 || minute > 59 || seconds >= 61) return null;
  return Math.floor(((hours * 60 + minute) * 60 + seconds) * 1_000);
}

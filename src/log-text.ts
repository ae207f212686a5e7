/** The word at the start of a line, by pino's number of its level. Info, the usual level, has none. */
const levelWords: Record<number, string> = { 10: "trace", 20: "debug", 40: "warning", 50: "error", 60: "fatal" };
const errorLevel = 50;

type Line = {
  level: number;
  time: string;
  msg?: string;
  err?: { type?: string; message?: string; code?: string; stack?: string };
};

/**
 * Converts a line of the log, one JSON object, to text for people: local time of day, level, message, and then the
 * other fields as `name=value`. The reason of an error follows the message. If the line is an error, its stack follows
 * on further lines. Invisible characters are escaped, so that a stranger's text cannot control the terminal or reorder
 * text.
 */
export function textOfLine(json: string): string {
  const { level, time, msg = "", err, ...fields } = JSON.parse(json) as Line;
  const clock = new Date(time).toLocaleTimeString("sv");
  const word = levelWords[level];
  // The error of a host with several addresses that all refuse the connection has a code, but no message.
  const reason = err?.message || err?.code || err?.type;
  const said = [msg, reason].filter((text) => text !== undefined && text !== "").join(": ");
  const named = Object.entries(fields).map(([name, value]) => ` ${name}=${valueText(value)}`);
  const stack = level >= errorLevel ? (err?.stack?.split("\n").slice(1) ?? []) : [];
  const first = `${clock} ${word === undefined ? "" : `${word}: `}${said}${named.length > 0 ? ` ${named.join("")}` : ""}`;
  return `${[first, ...stack].map(escapeUnseen).join("\n")}\n`;
}

/**
 * Escapes the invisible characters of a line, such as those that control a terminal or change the direction of text.
 */
export function escapeUnseen(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (unseen) => {
    const code = unseen.codePointAt(0)!;
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}

function valueText(value: unknown): string {
  return typeof value === "string" && !/\s/.test(value) ? value : JSON.stringify(value);
}

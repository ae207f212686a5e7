/** What a line says first, by pino's number of its level; info, the usual one, says nothing. */
const levelWords: Record<number, string> = { 10: "trace", 20: "debug", 40: "warning", 50: "error", 60: "fatal" };
const errorLevel = 50;

type Line = {
  level: number;
  time: string;
  msg?: string;
  err?: { type?: string; message?: string; code?: string; stack?: string };
};

/**
 * Turns a line of the log, one JSON object, into text for people: time of day here, level, message, then the other fields
 * as `name=value`. An error's reason follows the message; its stack follows on further lines if the line is an error.
 * Characters that are not seen are escaped: a stranger's text must not steer the terminal, nor turn its order.
 */
export function textOfLine(json: string): string {
  const { level, time, msg = "", err, ...fields } = JSON.parse(json) as Line;
  const clock = new Date(time).toLocaleTimeString("sv");
  const word = levelWords[level];
  // That of several addresses that refuse a connection has a code, and no message.
  const reason = err?.message || err?.code || err?.type;
  const said = [msg, reason].filter((text) => text !== undefined && text !== "").join(": ");
  const named = Object.entries(fields).map(([name, value]) => ` ${name}=${valueText(value)}`);
  const stack = level >= errorLevel ? (err?.stack?.split("\n").slice(1) ?? []) : [];
  const first = `${clock} ${word === undefined ? "" : `${word}: `}${said}${named.length > 0 ? ` ${named.join("")}` : ""}`;
  return `${[first, ...stack].map(escapeUnseen).join("\n")}\n`;
}

/** Escapes the characters of a line that are not seen, such as those that steer a terminal or turn the order of a text. */
export function escapeUnseen(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (unseen) => {
    const code = unseen.codePointAt(0)!;
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}

function valueText(value: unknown): string {
  return typeof value === "string" && !/\s/.test(value) ? value : JSON.stringify(value);
}

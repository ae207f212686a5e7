import fs from "node:fs";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { runWords } from "../../src/run-words.ts";
import type { Printed } from "./run-command.ts";

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `pressbell WORDS` as src/main.ts does, but in this process, because a process of its own (run-command.ts) takes
 * a second of CPU. The environment has only these settings, and standard input is `input`. Commands that are called
 * together run one after another.
 */
export function runHere(
  words: string[],
  settings: Record<string, string>,
  { input = "" }: { input?: string } = {},
): Promise<Printed> {
  const printed = last.then(() => runNow(words, settings, input));
  last = printed.catch(() => {});
  return printed;
}

async function runNow(words: string[], settings: Record<string, string>, input: string): Promise<Printed> {
  const printed = { out: "", err: "" };
  const environment = { LOG_FORMAT: "json", ...settings };
  const restore = takeStreams(input, (stream, text) => {
    printed[stream] += text;
  });
  try {
    const failure = await runWords(words, { environment, waitForStop: () => new Promise(() => {}) });
    // The log may still have to write its last lines.
    await setImmediate();
    printed.err += failure?.text ?? "";
    return { code: failure?.exitCode ?? Number(process.exitCode ?? 0), ...printed };
  } finally {
    restore();
  }
}

/**
 * Catches the text that is written to the standard streams of this process, and the log's text for their descriptors.
 * Returns a function that restores the streams.
 */
function takeStreams(input: string, onText: (stream: "out" | "err", text: string) => void): () => void {
  const { stdin, exitCode } = process;
  const { write, writeSync } = fs;
  const giveBack = [
    take(process.stdout, (text) => onText("out", text)),
    take(process.stderr, (text) => onText("err", text)),
  ];
  Object.defineProperty(process, "stdin", { configurable: true, value: Readable.from([input]) });
  fs.writeSync = ((file: number, text: string, ...rest: []) => {
    if (file !== 1 && file !== 2) return writeSync(file, text, ...rest);
    onText(file === 1 ? "out" : "err", text);
    return Buffer.byteLength(text);
  }) as typeof writeSync;
  fs.write = ((file: number, text: string, ...rest: [BufferEncoding, () => void]) => {
    if (file !== 1 && file !== 2) return (write as (...all: unknown[]) => void)(file, text, ...rest);
    onText(file === 1 ? "out" : "err", text);
    process.nextTick(rest.at(-1) as () => void, null, Buffer.byteLength(text));
  }) as unknown as typeof write;
  process.exitCode = undefined;
  return () => {
    for (const give of giveBack) give();
    Object.defineProperty(process, "stdin", { configurable: true, value: stdin });
    Object.assign(fs, { write, writeSync });
    process.exitCode = exitCode;
  };
}

/** Sends the text that is written to a stream to `onText`, until the returned function is called. */
function take(stream: NodeJS.WriteStream, onText: (text: string) => void): () => void {
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    onText(Buffer.from(chunk as string).toString());
    const onWritten = rest.at(-1);
    if (typeof onWritten === "function") process.nextTick(onWritten as () => void);
    return true;
  };
  return () => {
    stream.write = write;
  };
}

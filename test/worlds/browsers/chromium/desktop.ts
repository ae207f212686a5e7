import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Nudge } from "../browser.ts";

const daemon = new URL("desktop.py", import.meta.url).pathname;
const busConfig = new URL("session-bus.conf", import.meta.url).pathname;

/** Debian's own Python, for which its packages of D-Bus are made. */
const python = "/usr/bin/python3";

/** A desktop on which Chromium shows its nudges: a session bus of its own with a notification daemon. */
export type Desktop = {
  /** DBUS_SESSION_BUS_ADDRESS of programs that are to show their nudges here. */
  busAddress: string;
  nudges(): Promise<Nudge[]>;
  click(title: string): Promise<void>;
  dismiss(title: string): Promise<void>;
  close(): Promise<void>;
};

type Shown = Nudge & { id: number };

/** Whether this machine has what a desktop is made of. */
export function hasDesktop(): boolean {
  const bus = spawnSync("dbus-run-session", ["--version"]);
  const bindings = spawnSync(python, ["-c", "import dbus, gi"]);
  return bus.status === 0 && bindings.status === 0;
}

/** Starts a desktop. dbus-run-session ends the bus with the daemon, and the daemon ends when its stdin closes. */
export async function startDesktop(): Promise<Desktop> {
  const script = 'echo "$DBUS_SESSION_BUS_ADDRESS"; exec "$0" "$1"';
  const child = spawn(
    "dbus-run-session",
    [`--config-file=${busConfig}`, "--", "/bin/sh", "-c", script, python, daemon],
    {
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    },
  );
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const nextLine = linesOf(child, () => complaints);
  const busAddress = await nextLine();
  await nextLine();
  let last: Promise<unknown> = Promise.resolve();
  const ask = <T>(words: object): Promise<T> => {
    const answer = last.then(async () => {
      child.stdin!.write(`${JSON.stringify(words)}\n`);
      return JSON.parse(await nextLine()) as T;
    });
    last = answer;
    return answer;
  };
  const list = () => ask<Shown[]>({ do: "list" });
  const press = async (title: string, how: "click" | "dismiss"): Promise<void> => {
    const shown = (await list()).find((nudge) => nudge.title === title);
    if (!shown || !(await ask({ do: how, id: shown.id }))) throw new Error(`no nudge says ${title}`);
  };
  return {
    busAddress,
    // Chromium writes the origin over the text, in a paragraph of its own.
    nudges: async () => (await list()).map(({ title, body }) => ({ title, body: body.replace(/^[^\n]*\n\n/, "") })),
    click: (title) => press(title, "click"),
    dismiss: (title) => press(title, "dismiss"),
    async close() {
      const ended = once(child, "close");
      child.stdin!.end();
      await ended;
    },
  };
}

function linesOf(child: ChildProcess, complaints: () => string): () => Promise<string> {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the desktop has ended: ${complaints()}`);
    return value;
  };
}

import { type FileHandle, open, readFile, rename, writeFile } from "node:fs/promises";
import type { Post } from "./mapping.ts";

/** A post that waits to be sent. `receivedMs`: milliseconds since 1970. */
export type Job = Post & { receivedMs: number };

/** A file of the jobs that were taken and are not yet done. A webhook is answered once its job is on the disk. */
export type Journal = {
  pending: ReadonlyMap<string, Job>;
  /** Resolves when the job is on the disk. Returns false if the journal already has a job of the same post. */
  add(job: Job): Promise<boolean>;
  /** Records that a job is done or given up. */
  end(id: string): Promise<void>;
  close(): Promise<void>;
};

type Line = { add: Job } | { end: string };

/**
 * Opens the journal, and drops the jobs that are done from its file. A line that a crash has cut off belongs to a
 * webhook that was never answered.
 */
export async function openJournal(file: string): Promise<Journal> {
  const pending = await readPending(file);
  await writeFile(`${file}.new`, [...pending.values()].map((job) => lineOf({ add: job })).join(""), {
    mode: 0o600,
    flush: true,
  });
  await rename(`${file}.new`, file);
  const handle = await open(file, "a", 0o600);
  const adding = new Map<string, Promise<void>>();
  let last: Promise<unknown> = Promise.resolve();
  const append = (line: Line) => {
    const written = last.then(() => write(handle, line));
    last = written.catch(() => {});
    return written;
  };
  return {
    pending,
    async add(job) {
      const earlier = adding.get(job.id);
      if (earlier !== undefined) await earlier;
      if (pending.has(job.id)) return false;
      const written = append({ add: job }).finally(() => adding.delete(job.id));
      adding.set(job.id, written);
      await written;
      pending.set(job.id, job);
      return true;
    },
    async end(id) {
      pending.delete(id);
      await append({ end: id });
    },
    close: () => last.then(() => handle.close()),
  };
}

async function write(handle: FileHandle, line: Line): Promise<void> {
  await handle.appendFile(lineOf(line));
  await handle.datasync();
}

/** The line begins with a line break, so that a line cut off by a crash or a full disk does not spoil the next one. */
function lineOf(line: Line): string {
  return `\n${JSON.stringify(line)}\n`;
}

async function readPending(file: string): Promise<Map<string, Job>> {
  const pending = new Map<string, Job>();
  for (const text of (await readIfThere(file)).split("\n")) {
    const line = parse(text);
    if (line === undefined) continue;
    if ("add" in line) pending.set(line.add.id, line.add);
    else pending.delete(line.end);
  }
  return pending;
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function parse(text: string): Line | undefined {
  try {
    return text === "" ? undefined : (JSON.parse(text) as Line);
  } catch {
    return undefined;
  }
}

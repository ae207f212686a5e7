import { afterFile } from "./cleanup.ts";
import { type ServiceProcess, spawnProcess } from "./spawn-process.ts";

export type { ServiceProcess } from "./spawn-process.ts";

/** Starts a command in a process of its own; whatever is left of it is killed after the file's last test. */
export function startProcess(words: string[], settings: Record<string, string>): ServiceProcess {
  const service = spawnProcess(words, settings);
  afterFile(() => {
    service.process.kill("SIGKILL");
    return service.ended;
  });
  return service;
}

/** Starts `start` or `api` on a free port and returns it with its URL once it listens. */
export async function startService(
  word: "start" | "api",
  settings: Record<string, string>,
): Promise<ServiceProcess & { url: string }> {
  const service = startProcess([word], { PORT: "0", ...settings });
  const [, url] = await service.printed(/listens on (http:\/\/[\d.:]+)/);
  return { ...service, url: url! };
}

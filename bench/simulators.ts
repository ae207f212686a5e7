import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Simulator, startSimulator } from "../demo/simulator.ts";
import type { PushService } from "./push-service.ts";

/**
 * Starts the push-service simulator of the tests, one process per origin. It uses more CPU than nginx, but checks each
 * request.
 */
export async function startSimulators(
  options: { origins: number; rttMs: number },
  folder: string,
): Promise<PushService> {
  const simulators: Simulator[] = [];
  for (let i = 0; i < options.origins; i++)
    simulators.push(await startSimulator(["--answer-delay-ms", String(options.rttMs)]));
  const caFile = join(folder, "simulators.pem");
  await writeFile(caFile, (await Promise.all(simulators.map((each) => readFile(each.caFile, "utf8")))).join("\n"));
  return {
    name: "the simulator of test/fixtures",
    origins: simulators.map((each) => each.origin),
    caFile,
    pids: simulators.map((each) => each.pid),
    async received() {
      const stats = await Promise.all(simulators.map((each) => each.stats()));
      return stats.reduce((sum, { accepted }) => sum + accepted, 0);
    },
    async writeSubscriptions(count, file) {
      await writeFile(file, "");
      for (const [i, simulator] of simulators.entries()) {
        const share = Math.floor((count + i) / simulators.length);
        await simulator.writeSubscriptions(share, `${file}.part`);
        await appendFile(file, await readFile(`${file}.part`));
      }
    },
    async stop() {
      for (const simulator of simulators) await simulator.stop();
    },
  };
}

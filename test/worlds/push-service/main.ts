import { parseArgs } from "node:util";
import { startControl } from "./control.ts";
import { type PushServiceOptions, startPushService } from "./push-service.ts";

/*
 * The simulator as a process of its own:
 *   node main.ts [--port N] [--ca-file F] [--answer-delay-ms N] [--max-concurrent-streams N] [--end-with-stdin]
 * Prints one JSON line { origin, caFile, control } when it is ready. Ends on SIGTERM and SIGINT and, with
 * --end-with-stdin, when its stdin closes: a parent that is killed leaves nothing behind.
 */
const { values } = parseArgs({
  options: {
    port: { type: "string" },
    "ca-file": { type: "string" },
    "answer-delay-ms": { type: "string" },
    "max-concurrent-streams": { type: "string" },
    "end-with-stdin": { type: "boolean" },
  },
});

const options: PushServiceOptions = {
  ...(values.port && { port: Number(values.port) }),
  ...(values["ca-file"] && { caFile: values["ca-file"] }),
  ...(values["answer-delay-ms"] && { answerDelayMs: Number(values["answer-delay-ms"]) }),
  ...(values["max-concurrent-streams"] && { maxConcurrentStreams: Number(values["max-concurrent-streams"]) }),
};
const service = await startPushService(options);
const control = await startControl(service);

async function end(): Promise<void> {
  control.close();
  await service.close();
  process.exit(0);
}
process.once("SIGTERM", end);
process.once("SIGINT", end);
if (values["end-with-stdin"]) process.stdin.resume().once("close", end);

const { origin, caFile } = service;
process.stdout.write(`${JSON.stringify({ origin, caFile, control: control.url })}\n`);

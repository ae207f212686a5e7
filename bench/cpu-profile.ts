import { readFile } from "node:fs/promises";

/** A V8 CPU profile: a tree of frames, the frame of each sample, and the times between samples in µs. */
type CpuProfile = {
  nodes: { id: number; callFrame: Frame; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
};

type Frame = { functionName: string; url: string };

/**
 * The steps of encryption in JavaScript, by a function of delivery/crypto/encrypt.ts, or a Node.js function that it
 * calls.
 */
const encryption = new Map([
  ["generateKeys", "encryption: a key pair for each message"],
  ["agree", "encryption: the shared secret"],
  ["hmac", "encryption: five HMACs"],
]);

/** The step of a frame, by its file. A stack is searched from the innermost frame outwards. */
const stepOfFile: [RegExp, string][] = [
  [/\/src\/delivery\/crypto\/native-encryptor\.ts/, "encryption: the native helper"],
  [/\/src\/delivery\/worker\/messages\.ts|\/src\/runs\/message-token\.ts/, "payload and signed token"],
  [/\/src\/egress\//, "HTTP/2: frames, headers, answers"],
  [/\/src\/db\/|node_modules\/(pg|pg-[a-z-]+|kysely|postgres-[a-z]+)\//, "database: driver and SQL building"],
  [/\/src\/(delivery|runs|subscribers)\//, "batches, intents, pacing, outcomes"],
  [/^node:(_?tls|net|internal\/(js_)?stream|internal\/streams|_?stream|events)/, "sockets and TLS in Node.js"],
];

const outside = new Map([
  ["(idle)", "idle"],
  ["(garbage collector)", "garbage collection"],
  ["(program)", "outside JavaScript"],
]);

/** Reads a profile and returns its self time by step, in µs. */
export async function stepsOfProfile(file: string): Promise<Map<string, number>> {
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(file, "utf8")) as CpuProfile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stepById = new Map<number, string>();
  const walk = (id: number, above: Frame[]): void => {
    const { callFrame, children = [] } = byId.get(id)!;
    const stack = [callFrame, ...above];
    stepById.set(id, stepOf(stack));
    for (const child of children) walk(child, stack);
  };
  walk(nodes[0]!.id, []);
  const steps = new Map<string, number>();
  samples.forEach((id, i) => {
    const step = stepById.get(id)!;
    steps.set(step, (steps.get(step) ?? 0) + timeDeltas[i]!);
  });
  return steps;
}

/** Returns the step of a stack whose innermost frame comes first. */
function stepOf(stack: Frame[]): string {
  const known = outside.get(stack[0]!.functionName);
  if (known !== undefined) return known;
  const encrypting = stack.findIndex(({ url }) => url.endsWith("/delivery/crypto/encrypt.ts"));
  if (encrypting >= 0) {
    const within = stack.slice(0, encrypting + 1).find(({ functionName }) => encryption.has(functionName));
    return encryption.get(within?.functionName ?? "") ?? "encryption: AES-GCM and the rest";
  }
  for (const { url } of stack) {
    const step = stepOfFile.find(([file]) => file.test(url))?.[1];
    if (step !== undefined) return step;
  }
  return "the rest of Node.js";
}

/** The bytes of HTTP/2, written plainly for peers of tests (RFC 9113 section 4, RFC 7541 section 6). */

export const frameTypes = {
  data: 0,
  headers: 1,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const frameFlags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

export const settingIds = {
  headerTableSize: 1,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
} as const;

export type PeerSettings = { [name in keyof typeof settingIds]?: number };

export type Frame = { type: number; flags: number; id: number; payload: Buffer };

export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export function frame(type: number, flags: number, id: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}

export function uint32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
}

export function settingsPayload(settings: PeerSettings): Buffer {
  const entries = Object.entries(settings) as [keyof PeerSettings, number][];
  return Buffer.concat(
    entries.map(([name, value]) => {
      const entry = Buffer.alloc(6);
      entry.writeUInt16BE(settingIds[name], 0);
      entry.writeUInt32BE(value, 2);
      return entry;
    }),
  );
}

/** Literals without indexing and without Huffman. */
export function headerBlock(headers: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(headers)) {
    parts.push(Buffer.from([0]), literal(name), literal(value));
  }
  return Buffer.concat(parts);
}

/** Hands over each whole frame of a stream of bytes that comes in pieces. */
export function frameReader(onFrame: (frame: Frame) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 9) {
      const end = 9 + rest.readUIntBE(0, 3);
      if (rest.length < end) return;
      const whole = rest.subarray(0, end);
      rest = rest.subarray(end);
      onFrame({
        type: whole[3]!,
        flags: whole[4]!,
        id: whole.readUInt32BE(5) & 0x7fffffff,
        payload: whole.subarray(9),
      });
    }
  };
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([prefixed7(bytes.length), bytes]);
}

function prefixed7(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

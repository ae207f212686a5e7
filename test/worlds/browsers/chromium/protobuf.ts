/** One field of a message: bytes (also of text and of a message within), a varint, or a fixed64 as 8 bytes. */
export type Field = { number: number; value: Buffer | bigint };

const wireTypes = { varint: 0, fixed64: 1, bytes: 2 };

/** Writes a protobuf message: [number, value] pairs, where text and buffers are length-delimited. */
export function encode(fields: [number, Buffer | string | number | bigint][]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === "number" || typeof value === "bigint") {
        return [varint((number << 3) | wireTypes.varint), varint(value)];
      }
      const bytes = Buffer.from(value);
      return [varint((number << 3) | wireTypes.bytes), varint(bytes.length), bytes];
    }),
  );
}

/** A field of type fixed64. */
export function fixed64(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varint((number << 3) | wireTypes.fixed64), bytes]);
}

/** Reads the fields of a message, in their order. Throws on what it does not know. */
export function decode(message: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at)!;
    at = tag.end;
    const number = Number(tag.value >> 3n);
    const wireType = Number(tag.value & 7n);
    if (wireType === wireTypes.varint) {
      const { value, end } = readVarint(message, at)!;
      fields.push({ number, value });
      at = end;
    } else if (wireType === wireTypes.fixed64) {
      fields.push({ number, value: message.subarray(at, at + 8) });
      at += 8;
    } else if (wireType === wireTypes.bytes) {
      const { value: length, end } = readVarint(message, at)!;
      fields.push({ number, value: message.subarray(end, end + Number(length)) });
      at = end + Number(length);
    } else throw new Error(`wire type ${wireType} is not read here`);
  }
  return fields;
}

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  while (rest >= 128n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

/** The varint at `at` and where it ends; undefined while its last byte has not come. */
export function readVarint(from: Buffer, at: number): { value: bigint; end: number } | undefined {
  let value = 0n;
  for (let end = at; end < from.length; end++) {
    const byte = from[end]!;
    value |= BigInt(byte & 127) << BigInt(7 * (end - at));
    if (byte < 128) return { value, end: end + 1 };
  }
  return undefined;
}

/**
 * One whole message of PostgreSQL's protocol (version 3). `type` is its letter, or "" for the first message of a
 * connection.
 */
export type PostgresMessage = { type: string; bytes: Buffer };

/** Requests for TLS and GSS encryption. They come before the startup message and are answered with one byte. */
const encryptionRequests = new Set([80877103, 80877104]);

/**
 * Creates a reader that splits a stream of bytes into messages. With `fromClient` the first message has no letter.
 * `push` returns the messages that its bytes complete.
 */
export function createMessageReader(fromClient: boolean): { push(bytes: Buffer): PostgresMessage[] } {
  let rest: Buffer = Buffer.alloc(0);
  let isStarted = !fromClient;
  return {
    push(bytes) {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const messages: PostgresMessage[] = [];
      for (;;) {
        // The length includes itself but not the letter before it.
        const letter = isStarted ? 1 : 0;
        if (rest.length < letter + 4) return messages;
        const end = letter + rest.readUInt32BE(letter);
        if (rest.length < end) return messages;
        const message = { type: isStarted ? String.fromCharCode(rest[0]!) : "", bytes: rest.subarray(0, end) };
        if (message.type === "") {
          if (encryptionRequests.has(message.bytes.readUInt32BE(4))) throw new Error("the proxy speaks no TLS");
          isStarted = true;
        }
        messages.push(message);
        rest = rest.subarray(end);
      }
    },
  };
}

/**
 * Creates a reader for the messages of one connection's client. It returns the SQL that a message refers to: a simple
 * query (Q), a statement that is prepared (P), or a prepared one that is executed (B). It returns undefined for any
 * other message.
 */
export function createSqlReader(): (message: PostgresMessage) => string | undefined {
  const prepared = new Map<string, string>();
  return ({ type, bytes }) => {
    if (type === "Q") return bytes.toString("utf8", 5, bytes.length - 1);
    const [first, second] = type === "P" || type === "B" ? bytes.toString("utf8", 5).split("\0") : [];
    // A P has the name of the statement and its text. A B has the name of a portal and the name of the statement.
    if (type === "P") prepared.set(first!, second!);
    return type === "B" ? prepared.get(second!) : second;
  };
}

/** Returns the tag of a completed command, such as `COMMIT` or `UPDATE 1`; undefined for any other message. */
export function completedOf({ type, bytes }: PostgresMessage): string | undefined {
  return type === "C" ? bytes.toString("utf8", 5, bytes.length - 1) : undefined;
}

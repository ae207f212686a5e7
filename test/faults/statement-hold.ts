import type { Socket } from "node:net";
import type { PostgresMessage } from "./postgres-messages.ts";

/** Holds the next statement that matches `pattern`. `onHeld` then gets a function that releases it. */
export type Hold = { pattern: RegExp; onHeld(release: () => Promise<void>): void };

/** Holds a statement of one connection, like a network that delivers it late. */
export type StatementHolder = {
  /**
   * Returns whether a statement of the connection is held. Then the database's side lives longer than the service's.
   */
  isHolding(): boolean;
  /**
   * Looks at a message of the service, with the SQL that it refers to. Returns true if the message is held and must not
   * be forwarded.
   */
  holds(message: PostgresMessage, text: string | undefined): boolean;
  /** Looks at each message of the database. */
  see(message: PostgresMessage): void;
};

/** Creates the holder of the connection between `service` and `database`. It executes at most one of `holds`. */
export function createStatementHolder(service: Socket, database: Socket, holds: Set<Hold>): StatementHolder {
  const held: PostgresMessage[] = [];
  let hold: Hold | undefined;
  let onAnswer = () => {};

  async function release(): Promise<void> {
    const answered = new Promise<void>((resolve) => {
      onAnswer = resolve;
    });
    for (const { bytes } of held) database.write(bytes);
    await answered;
    database.destroy();
  }

  return {
    isHolding: () => hold !== undefined,
    holds(message, text) {
      if (hold === undefined) {
        hold = [...holds].find(({ pattern }) => text !== undefined && pattern.test(text));
        if (hold === undefined) return false;
        holds.delete(hold);
      }
      held.push(message);
      // A Sync ends the statement.
      if (message.type === "S") {
        service.resetAndDestroy();
        hold.onHeld(release);
      }
      return true;
    },
    see({ type }) {
      // The database is ready for the next statement.
      if (type === "Z") onAnswer();
    },
  };
}

import { type Command, print } from "./command.ts";

/** `openApp` migrates the schema before this command runs, which does nothing else. */
export const migrateOnly: Command = {
  words: ["migrate"],
  usage: "migrate\n      migrates the database schema, and does nothing else",
  schema: "migrate",
  options: { json: { type: "boolean" } },
  async run(_app, values) {
    print(values, { schema: "up to date" });
  },
};

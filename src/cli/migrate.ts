import { type Command, print } from "./command.ts";

/** The schema is brought up to date before any command runs; this one does only that. */
export const migrateOnly: Command = {
  words: ["migrate"],
  usage: "migrate\n      brings the schema up to date, and nothing else",
  makesDatabase: true,
  options: { json: { type: "boolean" } },
  async run(_app, values) {
    print(values, { schema: "up to date" });
  },
};

import { checkSchema, readMigrationState } from "../db/schema.ts";
import { type Command, print } from "./command.ts";

/** The command itself migrates nothing: `openApp` migrates the schema before the command runs. */
export const migrateOnly: Command = {
  words: ["migrate"],
  summary: "Migrate the database schema, or say what is to be applied",
  usage:
    "migrate [--check] [--json]\n" +
    "      migrates the database schema, and does nothing else; --check changes nothing: it says what is to be applied,\n" +
    "      with exit code 1 if anything is",
  schema: ({ check }) => (check === true ? "look" : "migrate"),
  options: { check: { type: "boolean" }, json: { type: "boolean" } },
  async run(app, values) {
    if (values.check !== true) return print(values, { schema: "up to date" });
    const state = await readMigrationState(app.db);
    if (checkSchema(state) === "up to date") return print(values, { schema: "up to date", pending: [] });
    const { pending } = state;
    // After a contract migration, processes of the former version refuse to start.
    const endsFormer = pending.some((name) => /^\d+-contract-/.test(name));
    print(values, { schema: state.isEmpty ? "empty" : "behind", pending, formerVersionMayRunOn: !endsFormer });
    process.exitCode = 1;
  },
};

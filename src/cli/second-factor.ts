import { removeSecondFactorOf } from "../access/second-factor/second-factor.ts";
import { type Command, print } from "./command.ts";

export const secondFactorRemove: Command = {
  words: ["second-factor", "remove"],
  summary: "Let a person sign in by password alone",
  usage:
    "second-factor remove --email EMAIL [--json]\n" +
    "      lets this person sign in by password alone: they have lost their app and the recovery codes",
  options: { email: { type: "string" }, json: { type: "boolean" } },
  required: ["email"],
  async run(app, values) {
    print(values, await removeSecondFactorOf(app, String(values.email)));
  },
};

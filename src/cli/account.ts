import { deleteAccountOf } from "../access/accounts/delete-account.ts";
import { type Command, print, UsageError } from "./command.ts";

export const accountDelete: Command = {
  words: ["account", "delete"],
  summary: "Delete a person's account, for good",
  usage:
    "account delete --email EMAIL --yes [--json]\n" +
    "      deletes the account of this person with memberships, sessions and drafts, for good; not of a publisher's only owner",
  options: { email: { type: "string" }, yes: { type: "boolean" }, json: { type: "boolean" } },
  required: ["email"],
  async run(app, values) {
    if (values.yes !== true) throw new UsageError("this deletes the person's account: say --yes");
    print(values, await deleteAccountOf(app, String(values.email)));
  },
};

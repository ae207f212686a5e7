import { resealSecondFactors } from "../access/second-factor/reseal-secrets.ts";
import { resealEmails } from "../mail/reseal-emails.ts";
import { resealVapidKeys } from "../tenants/vapid/reseal-keys.ts";
import { type Command, print } from "./command.ts";

export const secretsReseal: Command = {
  words: ["secrets", "reseal"],
  summary: "Seal all secrets with the newest key of SECRET_KEY",
  usage:
    "secrets reseal [--json]\n" +
    "      seals the sites' private keys, second factors and waiting e-mails with the first key of SECRET_KEY, the newest",
  options: { json: { type: "boolean" } },
  async run(app, values) {
    // One transaction, so that a failure leaves everything sealed as it was, and not an unknown part of it.
    const resealed = await app.db.transaction().execute(async (tx) => ({
      sites: await resealVapidKeys(tx, app.secrets),
      emails: await resealEmails(tx, app.secrets),
      secondFactors: await resealSecondFactors(tx, app.secrets),
    }));
    print(values, resealed);
  },
};

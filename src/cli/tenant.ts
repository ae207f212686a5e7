import { changeTenant } from "../tenants/tenants.ts";
import { type Command, print, readSwitch, withOptionNames } from "./command.ts";
import { operatorOfTenant } from "./operator.ts";
import { numberOrOff, readNumber } from "./site-reader-options.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const optionOfField = {
  ...{ name: "name", plan: "plan", confirmAbove: "confirm-above" },
  ...{ siteLimit: "site-limit", topicLimit: "topic-limit" },
};

export const tenantSet: Command = {
  words: ["tenant", "set"],
  summary: "Change a tenant: name, plan, pause, agreement, limits",
  usage:
    "tenant set --tenant ID [--name N] [--plan P] [--pause on|off] [--dpa on|off]\n      [--confirm-above N|off] [--site-limit N] [--topic-limit N] [--json]",
  options: {
    ...{ tenant: text, name: text, plan: text, pause: text, dpa: text, json: flag },
    ...{ "confirm-above": text, "site-limit": text, "topic-limit": text },
  },
  required: ["tenant"],
  async run(app, values) {
    const change = {
      name: values.name as string | undefined,
      plan: values.plan as string | undefined,
      paused: readSwitch(values, "pause"),
      dpaAccepted: readSwitch(values, "dpa"),
      confirmAbove: numberOrOff(values["confirm-above"]),
      siteLimit: readNumber(values["site-limit"]),
      topicLimit: readNumber(values["topic-limit"]),
    };
    const { actor } = await operatorOfTenant(app, values.tenant);
    const tenant = await withOptionNames(optionOfField, () => changeTenant(app, actor, change));
    print(values, {
      tenantId: tenant.id,
      name: tenant.name,
      plan: tenant.plan,
      paused: tenant.pausedAt !== null,
      dpaAccepted: tenant.dpaAcceptedAt !== null,
      confirmAbove: tenant.confirmAbove,
      siteLimit: tenant.siteLimit,
      topicLimit: tenant.topicLimit,
    });
  },
};

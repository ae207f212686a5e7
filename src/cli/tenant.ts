import { changeTenant } from "../tenants/tenants.ts";
import { type Command, print, readSwitch, withOptionNames } from "./command.ts";
import { operatorOfTenant } from "./operator.ts";
import { numberOrOff } from "./site-reader-options.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const tenantSet: Command = {
  words: ["tenant", "set"],
  usage:
    "tenant set --tenant ID [--name N] [--plan P] [--pause on|off] [--dpa on|off]\n      [--confirm-above N|off] [--json]",
  options: { tenant: text, name: text, plan: text, pause: text, dpa: text, "confirm-above": text, json: flag },
  required: ["tenant"],
  async run(app, values) {
    const change = {
      name: values.name as string | undefined,
      plan: values.plan as string | undefined,
      paused: readSwitch(values, "pause"),
      dpaAccepted: readSwitch(values, "dpa"),
      confirmAbove: numberOrOff(values["confirm-above"]),
    };
    const { actor } = await operatorOfTenant(app, values.tenant);
    const tenant = await withOptionNames({ name: "name", plan: "plan", confirmAbove: "confirm-above" }, () =>
      changeTenant(app, actor, change),
    );
    print(values, {
      tenantId: tenant.id,
      name: tenant.name,
      plan: tenant.plan,
      paused: tenant.pausedAt !== null,
      dpaAccepted: tenant.dpaAcceptedAt !== null,
      confirmAbove: tenant.confirmAbove,
    });
  },
};

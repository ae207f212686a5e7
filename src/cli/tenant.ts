import { changeProviderRole, readProviderRoles } from "../access/provider/roles.ts";
import { changeTenant } from "../tenants/tenants.ts";
import { type Command, print, readSwitch, UsageError, withOptionNames } from "./command.ts";
import { operatorOfTenant } from "./operator.ts";
import { numberOrOff, readNumber } from "./site-reader-options.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const optionOfField = {
  name: "name",
  plan: "plan",
  confirmAbove: "confirm-above",
  siteLimit: "site-limit",
  topicLimit: "topic-limit",
};

const tenantSet: Command = {
  words: ["tenant", "set"],
  summary: "Change a tenant: name, plan, pause, agreement, limits",
  usage:
    "tenant set --tenant ID [--name N] [--plan P] [--pause on|off] [--dpa on|off]\n      [--confirm-above N|off] [--second-factor on|off]\n      [--site-limit N] [--topic-limit N] [--json]",
  options: {
    tenant: text,
    name: text,
    plan: text,
    pause: text,
    dpa: text,
    json: flag,
    "confirm-above": text,
    "second-factor": text,
    "site-limit": text,
    "topic-limit": text,
  },
  required: ["tenant"],
  async run(app, values) {
    const change = {
      name: values.name as string | undefined,
      plan: values.plan as string | undefined,
      paused: readSwitch(values, "pause"),
      dpaAccepted: readSwitch(values, "dpa"),
      confirmAbove: numberOrOff(values["confirm-above"]),
      requiresSecondFactor: readSwitch(values, "second-factor"),
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
      requiresSecondFactor: tenant.requiresSecondFactor,
      siteLimit: tenant.siteLimit,
      topicLimit: tenant.topicLimit,
    });
  },
};

const tenantSignIn: Command = {
  words: ["tenant", "sign-in"],
  summary: "Show or set the roles that people get by single sign-on",
  usage:
    "tenant sign-in --tenant ID [(--group G | --everybody) --role owner|editor|viewer|none] [--json]\n" +
    "      shows the roles that groups at the OpenID Connect provider get, and sets one",
  options: { tenant: text, group: text, everybody: flag, role: text, json: flag },
  required: ["tenant"],
  async run(app, values) {
    const { actor } = await operatorOfTenant(app, values.tenant);
    const { group, everybody, role } = values;
    const isChange = group !== undefined || everybody !== undefined || role !== undefined;
    if (isChange && (role === undefined || (group === undefined) === (everybody === undefined))) {
      throw new UsageError("a change needs --role, and either --group or --everybody");
    }
    const rule = { group, role: role === "none" ? undefined : role };
    const roles = isChange ? await changeProviderRole(app, actor, { rule }) : await readProviderRoles(app, actor);
    print(values, { roles });
  },
};

export const tenantCommands = [tenantSet, tenantSignIn];

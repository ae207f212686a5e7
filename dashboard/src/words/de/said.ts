import type { said as english } from "../en/said.ts";
import { formatOf } from "../message-format.ts";
import { alerts } from "./messages/alerts.ts";
import { decision } from "./messages/decision.ts";
import { feeds } from "./messages/feeds.ts";
import { sending } from "./messages/sending.ts";

export const said: typeof english = { format: formatOf({ ...decision, ...feeds, ...sending, ...alerts }, "de") };

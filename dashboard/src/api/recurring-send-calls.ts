import type { RecurringSends } from "../../../src/recurring-sends/read-recurring-sends.ts";
import type { OccurrenceView, Outcome, RecurringSend } from "../../../src/recurring-sends/recurring-send.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

export type { OccurrenceView, Outcome, RecurringSend, RecurringSends };

/** The input of a new recurring send, and of a change. The service validates it. */
export type RecurringSendInput = Pick<RecurringSend, "days" | "time" | "feedId" | "topicId" | "enabled">;

const path = (tenantId: string, siteId: string) => `${tenantPath(tenantId)}/sites/${siteId}/recurring-sends`;

export const recurringSends = (tenantId: string, siteId: string, month: string) =>
  call<RecurringSends>("GET", `${path(tenantId, siteId)}?${new URLSearchParams({ month })}`);
export const addRecurringSend = (tenantId: string, siteId: string, body: RecurringSendInput) =>
  call<RecurringSend>("POST", path(tenantId, siteId), { body });
export const changeRecurringSend = (tenantId: string, siteId: string, id: string, body: Partial<RecurringSendInput>) =>
  call<RecurringSend>("PATCH", `${path(tenantId, siteId)}/${id}`, { body });
export const removeRecurringSend = (tenantId: string, siteId: string, id: string) =>
  call<undefined>("DELETE", `${path(tenantId, siteId)}/${id}`);

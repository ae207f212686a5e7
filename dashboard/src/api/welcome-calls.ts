import type { readWelcomeFigures } from "../../../src/automations/welcome/change-welcome.ts";
import type { Welcome, WelcomeStep } from "../../../src/automations/welcome/welcome.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

export type { Welcome };

/** A step as it is typed. `afterDays` null: the field is empty, which the service refuses. */
export type StepInput = Omit<WelcomeStep, "afterDays"> & { afterDays: number | null };
export type WelcomeInput = { enabled: boolean; steps: StepInput[] };

const path = (tenantId: string, siteId: string) => `${tenantPath(tenantId)}/sites/${siteId}/welcome`;

export const welcome = (tenantId: string, siteId: string) => call<Welcome>("GET", path(tenantId, siteId));
export const changeWelcome = (tenantId: string, siteId: string, body: WelcomeInput) =>
  call<Welcome>("PATCH", path(tenantId, siteId), { body });
export const welcomeFigures = (tenantId: string, siteId: string) =>
  call<Awaited<ReturnType<typeof readWelcomeFigures>>>("GET", `${path(tenantId, siteId)}/figures`);

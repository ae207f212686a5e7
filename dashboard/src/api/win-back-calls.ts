import type { WinBack, WinBackFigures } from "../../../src/automations/win-back/win-back.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

/** A win-back as it is typed. `afterDays` null: the field is empty, which the service refuses. */
export type WinBackInput = Omit<WinBack, "afterDays"> & { afterDays: number | null };

const path = (tenantId: string, siteId: string) => `${tenantPath(tenantId)}/sites/${siteId}/win-back`;

export const winBack = (tenantId: string, siteId: string) => call<WinBack>("GET", path(tenantId, siteId));
export const changeWinBack = (tenantId: string, siteId: string, body: WinBackInput) =>
  call<WinBack>("PATCH", path(tenantId, siteId), { body });
export const winBackFigures = (tenantId: string, siteId: string) =>
  call<WinBackFigures>("GET", `${path(tenantId, siteId)}/figures`);

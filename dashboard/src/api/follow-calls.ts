import type { endFollowedKey, listFollowedKeys } from "../../../src/subscribers/follows/followed-keys.ts";
import { tenantPath } from "./address.ts";
import type { AnswerOf } from "./calls.ts";
import { call } from "./client.ts";

const pathOf = (tenantId: string, siteId: string, query: Record<string, string>) =>
  `${tenantPath(tenantId)}/sites/${siteId}/follows?${new URLSearchParams(query)}`;

/** The most followed ids that are shown at once. A person searches for others. */
export const shownKeys = 12;

/** Reads what the readers of a site follow, the most followed first. `search`: only ids that contain it. */
export const followedKeys = (tenantId: string, siteId: string, search: string) =>
  call<AnswerOf<typeof listFollowedKeys>>("GET", pathOf(tenantId, siteId, { search, limit: String(shownKeys) }));
export const endFollows = (tenantId: string, siteId: string, key: string) =>
  call<AnswerOf<typeof endFollowedKey>>("DELETE", pathOf(tenantId, siteId, { key }));

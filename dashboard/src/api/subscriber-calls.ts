import type { ImportedPart } from "../../../src/subscribers/import/import-part.ts";
import type { importVapidPair } from "../../../src/subscribers/import-vapid-pair.ts";
import type { deleteRefused, Refused } from "../../../src/subscribers/refused.ts";
import type { createTestLink } from "../../../src/subscribers/test-devices.ts";
import type { VapidFile } from "../../../src/tenants/vapid/vapid-file.ts";
import { tenantPath } from "./calls.ts";
import { call } from "./client.ts";

export type { ImportedPart };
export type TestLink = Awaited<ReturnType<typeof createTestLink>>;

export const linkForDevice = (tenantId: string, siteId: string, label: string) =>
  call<TestLink>("POST", `${tenantPath(tenantId)}/sites/${siteId}/test-devices`, { body: { label } });
export const removeDevice = (tenantId: string, siteId: string, deviceId: number) =>
  call<undefined>("DELETE", `${tenantPath(tenantId)}/sites/${siteId}/test-devices/${deviceId}`);
export const changeTopic = (
  tenantId: string,
  siteId: string,
  topicId: string,
  change: { name: string } | { retired: true },
) => call<undefined>("PATCH", `${tenantPath(tenantId)}/sites/${siteId}/topics/${topicId}`, { body: change });
/** Imports a part of a file. Sending the same part again changes nothing. `hasMore`: more parts follow. */
export const importPart = (
  tenantId: string,
  siteId: string,
  { bytes, hasMore, signal }: { bytes: Uint8Array<ArrayBuffer>; hasMore: boolean; signal: AbortSignal },
) =>
  call<ImportedPart>("POST", `${tenantPath(tenantId)}/sites/${siteId}/subscribers?more=${hasMore}`, {
    body: new Blob([bytes]),
    headers: { "content-type": "application/x-ndjson" },
    signal,
  });

export const refusedSubscribers = (tenantId: string, siteId: string) =>
  call<Refused>("GET", `${tenantPath(tenantId)}/sites/${siteId}/refused-subscribers`);
/** Removes a part of the refused subscribers. `hasMore`: call again. */
export const removeRefused = (tenantId: string, siteId: string) =>
  call<Awaited<ReturnType<typeof deleteRefused>>>(
    "DELETE",
    `${tenantPath(tenantId)}/sites/${siteId}/refused-subscribers`,
  );

export const exportKeyPair = (tenantId: string, siteId: string) =>
  call<VapidFile>("POST", `${tenantPath(tenantId)}/sites/${siteId}/vapid-pair/export`);
/** `vapidPair`: the text of a file with a key pair. */
export const importKeyPair = (tenantId: string, siteId: string, vapidPair: string) =>
  call<Awaited<ReturnType<typeof importVapidPair>>>("POST", `${tenantPath(tenantId)}/sites/${siteId}/vapid-pair`, {
    body: { vapidPair },
  });

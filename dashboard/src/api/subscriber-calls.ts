import type { UnseenCount } from "../../../src/receipts/unseen.ts";
import type { DeletedRegistered, HourOfRegistrations } from "../../../src/subscribers/delete-registered.ts";
import type { FileLayout } from "../../../src/subscribers/import/file-layout.ts";
import type { GuessedLayout } from "../../../src/subscribers/import/guess-layout.ts";
import type { ImportedPart } from "../../../src/subscribers/import/import-part.ts";
import type { importVapidPair } from "../../../src/subscribers/import-vapid-pair.ts";
import type { DeletedRefused, Refused } from "../../../src/subscribers/refused.ts";
import type { createTestLink } from "../../../src/subscribers/test-devices.ts";
import type { VapidFile } from "../../../src/tenants/vapid/vapid-file.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

export type { FileLayout, GuessedLayout, HourOfRegistrations, ImportedPart };
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
const asLines = (bytes: Uint8Array<ArrayBuffer>) => ({
  body: new Blob([bytes]),
  headers: { "content-type": "application/x-ndjson" },
});
/** Guesses the layout of a file from its first bytes. */
export const previewImport = (tenantId: string, siteId: string, sample: Uint8Array<ArrayBuffer>) =>
  call<GuessedLayout>("POST", `${tenantPath(tenantId)}/sites/${siteId}/subscribers/preview`, asLines(sample));
/**
 * Imports a part of a file. Sending the same part again changes nothing. `hasMore`: whether more parts follow.
 * `part`: the number of the part, from 1. `bringBack`: whether readers who have left this site are imported too.
 */
export const importPart = (
  tenantId: string,
  siteId: string,
  part: {
    importId: string;
    part: number;
    bytes: Uint8Array<ArrayBuffer>;
    hasMore: boolean;
    layout: FileLayout;
    bringBack: boolean;
    signal: AbortSignal;
  },
) => {
  const { importId, part: number, bytes, hasMore, layout, bringBack, signal } = part;
  const query = new URLSearchParams({
    more: String(hasMore),
    importId,
    part: String(number),
    layout: JSON.stringify(layout),
    bringBack: String(bringBack),
  });
  return call<ImportedPart>("POST", `${tenantPath(tenantId)}/sites/${siteId}/subscribers?${query}`, {
    ...asLines(bytes),
    signal,
  });
};

export const registrations = (tenantId: string, siteId: string) =>
  call<{ hours: HourOfRegistrations[] }>("GET", `${tenantPath(tenantId)}/sites/${siteId}/registrations`);
/**
 * Deletes subscribers that were registered in a period, at most 10,000 in one call. With `dryRun`, counts all of
 * them.
 */
export const deleteRegistered = (
  tenantId: string,
  siteId: string,
  body: { from: string; to: string; neverAccepted: boolean; dryRun: boolean },
) => call<DeletedRegistered>("POST", `${tenantPath(tenantId)}/sites/${siteId}/registrations/delete`, { body });
export const refusedSubscribers = (tenantId: string, siteId: string) =>
  call<Refused>("GET", `${tenantPath(tenantId)}/sites/${siteId}/refused-subscribers`);
/** Deletes a part of the refused subscribers. If `hasMore` is true, call it again. */
export const deleteRefused = (tenantId: string, siteId: string) =>
  call<DeletedRefused>("DELETE", `${tenantPath(tenantId)}/sites/${siteId}/refused-subscribers`);
export const unseenSubscribers = (tenantId: string, siteId: string) =>
  call<{ pushServices: UnseenCount[] }>("GET", `${tenantPath(tenantId)}/sites/${siteId}/unseen-subscribers`);

export const exportKeyPair = (tenantId: string, siteId: string) =>
  call<VapidFile>("POST", `${tenantPath(tenantId)}/sites/${siteId}/vapid-pair/export`);
/** Imports a key pair. `vapidPair`: the text of the file with the key pair. */
export const importKeyPair = (tenantId: string, siteId: string, vapidPair: string) =>
  call<Awaited<ReturnType<typeof importVapidPair>>>("POST", `${tenantPath(tenantId)}/sites/${siteId}/vapid-pair`, {
    body: { vapidPair },
  });

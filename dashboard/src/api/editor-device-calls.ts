import type { EditorDevices } from "../../../src/subscribers/editor-devices/editor-devices.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

const pathOf = (tenantId: string, siteId: string) => `${tenantPath(tenantId)}/sites/${siteId}/editor-devices`;

export const editorDevices = (tenantId: string, siteId: string) => call<EditorDevices>("GET", pathOf(tenantId, siteId));
export const addEditorDevice = (tenantId: string, siteId: string, subscription: PushSubscriptionJSON) =>
  call<{ deviceId: string }>("POST", pathOf(tenantId, siteId), { body: { subscription } });
export const removeEditorDevice = (tenantId: string, siteId: string, deviceId: string) =>
  call<undefined>("DELETE", `${pathOf(tenantId, siteId)}/${deviceId}`);

import { z } from "zod";
import { expects, parseInput } from "../input.ts";
import { routes } from "../route.ts";
import { exportVapidPair } from "../tenants/vapid/export-vapid-pair.ts";
import { deleteRegistered, readRegistrations } from "./delete-registered.ts";
import { importPart, previewImport } from "./import/import-part.ts";
import { importVapidPair } from "./import-vapid-pair.ts";
import { deleteRefused, readRefused } from "./refused.ts";
import { createTestLink, deleteTestDevice } from "./test-devices.ts";

const site = "/dashboard/api/tenants/:tenantId/sites/:siteId";
const newDevice = z.strictObject({ label: z.string(expects("a string")) }, expects("a JSON object"));

/** The dashboard's private routes for test devices, imports, registrations, refused subscribers and the key pair. */
export const subscriberMemberRoutes = routes([
  {
    method: "POST",
    path: `${site}/test-devices`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, params, body }) {
      const { label } = parseInput(newDevice, body);
      return { status: 201, body: await createTestLink(app, actor, { siteId: params.siteId, label }) };
    },
  },
  {
    method: "DELETE",
    path: `${site}/test-devices/:deviceId`,
    access: "editor",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      await deleteTestDevice(app, actor, { siteId: params.siteId, deviceId: params.deviceId });
      return { status: 204 };
    },
  },
  {
    method: "POST",
    path: `${site}/subscribers`,
    access: "owner",
    needsRecentSignIn: false,
    body: "lines",
    async answer(app, { actor, params, query, body, signal }) {
      const part = { siteId: params.siteId, query, lines: body as Buffer, signal };
      return { status: 200, body: await importPart(app, actor, part) };
    },
  },
  {
    method: "POST",
    path: `${site}/subscribers/preview`,
    access: "owner",
    needsRecentSignIn: false,
    body: "lines",
    async answer(app, { actor, params, body }) {
      return {
        status: 200,
        body: await previewImport(app, actor, { siteId: params.siteId, sample: body as Buffer }),
      };
    },
  },
  {
    method: "GET",
    path: `${site}/registrations`,
    access: "owner",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await readRegistrations(app, actor, { siteId: params.siteId }) };
    },
  },
  {
    method: "POST",
    path: `${site}/registrations/delete`,
    access: "owner",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await deleteRegistered(app, actor, { siteId: params.siteId, body }) };
    },
  },
  {
    method: "GET",
    path: `${site}/refused-subscribers`,
    access: "owner",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await readRefused(app, actor, { siteId: params.siteId }) };
    },
  },
  {
    method: "DELETE",
    path: `${site}/refused-subscribers`,
    access: "owner",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await deleteRefused(app, actor, { siteId: params.siteId }) };
    },
  },
  {
    method: "POST",
    path: `${site}/vapid-pair`,
    access: "owner",
    needsRecentSignIn: true,
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await importVapidPair(app, actor, { siteId: params.siteId, body }) };
    },
  },
  {
    // A POST, because a link or a prefetch could load a private key into a browser with a GET.
    method: "POST",
    path: `${site}/vapid-pair/export`,
    access: "owner",
    needsRecentSignIn: true,
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await exportVapidPair(app, actor, { siteId: params.siteId }) };
    },
  },
]);

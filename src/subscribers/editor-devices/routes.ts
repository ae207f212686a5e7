import { memberOf } from "../../actor.ts";
import { routes } from "../../route.ts";
import { addEditorDevice, readEditorDevices, removeEditorDevice } from "./editor-devices.ts";

const root = "/dashboard/api/tenants/:tenantId/sites/:siteId/editor-devices";

/** The routes of members' own devices, which get suggested stories. */
export const editorDeviceRoutes = routes([
  {
    method: "GET",
    path: root,
    access: "editor",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, call) {
      return { status: 200, body: await readEditorDevices(app, memberOf(call), { siteId: call.params.siteId }) };
    },
  },
  {
    method: "POST",
    path: root,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, call) {
      const input = { siteId: call.params.siteId, body: call.body };
      return { status: 201, body: await addEditorDevice(app, memberOf(call), input) };
    },
  },
  {
    method: "DELETE",
    path: `${root}/:editorDeviceId`,
    access: "editor",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, call) {
      const { siteId, editorDeviceId } = call.params;
      await removeEditorDevice(app, memberOf(call), { siteId, deviceId: editorDeviceId });
      return { status: 204 };
    },
  },
]);

import { appError } from "../../errors.ts";
import type { Call, Route } from "../../route.ts";
import { askToSend } from "./ask-to-send.ts";
import { approveSendRequest, readSendRequest, refuseSendRequest } from "./decide-send-request.ts";

const root = "/dashboard/api/tenants/:tenantId/campaigns/:campaignId/send-request";

/** Requests are between people: only members ask and decide. */
function memberOf({ actor }: Call) {
  if (actor.kind !== "user") throw appError("forbidden");
  return actor;
}

const inputOf = ({ params, body }: Call) => ({ campaignId: params.campaignId!, body });

/** A send that waits for a second person: for the dashboard alone. */
export const sendRequestRoutes: Route[] = [
  {
    method: "GET",
    path: root,
    access: "viewer",
    body: "none",
    async answer(app, call) {
      return { status: 200, body: await readSendRequest(app, call.actor, inputOf(call)) };
    },
  },
  {
    method: "POST",
    path: root,
    access: "editor",
    body: "json",
    async answer(app, call) {
      return { status: 201, body: await askToSend(app, memberOf(call), inputOf(call)) };
    },
  },
  {
    method: "POST",
    path: `${root}/approve`,
    access: "editor",
    body: "json",
    async answer(app, call) {
      return { status: 200, body: await approveSendRequest(app, memberOf(call), inputOf(call)) };
    },
  },
  {
    method: "POST",
    path: `${root}/refuse`,
    access: "editor",
    body: "json",
    async answer(app, call) {
      return { status: 200, body: await refuseSendRequest(app, memberOf(call), inputOf(call)) };
    },
  },
];

import { appError } from "../../errors.ts";
import type { Call, Route } from "../../route.ts";
import { createSendRequest } from "./create-send-request.ts";
import { approveSendRequest, readSendRequest, refuseSendRequest } from "./decide-send-request.ts";
import type { Member } from "./send-request.ts";

const root = "/dashboard/api/tenants/:tenantId/campaigns/:campaignId/send-request";

/** The member who calls: an API key must not decide for a person. Throws `forbidden`. */
function memberOf({ actor }: Call): Member {
  if (actor.kind !== "user") throw appError("forbidden");
  return actor;
}

const inputOf = ({ params, body }: Call) => ({ campaignId: params.campaignId!, body });

/** The routes of send requests. Only the dashboard has them. */
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
      return { status: 201, body: await createSendRequest(app, memberOf(call), inputOf(call)) };
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

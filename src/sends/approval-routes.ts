import { memberOf } from "../actor.ts";
import { type Call, routes } from "../route.ts";
import { approveApprovalRequest, readApprovalRequest, refuseApprovalRequest } from "./decide-approval.ts";
import { requestApproval } from "./request-approval.ts";

const root = "/dashboard/api/tenants/:tenantId/campaigns/:campaignId/approval-request";

const inputOf = ({ params, body }: Call<{ campaignId: string }>) => ({ campaignId: params.campaignId, body });

/** The routes of approval requests. Only the dashboard has them. */
export const approvalRequestRoutes = routes([
  {
    method: "GET",
    path: root,
    access: "viewer",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, call) {
      return { status: 200, body: await readApprovalRequest(app, call.actor, inputOf(call)) };
    },
  },
  {
    method: "POST",
    path: root,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, call) {
      return { status: 201, body: await requestApproval(app, memberOf(call), inputOf(call)) };
    },
  },
  {
    method: "POST",
    path: `${root}/approve`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, call) {
      return { status: 200, body: await approveApprovalRequest(app, memberOf(call), inputOf(call)) };
    },
  },
  {
    method: "POST",
    path: `${root}/refuse`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, call) {
      return { status: 200, body: await refuseApprovalRequest(app, memberOf(call), inputOf(call)) };
    },
  },
]);

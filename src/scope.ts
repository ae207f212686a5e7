/**
 * The scopes of an API key. `preview`: check a story. `draft`: create and change campaigns. `send`: test, schedule,
 * send, cancel and stop. `read`: campaigns, runs and sites. `report`: figures. Each route of /v1 names the scope that
 * it needs (route.ts).
 */
export const scopes = ["preview", "draft", "send", "read", "report"] as const;

export type Scope = (typeof scopes)[number];

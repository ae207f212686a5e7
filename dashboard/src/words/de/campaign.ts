import type { campaign as english } from "../en/campaign.ts";
import { plural } from "../plural.ts";
import type { Text } from "../text.ts";

export const campaign: typeof english = {
  // campaign-actions.tsx
  cancelIt: "Cancel it",
  edit: "Edit",
  schedule: "Schedule…",
  changeTheTime: "Change the time…",
  sendNow: "Send now…",
  cancelThisCampaign: "Cancel this campaign?",
  cancelTheCampaign: "Cancel the campaign",
  itWillNotGoOut: "It will not go out, and cannot be brought back.",
  duplicate: "Duplicate",
  sendACorrection: "Send a correction…",

  // lanes.tsx
  byPushService: "By push service",
  browsers: "Browsers",
  reached: "Reached",
  notLookedUp: "Not looked up",
  of: ({ accepted, size }: { accepted: Text; size: Text }) => `${accepted} of ${size} `,

  // live-run.tsx
  aboutToStart: "About to start",
  sending: "Sending",
  stopping: "Stopping",
  sent: "Sent",
  stopped: "Stopped",
  failed: "Failed",
  progress: "Progress",
  held: "Held",
  theConnectionToTheService:
    "The connection to the service was lost: these numbers may be old. Sending continues; the page reconnects by itself.",
  of2: ({ done, audience, done2 }: { done: Text; audience: Text; done2: Text }) => `${done} of ${audience} · ${done2}`,
  reachedOf: ({ reached }: { reached: Text }) => `Reached ${reached}`,
  began: ({ when }: { when: Text }) => `Began ${when}`,
  took: ({ began, lasted }: { began: Text; lasted: Text }) => `${began}, took ${lasted}`,
  thisPublisher: "this publisher",
  thisSite: "this site",
  sendsOfArePausedSending: ({ value, end }: { value: Text; end: Text }) =>
    `Sends of ${value} are paused. Sending continues by itself when the pause is lifted in the settings. A pause does not extend the send: who has not got it by ${end} will not get it.`,
  repeated: "Repeated",
  stop: "Stop",
  stopThisSend: "Stop this send?",
  stopIt: "Stop it",
  withinASecondNobodyElse:
    "Within a second nobody else gets it. People who have got it keep it, and a stopped send cannot be continued.",
  outcomes: "Outcomes",
  whySomeWereNotReached: "Why some were not reached",
  whySomeWait: "Why some wait",
  csv: "CSV",
  thePushServicesTookIt: "The push services took it for everybody.",
  reason: "Reason",
  pushService: "Push service",
  people: "People",

  // receipts-chart.tsx
  displayed: "Displayed",
  clicked: "Clicked",
  dismissed: "Dismissed",

  // receipts.tsx
  safariDoesNotReportIt: "Safari does not report it",
  theStoryWasOpened: "The story was opened",
  closedManyPhonesDoNot: "Closed; many phones do not tell",
  left: "Left",
  turnedItOffFromThis: "Turned it off from this nudge",
  whatReadersDid: "What readers did",
  noBrowserHasReportedYet:
    "No browser has reported yet. Reports come from sites with the snippet, from the first minute on, for a week.",
  ofThoseReached: " of those reached",
  hour: ({ hours }: { hours: number }) => `${plural(hours, "hour")}`,
  day: ({ round }: { round: number }) => `${plural(round, "day")}`,
  usualAtThisSiteAfter: ({ age, displayed, clicked }: { age: Text; displayed: Text; clicked: Text }) =>
    `Usual at this site after ${age}: ${displayed} displayed, ${clicked} clicked.`,

  // request-panel.tsx
  atOnce: "at once",
  itWaitsForASecond: "It waits for a second person",
  youWant: "You want",
  wants: ({ email }: { email: Text }) => `${email} wants`,
  toSendItTo: "to send it to ",
  anotherEditorOrOwnerHas: "Another editor or owner has to approve it. ",
  theRequestEnds: ({ when, value, when2 }: { when: Text; value: Text; when2: Text }) =>
    `, ${when}. ${value}The request ends ${when2}.`,
  approveAndSend: "Approve and send",
  approveTheTime: "Approve the time",
  takeItBack: "Take it back",
  refuse: "Refuse",

  // sent-by.tsx
  sentBy: "Sent by",
  sentByItsSchedule: "Sent by its schedule",
  sentAtItsTimeSet: "Sent at its time, set by",
};

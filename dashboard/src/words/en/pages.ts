import type { ReactNode } from "react";
import { formOf, plural } from "../plural.ts";
import { rich } from "../rich.ts";
import type { Text } from "../text.ts";

export const pages = {
  // account.tsx
  yourAccount: "Your account",

  // audit-log.tsx
  settings: "Settings",
  auditLog: "Audit log",
  whoDidWhat: ({ tenantName }: { tenantName: Text }) => `Who did what in ${tenantName}, the newest first`,
  onlyOwnersSeeThis: "Only owners see this",
  itSaysWhoSentStopped: "It says who sent, stopped and changed what. Ask an owner for that role.",
  whatHappened: "What happened",
  everything: "Everything",
  showEarlierOnes: "Show earlier ones",
  everybody: "Everybody",
  fromDay: "From",
  untilDay: "Until",
  nothingFits: "Nothing fits",
  noEventFits: "Nothing of this happened. Choose less above.",
  nothingYet: "Nothing yet",
  whatMembersApiKeysAnd: "What members, API keys and the command line do from now on appears here.",
  what: "What",
  who: "Who",
  when: "When",

  // campaign.tsx
  aStoryWithoutATitle: "A story without a title",
  goesOut: ({ when }: { when: Text }) => `Scheduled for ${when}`,
  created: ({ when }: { when: Text }) => `Created ${when}`,
  itDidNotGoOut: "It was not sent",
  notSent: {
    draft: "It is a draft: nobody has got it. Send it, or set a time.",
    scheduled: "It waits for its time. You can still edit it, change the time, send it immediately or cancel it.",
    cancelled: "It was cancelled: nobody got it.",
    failed: "Nobody got it.",
  },
  nudge: "Notification",
  opens: ({ link }: { link: ReactNode }) => rich`Opens ${link}`,
  itCorrects: ({ link }: { link: ReactNode }) => rich`It corrects ${link} and takes its place.`,
  anEarlierNudge: "an earlier notification",
  worthShowing: ({ hours, urgency }: { hours: Text; urgency: Text }) =>
    `Expires after ${hours} hours · urgency ${urgency}`,
  urgencies: { high: "high", normal: "normal", low: "low", "very-low": "very-low" },
  thePictureOfThisNudge: "The picture of this notification",
  aRetiredTopic: "a retired topic",
  toEverybody: "To everybody",
  toTopics: ({ n, topics }: { n: number; topics: ReactNode }) =>
    rich`To readers of ${formOf(n, "the topic", "the topics")} ${topics}`,
  toFollowers: ({ story }: { story: ReactNode }) => rich`To followers of ${story}`,
  toSegment: ({ segment }: { segment: ReactNode }) => rich`Only in the segment ${segment}`,
  decision: "Decision",
  whatPressbellThoughtOfIt: "What Pressbell thought of it",
  scoreOf: ({ worth, score }: { worth: Text; score: Text }) => `${worth}, ${score} of 100.`,

  // compose.tsx
  compose: "Compose",
  toPlanOn: ({ day }: { day: Text }) => `For ${day}: “Schedule…” begins with this day.`,
  youCanLookNotSend: "You can look, not send",
  askAnOwnerToMake: "Ask an owner to make you an editor. You see what is sent under Campaigns.",
  itIsScheduled: "It is scheduled",
  itGoesOut: ({ when }: { when: Text }) =>
    `It is sent ${when}. Your changes count once you press “Save changes”. Until then the saved text is sent.`,
  thisIsACorrection: "This is a correction",
  itTakesThePlaceOf:
    "It takes the place of the first notification where that is still on a screen, and on devices that were off. People who have closed the first one see this as a new one.",
  wentOutLately: "Sent recently",

  // feeds.tsx
  addAFeed: "Add a feed",
  feeds: "Feeds",
  whatIsNewInA: "Pressbell checks each new story in a feed, and sends or suggests those worth sending, each once.",
  noFeedYet: "No feed yet",
  givePressbellTheRssAtom:
    "Give Pressbell the RSS, Atom or JSON feed that your site has anyway. It reads it every half minute, checks each new story, and sends those that are worth it. What is in the feed when you add it is not sent.",
  items: ({ items }: { items: Text }) => `Items: ${items}`,

  // integrations.tsx
  integrations: "Integrations",
  readersComeByYourSite: "Readers come by your site; stories come from your CMS.",
  installOnYourSite: "Install on your site",
  twoLinesThenReadersAre: "Two lines. Then readers are asked, politely and once, whether they want your news.",
  lineForEveryPage: "line for every page",
  n1IntoTheHeadOf: "1. Into the head of every page",
  workerFile: "worker file",
  n2AsAFileOf: "2. As a file of its own, /pressbell-sw.js, at the root",
  sendFromYourCms: "Send from your CMS",
  createWithYourKey:
    "Create a campaign from a story, then send it. With the ids of this site; put a key of yours in PRESSBELL_KEY.",
  createWithAKey:
    "Create a campaign from a story, then send it. With the ids of this site; an owner has the key that belongs in PRESSBELL_KEY.",
  exampleFor: ({ name }: { name: Text }) => `example for ${name}`,
  withIt: ({ name }: { name: Text }) => `With ${name}`,
  cmsWebhook: "CMS webhook",
  notAvailableYet: "Not available yet",
  forACmsThatCalls:
    "For a CMS that calls an address when a story is published, signed with HMAC-SHA256 instead of an API key. This is the planned request. Pressbell does not receive it yet: use the REST API above.",
  intendedRequest: "intended request",
  intendedRequestTitle: "Intended request",

  // members.tsx
  roles: { owner: "Owner", editor: "Editor", viewer: "Viewer", sites: "Some sites" },
  /** The roles at the end of a sentence. */
  asRoles: { owner: "as owner", editor: "as editor", viewer: "as viewer", sites: "for some sites" },
  members: "Members",
  whoWorksFor: ({ tenantName }: { tenantName: Text }) =>
    `Who works for ${tenantName}. Viewers look, editors send, owners also manage keys, members and settings.`,
  membersAreOfThePublisher: "Members belong to the publisher",
  youSeeOnlySomeSites: "You have a role for single sites. Ask an owner who else works here.",
  inviteSomebody: "Invite somebody",
  eMailAddress: "E-mail address",
  as: "As",
  sendTheInvitation: "Send the invitation",
  makeTheLink: "Make the link",
  theLinkIsOnIts: ({ email }: { email: Text }) => `The link is on its way to ${email}`,
  giveThisLinkTo: ({ email }: { email: Text }) => `Give this link to ${email}`,
  itIsHereToo:
    "If the e-mail does not arrive, copy the link from here. It is shown only once, and works once within 7 days.",
  itIsShownOnce:
    "It is shown only once, and works once within 7 days. Anyone who has it can join, so hand it over yourself.",
  invitationLink: "invitation link",
  invited: "Invited",
  asEnds: ({ role, ends }: { role: Text; ends: Text }) => `${role}, ends ${ends}`,
  withdrawTheInvitationOf: ({ email }: { email: Text }) => `Withdraw the invitation of ${email}`,
  withdraw: "Withdraw",
  person: "Person",
  role: "Role",
  passwordRemove: "Password, remove",
  you: "(you)",
  passwordOf: ({ email }: { email: Text }) => `Password of ${email}`,
  password: "Password",
  removeName: ({ email }: { email: Text }) => `Remove ${email}`,
  remove: "Remove",
  bySingleSignOn: "by single sign-on",
  secondFactor: "Second factor",
  allMembersNeedOne: "All members need a second factor",
  whatASecondFactorIs:
    "An authenticator app, a passkey, or single sign-on. Members without one can set it up and do nothing else here.",
  removeThisMember: "Remove this member?",
  canDoNothingHereFrom: ({ email }: { email: Text }) => `${email} loses access immediately. What they sent stays.`,
  roleOf: ({ email }: { email: Text }) => `Role of ${email}`,

  // overview.tsx
  overview: "Overview",
  newsroomScreen: "Newsroom screen",
  lastNudges: "Last notifications",
  allCampaigns: "All campaigns",
  scheduled: "Scheduled",
  calendar: "Calendar",

  // screen.tsx
  leaveFullScreen: "Leave full screen",
  fullScreen: "Full screen",
  backToTheOverview: "Back to the overview",
  readersReachable: "Readers reachable",
  clicksInTheLastMinute: "Clicks in the last minute",
  clicksByTheMinute: "Clicks by the minute",
  clicksInTheLastHour: ({ clicks }: { clicks: number }) => `${plural(clicks, "click")} in the last hour`,
  nothingWentOutTodayYet: "Nothing was sent today yet",
  today: "Today",
  runFigures: ({
    time,
    accepted,
    audience,
    clicked,
    share,
  }: {
    time: Text;
    accepted: Text;
    audience: number;
    clicked: number;
    share: Text;
  }) => `${time} · ${accepted} of ${plural(audience, "person", "people")} · ${plural(clicked, "click")} (${share})`,

  // settings.tsx
  sectionOfSettings: ({ section }: { section: Text }) => `${section}, settings`,
  siteAndPublisher: ({ name, tenantName }: { name: Text; tenantName: Text }) => `${name}, and ${tenantName} as a whole`,
  youAreAViewerYou: "You are a viewer: you can look at the settings, and ask an editor or an owner to change them.",
  sendsOf: ({ name }: { name: Text }) => `Sends of ${name}`,
  allSendsOf: ({ tenantName }: { tenantName: Text }) => `All sends of ${tenantName}`,
  switchedOn: ({ title }: { title: Text }) => `${title}: on`,
  paused: "Paused",
  aPauseHaltsWithinTwo:
    "A pause halts within two seconds what is being sent. When you lift it, sending continues where it stopped.",
  whoSentStoppedAndChanged: "Who sent, stopped and changed what, and when.",
  openIt: "Open it",
  addASite: "Add a site",
  name: "Name",
  address: "Address",
  add: "Add",

  // subscribers.tsx
  canBeReached: ({ people }: { people: Text }) => `${people} can be reached.`,
  subscribers: "Subscribers",
  exportIt: "Export",
  byPushService: "By push service",
  nobodyYetInstallTheSnippet:
    "Nobody yet. Install the snippet (Integrations), or let an owner import those you have below.",
};

import type { ReactNode } from "react";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";
import type { Text } from "../text.ts";

export const feeds = {
  // allowed-hosts.tsx
  saved: "Saved.",
  otherWebsites: "Other websites",
  onlyAnOwnerChangesThis: "Only an owner changes this, and the address of a feed with other websites.",
  whatItBringsMayLead: ({ url }: { url: Text }) =>
    `Its items may link to pages of ${url} and of the websites named here. An item that links elsewhere is not sent.`,
  namesOfWebsites: "Names of websites",
  blogExampleOrgShopExample: "blog.example.org, shop.example.org",
  theseAreNoNamesOf: ({ join }: { join: Text }) => `These are no names of websites: ${join}`,
  allowThese: "Allow these",

  // feed-items.tsx
  items: "Items",
  whichItems: "Which items",
  all: ({ all }: { all: Text }) => `All (${all})`,
  nothingCameYetWhatThe: "Nothing came yet. What the feed brings appears here.",
  thereIsNoneOfThese: "There is none of these.",
  showOlderOnes: "Show older ones",
  anItemWithoutATitle: "An item without a title",
  lookedAtAgain: ({ when }: { when: Text }) => ` · looked at again ${when}`,
  itsCampaign: "Its campaign",

  // feed-labels.ts
  states: {
    new: { label: "New", explanation: "It is about to be checked." },
    asked: {
      label: "Asked",
      explanation: "It came with very many others, or without a date: choose above what to do.",
    },
    waiting: { label: "Waiting", explanation: "It is looked at again, as long as it is fresh." },
    suggested: { label: "Suggested", explanation: "It waits as a draft: an editor sends it, or not." },
    sent: { label: "Sent", explanation: "Its notification was sent." },
    skipped: { label: "Skipped", explanation: "It was not sent." },
    seen: { label: "Seen", explanation: "It was in the feed at the first poll, and is never sent." },
  },
  none: "none",

  // feed-preview.tsx
  newsSitemap: "news sitemap",
  noFeedCanBeRead: "No feed can be read there",
  youCanAddItAll: "You can add it all the same: it is tried again and again.",
  aFeedWithoutATitle: "A feed without a title",
  itNamesAHubWhich: "It names a hub, which notifies Pressbell immediately of new stories.",
  entries: ({ format, entries }: { format: Text; entries: number }) =>
    `${format}, ${plural(entries, "entry", "entries")}.`,
  cutEntries: ({ format, entries }: { format: Text; entries: number }) =>
    `${format}, ${plural(entries, "entry", "entries")} (it is too long to be read to its end).`,
  itWouldBeReadEvery: ({ interval, because }: { interval: Text; because: Text }) =>
    `It would be read every ${interval}: ${because}.`,
  withoutATitle: "Without a title",
  whatIsInItWhen: "Stories already in the feed when you add it are not sent, only newer ones.",
  seconds: ({ seconds }: { seconds: Text }) => `${seconds} seconds`,
  minutes: ({ round }: { round: Text }) => `${round} minutes`,
  hours: ({ round }: { round: Text }) => `${round} hours`,

  // feed-rules.tsx
  nudgesWithinAnHourAt: "Notifications within an hour, at most",
  within24HoursAtMost: "Within 24 hours, at most",
  aStoryThatComesIn: "A story that comes in quiet hours, too soon after another, or beyond a limit",
  isNotSent: "is not sent",
  waitsAndGoesOutIf: "waits, and is sent if it is still fresh then",
  topicsByCategory: "Topics by category",
  everyItemGoesToEverybody:
    "Every item goes to everybody. With topics, which you add under Subscribers, its categories can say who it is for.",
  everyItemGoesToEverybody2:
    "Every item goes to everybody. Add a rule to send items of a category only to readers of a topic.",
  anItemOfACategory:
    "An item goes to readers of its category’s topic. With several categories, it goes to readers of any of their topics.",
  categoryOfRule: ({ value }: { value: Text }) => `Category of rule ${value}`,
  category: "Category",
  topicOfRule: ({ value }: { value: Text }) => `Topic of rule ${value}`,
  removeRule: ({ value }: { value: Text }) => `Remove rule ${value}`,
  remove: "Remove",
  noSegment: "None: all of these readers",
  anItemInNoneOf: "An item in none of these categories",
  goesToEverybody: "goes to everybody",
  addARule: "Add a rule",

  // feed-settings.tsx
  switches: "Switches",
  readItAndSendWhat: "Read it and send what is new",
  offItIsNotRead: "Off: it is not read. What appears meanwhile is not sent later.",
  switchThisFeedOff: "Switch this feed off?",
  switchItOff: "Switch it off",
  itIsNotReadAny:
    "It is not read any more, and what still waits is skipped. What appears until you switch it on again is not sent.",
  tryBothHeadlines: "Try the feed’s headline against the page’s",
  whereItsTitleIsAnother:
    "Where they differ, one in five readers gets one or the other. All others get the one that is clicked more, after half an hour at the latest.",
  suggestOnlyAnEditorDecides: "Suggest only: an editor decides",
  notTogetherWithTheOverride: "Not together with the override: that sends without asking.",
  whatIsWorthSendingWaits:
    "What is worth sending waits as a draft, and editors are asked on the devices that they have chosen under Feeds.",
  overrideSendWhatTheDecision: "Override: send what the decision rejects, too",
  forAFeedInWhich: "For a feed in which somebody has chosen each story by hand.",
  largeSendsNeedASecond:
    "Large sends need a second person here. So only an owner can turn this on, or change a feed that has it.",
  sendWhateverThisFeedBrings: "Send whatever this feed brings?",
  turnTheOverrideOn: "Turn the override on",
  whatTheContentDecisionRejects: ({ hourlyLimit, dailyLimit }: { hourlyLimit: Text; dailyLimit: Text }) =>
    `What the content decision rejects is sent too: old stories, in quiet hours, over the site’s limits. Nobody looks at it before. Only this feed’s own limits hold (${hourlyLimit} within an hour, ${dailyLimit} within 24 hours).`,
  whatGoesOutAndTo: "What is sent, and to which readers",
  addressOfTheFeed: "Address of the feed",
  whatIsAtTheNew: "What is at the new address when you save is not sent.",
  save: "Save",
  removingAFeedRemovesThe:
    "Removing a feed removes the list of its items. Its campaigns stay. If you add the feed again, it sends nothing twice.",
  removeThisFeed: "Remove this feed",
  removeThisFeed2: "Remove this feed?",
  removeIt: "Remove it",
  itIsNotReadAny2: "It is not read any more, and what still waits is not sent.",

  // feed-state.tsx
  on: "On",
  off: "Off",
  suggests: "Suggests",
  override: "Override",
  failed: "Failed",
  failedTimes: ({ failures }: { failures: Text }) => `Failed ${failures} times`,
  notReadYet: "Not read yet.",
  read: ({ when, result }: { when: ReactNode; result: ReactNode }) => rich`Read ${when}: ${result}`,
  next: ({ when }: { when: Text }) => `Next ${when}.`,
  nextBecause: ({ when, because }: { when: Text; because: Text }) => `Next ${when}: ${because}.`,
  itIsOffItIs: "It is off: it is not read, and nothing of it is sent.",
  itsHubNotifiesUsAt: "Its hub notifies Pressbell immediately of new stories.",
  nothingNew: "nothing new.",
  newItems: ({ n }: { n: number }) => `${n === 1 ? "one new item" : plural(n, "new item")}.`,
  skipThem: "Skip them",
  sendThem: "Send them",

  // new-feed.tsx
  addAFeed: "Add a feed",
  tryIt: "Try it",
  findTheFeedsOfThe: "Find the feeds of the site",
  notNow: "Not now",
  namesNoFeedAndThere: ({ url }: { url: Text }) =>
    `${url} names no feed, and there is none at the usual addresses. Ask the person who looks after the site for it.`,
  tryUrl: ({ url }: { url: Text }) => `Try ${url}`,
  offWhatIsWorthSending: "Off: what is worth sending is sent by itself.",
  switchItLater: "You see what it would send. Switch this off, here or later, to let it send by itself.",
  addThisFeed: "Add this feed",

  // poll-pace.tsx
  asOftenAsTheFeed: "as often as the feed allows",
  atLeastEvery30Seconds: "at least every 30 seconds",
  atLeastEveryMinute: "at least every minute",
  atLeastEvery5Minutes: "at least every 5 minutes",
  atLeastEverySeconds: ({ value }: { value: Text }) => `at least every ${value} seconds`,
  howOftenItIsRead: "How often it is read",
  someFeedsAskToBe:
    "Some feeds ask to be read only once an hour. You can read your own feed more often if its server can handle it.",
  onlyAnOwnerChangesThis2: "Only an owner changes this.",

  // this-device.tsx
  suggestionsOnThisDevice: "Suggestions on this device",
  askMeOnThisDevice: "Ask me on this device when a feed suggests a story",
  sendThisTo12400: "“Send this to 12,400 readers?” One tap opens the draft. This device is not counted as a reader.",
  thisBrowserCannotShowNotifications:
    "This browser cannot show notifications here, so it cannot ask you about suggested stories. On an iPhone or iPad, add the dashboard to the Home Screen first.",
  thisBrowserDoesNotAllow:
    "This browser does not allow notifications for the dashboard. Allow them beside its address, then try again.",
  thisBrowserCouldNotReach: "This browser could not reach its push service. Try again in a minute.",
};

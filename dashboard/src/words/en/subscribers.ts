import type { ReactNode } from "react";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";
import type { Text } from "../text.ts";

export const subscribers = {
  migrated: "Migrated from another service",
  migratedSoFar: ({ n, week }: { n: Text; week: Text }) =>
    `${n} readers have come, ${week} of them in the last seven days.`,
  stillToCome: ({ n, former }: { n: Text; former: Text }) =>
    `${n} of its ${former} readers have not visited yet, or have left.`,
  // import-columns.tsx
  address: "Address",
  atThePushServiceHttps: "At the push service: https://… (endpoint)",
  key: "Key",
  n87LettersAndDigitsP256dh: "87 letters and digits (p256dh)",
  secret: "Secret",
  n22LettersAndDigitsAuth: "22 letters and digits (auth)",
  hasUnsubscribed: "Has unsubscribed",
  thoseWhoHaveStayOut: "Readers who have are not imported",
  isStillSubscribed: "Still subscribed",
  thoseWhoAreNotStayOut: "Readers with a no, or a state such as “unsubscribed”, are not imported.",
  allInOne: "All in one",
  addressKeyAndSecretAs: "Address, key and secret as one text in { }",
  keyAndSecret: "Key and secret",
  keyAndSecretAs: "Both as one text in { }",
  whoHasLeftIsLeftOut: ({ names }: { names: Text }) =>
    `Readers who are unsubscribed according to ${names} are not imported.`,
  looksLikeAnEnd: "Does this say who unsubscribed?",
  notUsedChoose: ({ names }: { names: Text }) =>
    `${names}. Not used, so nobody is left out. If it says who unsubscribed, choose it above. If Pressbell does not know its words, remove these readers from the file first.`,
  notUsedTakeOut: ({ names }: { names: Text }) =>
    `${names}. Not used, so nobody is left out. If it says who unsubscribed, remove these readers from the file first.`,
  thisIsAListOf: "This is a list of readers in JSON.",
  thisHasAReaderIn: "This has a reader in each line.",
  column: ({ value }: { value: Text }) => `Column ${value}`,
  thisIsATableWith: ({ width, value }: { width: Text; value: Text }) =>
    `This is a table with ${width} columns, separated by ${value}. These columns were found; change what is not right.`,
  none: "None",
  chooseTheColumnsWithAddress:
    "Choose the columns with address, key and secret. Without them no notification can be sent to a reader: ask the other service for an export that has them.",
  firstLinesOfTheFile: "First lines of the file",

  // import-file.tsx
  importIt: "Import",
  theExportOfAnotherService:
    "The export of another service as CSV (also packed, .csv.gz), a list in JSON, or our own export. Only readers who subscribed to this site’s own key can be reached: from another service its key pair comes first, see below.",
  file: "File",
  chooseAFile: "Choose a file",
  chooseNone: "Choose none",
  stop: "Stop",
  changeTheColumns: "Change the columns",
  tooLarge: ({ siteId }: { siteId: Text }) =>
    `This is over 256 MB. Import it on the command line: pressbell subscribers import --site ${siteId} FILE`,
  thisFileCannotBeRead:
    "This file cannot be read. Choose it again; one whose name ends with .gz has to be packed with gzip.",

  bringBackWhoHasLeft: "Bring back who has left",
  whoHasLeftThisSite:
    "Readers who have unsubscribed from this site, or had their data deleted, stay out. Bring them back only if they have agreed again.",

  // import-key-pair.tsx
  useTheKeyPairOf: "Use the key pair of another service",
  notForThisSiteIt:
    "Not for this site: it has subscribers or test devices, who belong to its own pair and would all be lost. To come with another pair, add a new site (Settings) and do it there before anybody subscribes.",
  theSiteHasThisPair:
    "The site has this pair now. Its public key is shown above. The install snippet stays as it is and hands it to browsers by itself; where a script of your own names the former key, put this one in its place. Now import the subscribers.",
  asJsonOrPem: ({ example }: { example: ReactNode }) =>
    rich`As ${example}, or a private key as JWK or PEM. The site gives up its own pair for it.`,
  fileWithThePair: "File with the pair",
  orItsText: "Or its text",
  useThisPair: "Use this pair",

  // import-result.tsx
  importingKeepThisPageOpen: "Importing. Keep this page open.",
  done: "Done.",
  stoppedWhatWentInStays: "Stopped. Imported readers stay. Import the file again to add the rest.",
  itBrokeOffWhatWent: "The import failed. Imported readers stay. Import the file again to add the rest.",
  howMuchOfTheFile: "How much of the file is imported",
  linesNewChangedKnownAlready: ({
    lines,
    added,
    changed,
    unchanged,
    wrong,
  }: {
    lines: Text;
    added: Text;
    changed: Text;
    unchanged: Text;
    wrong: Text;
  }) => `${lines} lines: ${added} new, ${changed} changed, ${unchanged} known already, ${wrong} wrong.`,
  noReaderWasImported: "No reader was imported",
  theFileHasNoReaders: "The file has no readers in it.",
  notOneLineOfThe:
    "Not one line of the file was right. See below what is wrong with them: perhaps it is another file, or the columns are mixed up.",
  linesThatDidNotGo: "Lines that did not go in",
  andMore: ({ rest }: { rest: Text }) => `And ${rest} more.`,
  saveTheseLines: "Save these lines",
  saveTheList: "Save the list",
  theFirstOfThem: ({ length }: { length: Text }) => `The first ${length} of them.`,
  group: ({ n, reason, where }: { n: number; reason: Text; where: Text }) =>
    `${plural(n, "line")}: ${reason} (${where})`,
  line: ({ first }: { first: Text }) => `line ${first}`,
  lines: ({ first }: { first: Text }) => `lines ${first}`,
  linesAndFurther: ({ first }: { first: Text }) => `lines ${first} and further ones`,
  wrongLine: ({ line, reason }: { line: Text; reason: Text }) => `line ${line}: ${reason}`,

  // key-pair.tsx
  keyPair: "Key pair",
  aBrowserSubscribesToThe:
    "A browser subscribes to the public key of a site (VAPID), and only a service with the private one can send to it. To move between two services take both along, the pair and the subscribers. The public key of this site:",
  exportTheKeyPair: "Export the key pair",
  exportTheKeyPair2: "Export the key pair?",
  doNotExport: "Do not export",
  theFileHoldsThePrivate: ({ name }: { name: Text }) =>
    `The file holds the private key of “${name}”. Anyone who has it, and the subscribers’ file, can send to every reader in this site’s name, and that cannot be taken back: no other key reaches these readers. Hand it to the new service alone, keep it as you would a password, and delete it afterwards. The audit log records the export.`,

  // new-test-device.tsx
  nameOfANewTest: "Name of a new test device",
  newsroomPhone: "Newsroom phone",
  makeALink: "Make a link",
  aDeviceHasJoinedSend: "A device has joined: send it a test from compose.",
  openThisOn: ({ label }: { label: Text }) => `Open this on “${label}”`,
  qrCodeOfTheLink: ({ label }: { label: Text }) => `QR code of the link for ${label}`,
  itOpensWhereTheSnippet: ({ url, when }: { url: Text; when: Text }) =>
    `It opens ${url}, where the snippet has to be installed, and asks to allow notifications. Until ${when} it makes a test device of every browser in which it is opened: hand it on as you would a password. On an iPhone add the site to the home screen first.`,
  linkForTheDevice: "link for the device",

  // refused-subscribers.tsx
  refusedSubscribers: "Refused subscribers",
  theirPushServiceTakesYour:
    "Their push service accepts your messages to others, but not to them: most subscribed with another key, such as after an import from another service. After three refused sends in a row they are excluded, and do not count as reachable. Readers who visit the site can be reached again.",
  pushService: "Push service",
  refusedLately: "Refused recently",
  excluded: "Excluded",
  deleteThoseExcluded: "Delete the excluded ones",
  deleteTheRefusedSubscribers: "Delete the refused subscribers?",
  deleteIt: ({ excluded }: { excluded: Text }) => `Delete ${excluded}`,
  theyGetNothingTodaySo:
    "They get nothing today, so no reader misses anything. It cannot be undone. Readers among them who visit the site again are subscribed anew by their browser.",

  // unseen-subscribers.tsx
  unseenReaders: "Readers who see nothing",
  theirBrowserShowsNone:
    "Their push service takes every message, and their browser has reported none of the last five or more, while others there report theirs. Most have cleared the site’s data in Firefox, which leaves such a subscription behind until Firefox ends it; some have been off all the time. They count as reachable. Nothing needs to be done; but fewer readers see a notification than the figures of a send say.",
  countingTakesSeconds: "With so many readers the count takes some seconds.",
  countThem: "Count them",
  noneOfThem: "There are none.",
  nudgesTaken: "Get notifications",
  nothingSeen: "See nothing",

  // registrations.tsx
  newReadersByHour: "New readers by hour",
  theHoursOfTheLast:
    "The hours of the last seven days in which most readers subscribed. Anybody can subscribe readers that do not exist. If an hour stands out and you know no reason for it, delete the readers of that period.",
  noReaderSubscribedInThe: "No reader subscribed in the last seven days.",
  hourFrom: "Hour from",
  newReaders: "New readers",
  ofThemNeverReached: "Of them never reached",
  farMoreThanUsual: ({ registered }: { registered: Text }) => `${registered}, far more than usual`,
  subscribedFrom: "Subscribed from",
  untilBefore: "Until before",
  onlyReadersThatNoNudge: "Only readers that no notification has ever reached",
  deleteReadersOfThisPeriod: "Delete readers of this period…",
  deleteIt2: ({ value }: { value: Text }) => `Delete ${value}?`,
  deleteThem: "Delete them",
  theyGetNoNudgesAny:
    "They get no notifications any more. A real reader among them comes back with the next visit to the site. Imported readers and test devices stay.",

  // test-devices.tsx
  backToCompose: "Back to Compose",
  testDevices: "Test devices",
  theyGetWhatYouSend: "They get what you send as a test, and nothing else.",
  noneYet: "None yet.",
  withoutAName: "Without a name",
  name: "Name",
  since: "Since",
  remove: "Remove",
  removeTheDevice: ({ device }: { device: Text }) => `Remove the device ${device}`,
  removeThisTestDevice: "Remove this test device?",
  removeTheDevice2: "Remove the device",
  getsNoTestsAnyMore: ({ value }: { value: Text }) =>
    `“${value}” gets no tests any more. If its browser still allows notifications, it comes back as a reader with its next visit to the site.`,

  // topics.tsx
  topics: "Topics",
  searchTheTopics: "Find a topic",
  moreTopics: ({ n }: { n: number }) => `${n} more: type a part of a name to find them.`,
  noneYetWithTopicsReaders:
    "None yet. With topics readers choose what they are notified about, and you choose who a notification goes to.",
  renameTheTopic: ({ name }: { name: Text }) => `Rename the topic ${name}`,
  rename: "Rename",
  retireTheTopic: ({ name }: { name: Text }) => `Retire the topic ${name}`,
  retire: "Retire",
  retireThisTopic: "Retire this topic?",
  retireTheTopic2: "Retire the topic",
  readersAreNoLongerOffered: ({ name }: { name: Text }) =>
    `Readers are no longer offered “${name}”, and no campaign can be sent to it. What is scheduled to it is still sent. Add a topic of the same name, and it is back with its readers.`,
  renameThisTopic: "Rename this topic",
  newName: "New name",
  newTopic: "New topic",
  add: "Add",
  sport: "Sport",

  // segments.tsx
  segments: "Segments",
  segmentsLead:
    "Groups of readers by what their subscriptions tell: when they came, were here and clicked. You choose one as you write a notification.",
  newSegment: "New segment",
  changeTheSegment: ({ name }: { name: Text }) => `Change the segment ${name}`,
  retireTheSegment: ({ name }: { name: Text }) => `Retire the segment ${name}`,
  change: "Change",
  retireThisSegment: "Retire this segment?",
  retireTheSegment2: "Retire the segment",
  noNewNudgeGoesToIt: ({ name }: { name: Text }) =>
    `“${name}” can no longer be chosen. Drafts and scheduled notifications that have it keep it.`,
  idOfTheSegment: ({ name }: { name: Text }) => `Id of the segment ${name}, for the API`,

  // followed.tsx
  whatReadersFollow: "What readers follow",
  pagesOfferIt:
    "Stories, authors and series that your pages offer, by your ids, with their followers. Compose sends to them.",
  searchWhatReadersFollow: "Search what readers follow",
  mostFollowedFirst: ({ n }: { n: number }) => `The ${n} with the most followers are listed.`,
  endTheStory: ({ story }: { story: Text }) => `End ${story}`,
  endIt: "End",
  endThisStory: "Does nobody follow this any more?",
  endTheFollows: "End it",
  nobodyWillFollow: ({ story }: { story: Text }) =>
    `Its followers leave “${story}” and get nothing more for it. Take it out of your pages first. This cannot be undone.`,

  // segment-form.tsx
  changeThisSegment: "Change this segment",
  nameOfTheSegment: "Name",
  regulars: "Regulars",
  allOfTheseHold: "All that you fill in has to be true of a reader.",
  subscribed: "Subscribed",
  wasHere: "Was on the site, or clicked a notification",
  clickedANudge: "Clicked a notification",
  inTheLast: "In the last … days",
  longerAgo: "At least … days ago",
  notInTheLast: "Not in the last … days",
  clicksAreKnownSince: ({ day }: { day: Text }) =>
    `Clicks are known since ${day}. Until that many days have passed, no reader counts as not having clicked.`,
  clicksAreNotKnown: "This site does not know who clicked: its browsers do not report each notification (Settings).",
  anyOfTheseTopics: "Any of these topics",
  allOfTheseTopics: "All of these topics",
  noneOfTheseTopics: "None of these topics",
  pushServiceOfTheBrowser: "Push service of the browser, any of them",
  timeZoneOfTheReader: "Time zone of the reader, any of them",
  unknownTimeZones: "Readers whose time zone is not known count with the time zone of the site.",
  languageOfTheBrowser: "Language of the browser, any of them",
  unknownLanguages: "Readers whose language is not known are in none.",
  fillInACondition: "Fill in a condition, and see how many readers it has.",
  wouldGetItNow: ({ people }: { people: Text }) => `${people} now`,
  saveSegment: "Save segment",

  // segment-words.ts
  subscribedWithin: ({ n }: { n: number }) => `subscribed in the last ${plural(n, "day")}`,
  subscribedBefore: ({ n }: { n: number }) => `subscribed at least ${plural(n, "day")} ago`,
  seenWithin: ({ n }: { n: number }) => `here in the last ${plural(n, "day")}`,
  notSeenFor: ({ n }: { n: number }) => `not here for ${plural(n, "day")}`,
  clickedWithin: ({ n }: { n: number }) => `clicked in the last ${plural(n, "day")}`,
  notClickedFor: ({ n }: { n: number }) => `no click for ${plural(n, "day")}`,
  anyTopicOf: ({ topics }: { topics: Text }) => `any topic of ${topics}`,
  allTopicsOf: ({ topics }: { topics: Text }) => `all topics of ${topics}`,
  noTopicOf: ({ topics }: { topics: Text }) => `no topic of ${topics}`,
  timeZoneIs: ({ zones }: { zones: Text }) => `time zone ${zones}`,
  languageIs: ({ languages }: { languages: Text }) => `language ${languages}`,
  through: ({ services }: { services: Text }) => `through ${services}`,

  // wrong-lines.ts
  notReadable: "not readable",
  noReaderInIt: "no reader in it",
  tooLongToBeA: "too long to be a reader",
  noAddressOfAPush: "no address of a push service (such as a row of an e-mail or an app)",
  theAddressIsTooLong: "the address is too long",
  theAddressIsOfNo: "the address is of no push service that browsers use",
  theAddressIsNotOne: "the address does not belong to a push service",
  theKeyIsNotOn: "the key is not on the curve: it is damaged, or from another column",
  theSecretDoesNotHave: "the secret does not have 16 bytes: it is damaged, or from another column",
  aTopicThatThisSite: "a topic that this site does not have",
  leftThisSite: "has left this site, or was deleted here, and stays out",
  unsubscribedAtTheOtherService: "unsubscribed at the other service, and stays out",
};

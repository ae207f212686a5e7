import { count } from "../components/numbers.ts";
import { language } from "../words/language.ts";
import { words } from "../words/words.ts";

type Faults = Omit<typeof words.faults, "labels">;
type Plain = { [Name in keyof Faults]: Faults[Name] extends string ? Name : never }[keyof Faults];

/** Formats a number from a message of the service, with the separators of the page's language. */
const figure = (text: string) => count(Number(text.replaceAll(",", "")));

/**
 * The faults of fields, each with the dashboard's words for it. `fault`: a pattern of the service's whole message.
 * `say`: the name of the words, or a function that makes them from the groups of the pattern.
 */
const sentences: [fault: string, say: Plain | ((faults: Faults, ...found: string[]) => string)][] = [
  ["(?:is required|must not be empty)(?: in manual mode)?", "empty"],
  ["must change title, body or imageUrl", "unchanged"],
  ["must have a title, body or imageUrl of its own", "sameHeadline"],
  ["is the same as the campaign or an earlier variant", "sameHeadline"],
  ["is of no use without variants", "noHeadlines"],
  ["cannot be tested in a correction", "noTestOfCorrection"],
  ["cannot be given to a campaign that tests headlines.*", "oneHeadlineAtLocalTime"],
  ["has passed everywhere.*", "pastEverywhere"],
  ["cannot be compared: the site does not count who clicked", "notCounted"],
  ["must be at most half of ttlSeconds", "waitsTooLong"],
  [
    "must have at most ([\\d,]+) (characters|hosts|rules|topics)(?:, and has [\\d,]+)?",
    ({ tooMany }, most, what) => tooMany({ most: figure(most!), what: what as "characters" }),
  ],
  ["must have at least (\\d+) characters", ({ tooShort }, least) => tooShort({ least: least! })],
  [
    "must be a text of at most (\\d+) characters",
    ({ tooMany }, most) => tooMany({ most: figure(most!), what: "characters" }),
  ],
  [
    "must be a whole number from ([\\d,]+) to ([\\d,]+)",
    ({ between }, least, most) => between({ least: figure(least!), most: figure(most!) }),
  ],
  ["must be later than the step before", "notLaterThanBefore"],
  ["is not known: the site does not count who clicked", "clicksUnknown"],
  ["must be at least (\\d+)", ({ atLeast }, least) => atLeast({ least: figure(least!) })],
  ["must differ from the prompt", "sameAsPrompt"],
  ["must be at most 8 languages", "tooManyLanguages"],
  ["must be a language(?: such as .*)?", "noLanguage"],
  ["must be languages such as .*", "noLanguage"],
  ["must be 1 to 30 small letters.*", "factName"],
  ["must not be an identifier of a reader", "identifier"],
  ["is the name of another fact", "sameFact"],
  ["is no fact of this site", "noFact"],
  ["must be texts by language", "noLanguage"],
  ["must be at most ([\\d,]+).*", ({ atMost }, most) => atMost({ most: figure(most!) })],
  ["must be an e-mail address", "email"],
  ["must be an https(?:://)? URL.*", "https"],
  ["must be an http\\(s\\)(?:://)? URL.*", "http"],
  [
    "must be origins such as (\\S+): (.*)",
    ({ origins }, example, wrong) => origins({ example: example!, wrong: wrong! }),
  ],
  ["must be the name of a host such as (.*)", ({ host }, example) => host({ example: example! })],
  ["must be the name of (?:an IANA|a) time zone.*", "zone"],
  ["must be (?:HH:MM|a time of day such as 22:00)", "clock"],
  ["must have from and until", "bothTimes"],
  ["must not begin and end at the same time", "sameTimes"],
  ["must be a page of this site", "notOfSite"],
  ["must be paths such as /push/worker.js", "notPaths"],
  ["must be paths such as /sport/\\* of at most 200 characters", "notPathPatterns"],
  ["must be in the future.*", "past"],
  ["must be an (?:RFC 3339|ISO 8601) time.*", "noTime"],
  ["must be a date such as .*", "noTime"],
  ["must be a (?:time with an offset|real (?:date|time of day)).*", "noTime"],
  ["must be before the year (?:9999|10000).*", "noTime"],
  ["must have an offset of at most 14:00.*", "noTime"],
  ["must (?:be after the beginning|not be before from)", "notAfter"],
  ["must not contain control characters", "invisible"],
  ["must be 1 to 64 letters, digits, . _ ~ or -", "letters"],
  ["must have category and topicId", "categoryAndTopic"],
  ["must name at least one scope.*", "noScope"],
  ["must be accepted before anything is sent", "agreement"],
  ["must have six digits", "sixDigits"],
  ["is no code", "noCode"],
  ["is not valid, or was used already.*", "usedCode"],
  ["is not the app's present code.*", "otherCode"],
  ["is not your password", "notYourPassword"],
  ["is in lists of stolen passwords.*", "stolenPassword"],
  ["must be a push subscription", "noSubscription"],
  ["is a feed of this site already", "knownFeed"],
  ["needs a host that an owner has allowed.*", "foreignHeadlines"],
  ["is a member already", "member"],
  ["must name a site, if role is absent", "noSiteRole"],
  ["is registered already", "knownPasskey"],
  ["is the name of another topic of this site: (.*)", ({ otherTopic }, topic) => otherTopic({ topic: topic! })],
  [
    "is the name of another segment of this site: (.*)",
    ({ otherSegment }, segment) => otherSegment({ segment: segment! }),
  ],
  ["must have at least one condition", "noCondition"],
  ["must be more days than .*", "noReaderHasBoth"],
  ["cannot ask for clicks.*", "clicksNotKnown"],
  ["was sent so long ago that its readers.*", "readersForgotten"],
  ["has an account already.*", "knownAccount"],
  ["is no (?:site|topic|segment|campaign|test device|feed) of this (?:tenant|site)", "gone"],
  ["must be the id of a (?:campaign|segment|test device).*", "gone"],
  ["must be a campaign of this site that was sent", "notSentYet"],
  ["cannot be others than (?:those|that) of the campaign.*", "correction"],
  ["makes a message of .*", "tooLong"],
  ["redirect needs PUBLIC_URL.*", "publicUrl"],
  ['must be (?:\\{"publicKey","privateKey"\\}|a private key on the curve).*', "privateKey"],
  ["must have a public key.*", "publicKey"],
  ["must be the answer of a passkey", "noPasskey"],
  ["must be a plan that PLANS names: (.*)", ({ plan }, plans) => plan({ plans: plans! })],
  ["holds a value that cannot be stored", "notStorable"],
  ["Shorten the URL to ([\\d,]+) characters\\.", ({ longAddress }, most) => longAddress({ most: figure(most!) })],
  ["Remove spaces, line breaks.*", "spaces"],
  ["Use a full URL that begins with https://\\.", "wholeAddress"],
  ["Correct the URL.*", "unreadable"],
  ["Remove the user name.*", "userName"],
  ["Use the public host name.*", "publicHost"],
  ["Use a public address.*", "publicAddress"],
  ["Use the standard HTTPS port, 443\\.", "port"],
  // Only a page of another version than the service sends these.
  ["must be (?:a|an) (?:string|list|object|array|number|whole number|JSON object|UUID|comma list|path).*", "reload"],
  ["must be (?:true or false|given once|one of |one header|the nextCursor).*", "reload"],
  ["must be (?:an id of 1 to 100|one line of 1 to 100) characters.*", "reload"],
  ["must be [\\w-]+(?:, [\\w-]+)* or [\\w-]+", "reload"],
  ["must (?:name each site once|be higher than role|have at most [\\d,]+ roles)", "reload"],
  [
    "(?:is not a field of this request|is named twice|is nested too deeply|is no token of ours|must not contain NUL.*)",
    "reload",
  ],
];

const rules = sentences.map(([fault, say]) => ({ fault: new RegExp(`^(?:${fault})$`, "s"), say }));

/** Returns the fault of a field as a sentence in the dashboard's words. */
export function wordsOfFault(message: string): string {
  const { faults } = words;
  for (const { fault, say } of rules) {
    const found = fault.exec(message);
    if (found === null) continue;
    return typeof say === "string" ? faults[say] : say(faults, ...found.slice(1));
  }
  return faults.unknown;
}

/** Returns the label of a field, such as "Picture" for `/imageUrl`. Returns "" for a field that no person fills in. */
export function labelOf(path: string): string {
  const name = path.split("/")[1] ?? "";
  const labels: Record<string, string> = words.faults.labels;
  if (Object.hasOwn(labels, name)) return labels[name]!;
  return language === "en" && /^[a-z]+$/.test(name) ? name[0]!.toUpperCase() + name.slice(1) : "";
}

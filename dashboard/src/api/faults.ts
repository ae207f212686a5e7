import type { FieldFault } from "../../../src/errors.ts";

const again = "This page is older than the service. Reload it and try again.";
const noTime = "There is no such time. Choose it again.";
const gone = "This is not here any more. Reload the page and choose again.";
const tooLong = "This is too long for one nudge. Shorten the text, or the address of the story or of the picture.";

/**
 * What is wrong with a field, in the dashboard's words. `$1`: what the service names. The service's words come first: a
 * fault that begins so, to its end.
 */
const sentences: [fault: string, words: string][] = [
  ["(?:is required|must not be empty)(?: in manual mode)?", "This must not be empty."],
  [
    "must have at most ([\\d,]+) (characters|hosts|rules|topics)(?:, and has ([\\d,]+))?",
    "This must have at most $1 $2.",
  ],
  ["must have at least (\\d+) characters", "This must have at least $1 characters."],
  ["must be a text of at most (\\d+) characters", "This must have at most $1 characters."],
  ["must be a whole number from ([\\d,]+) to ([\\d,]+)", "This must be a whole number from $1 to $2."],
  ["must be at least (\\d+)", "This must be $1 or more."],
  ["must be at most ([\\d,]+).*", "This must be $1 or less."],
  ["must be an e-mail address", "This must be an e-mail address."],
  ["must be an https(?:://)? URL.*", "This must be an address that begins with https://."],
  ["must be an http\\(s\\)(?:://)? URL.*", "This must be an address that begins with https:// or http://."],
  ["must be origins such as (\\S+): (.*)", "Write addresses like $1, each in a line of its own. This is none: $2"],
  ["must be the name of a host such as (.*)", "This must be the name of a website, such as $1."],
  ["must be the name of (?:an IANA|a) time zone.*", "Choose a time zone of the list."],
  ["must be (?:HH:MM|a time of day such as 22:00)", "This must be a time such as 22:00."],
  ["must have from and until", "Give both times, or neither."],
  ["must not begin and end at the same time", "This must not begin and end at the same time."],
  ["must be in the future.*", "This time has passed. Choose a later one."],
  ["must be an RFC 3339 time.*", noTime],
  ["must be a (?:time with an offset|real (?:date|time of day)).*", noTime],
  ["must be before the year 10000", noTime],
  ["must have an offset of at most 14:00", noTime],
  ["must be after the beginning", "This must be later than the beginning."],
  [
    "must not contain control characters",
    "This has invisible characters. Write it by hand, or paste it as plain text.",
  ],
  ["must be 1 to 64 letters, digits, . _ ~ or -", "This must have 1 to 64 letters, digits, dots and hyphens."],
  ["must have category and topicId", "Give both the category and the topic."],
  ["must name at least one scope.*", "Tick at least one."],
  ["must be accepted before anything is sent", "Accept the agreement first: nothing is sent without it."],
  ["must have six digits", "The code has six digits."],
  ["is no code", "The code has six digits. A recovery code has letters, too."],
  ["is not valid, or was used already.*", "This is not valid, or was used already: wait for the app’s next one."],
  ["is not the app's present code.*", "This is not the app’s present code. Check the clock of the device."],
  ["is not your password", "This is not your password."],
  [
    "is in lists of stolen passwords.*",
    "This is in lists of stolen passwords. Choose another, such as four words of your own.",
  ],
  ["must be a push subscription", "This browser gave no address for nudges. Reload the page and switch them on again."],
  ["is a feed of this site already", "This is a feed of this site already."],
  ["is a member already", "This is a member already."],
  ["is registered already", "This device has a passkey here already."],
  ["is the name of another topic of this site: (.*)", "This is the name of another topic: $1"],
  ["has an account already, whose address (.*)", "This has an account already, whose address $1"],
  ["is no (?:site|topic|campaign) of this (?:tenant|site)", gone],
  ["must be the id of a campaign", gone],
  [
    "must be a campaign of this site whose run has ended.*",
    "The first nudge is still being sent. Stop it, or wait for its end.",
  ],
  ["cannot be others than those of the campaign.*", "A correction goes to the people of the first nudge."],
  ["makes a message of .*", tooLong],
  ["redirect needs PUBLIC_URL.*", "Ask the person who runs Pressbell to set its public address first."],
  [
    "must be a private key on the curve.*",
    "This must be a key pair that another service has exported, without a passphrase.",
  ],
  ["must have a public key.*", "This must have a public key that belongs to its private key."],
  ["must be the answer of a passkey", "The device did not confirm it. Try again."],
  ["must be a plan that PLANS names: (.*)", "There is no such plan. There are: $1"],
  ["holds a value that cannot be stored", "This cannot be stored. Write it by hand, or paste it as plain text."],
  ["Shorten the URL to ([\\d,]+) characters\\.", "Shorten the address to $1 characters."],
  ["Remove spaces, line breaks.*", "Remove spaces, line breaks and backslashes from the address."],
  ["Use a full URL that begins with https://\\.", "Use a whole address that begins with https://."],
  ["Correct the URL.*", "Correct the address: it cannot be read."],
  ["Remove the user name.*", "Remove the user name and password before the @."],
  ["Use the public host name.*", "Use the public address of the site, such as www.example.com."],
  ["Use a public address.*", "Use a public address: this one leads inside a network."],
  ["Use the standard HTTPS port, 443\\.", "Remove the port (the number after the colon) from the address."],
  // What only a page of another version sends.
  ["must be (?:a|an) (?:string|list|object|array|number|whole number|JSON object|UUID|comma list|path).*", again],
  ["must be (?:true or false|given once|one of |one header|the nextCursor).*", again],
  ["must be [\\w-]+(?:, [\\w-]+)* or [\\w-]+", again],
  ["(?:is not a field of this request|is nested too deeply|is no token of ours|must not contain NUL.*)", again],
];

const rules = sentences.map(([fault, words]) => ({ fault: new RegExp(`^(?:${fault})$`, "s"), words }));

/** What is said of a fault for which the dashboard has no words. */
export const unknownFault = "This is not right yet. Look at it again.";

/** Returns what is wrong with a field as a sentence in the dashboard's words. */
export function wordsOfFault(message: string): string {
  const rule = rules.find(({ fault }) => fault.test(message));
  return rule === undefined ? unknownFault : message.replace(rule.fault, rule.words);
}

/** The fields whose label is not their name. */
const labels: Record<string, string> = {
  url: "Address",
  imageUrl: "Picture",
  body: "Text",
  topicIds: "Topics",
  ttlSeconds: "Worth showing for",
  scheduleAt: "Time",
  tenantName: "Publisher",
  siteName: "Name of the site",
  siteUrl: "Address of the site",
};

/** Returns the label of a field, such as "Picture" for `/imageUrl`; empty for what no person fills in. */
export function labelOf({ path }: FieldFault): string {
  const name = path.split("/")[1] ?? "";
  if (Object.hasOwn(labels, name)) return labels[name]!;
  return /^[a-z]+$/.test(name) ? name[0]!.toUpperCase() + name.slice(1) : "";
}

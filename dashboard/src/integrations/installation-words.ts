import type { InstallationCheck, InstallationFinding, InstallationProblem } from "../api/installation-calls.ts";

/** What each check is about, when it is right. */
export const rightWords: Record<InstallationCheck, string> = {
  service: "Readers’ browsers reach Pressbell",
  page: "The first page of the site can be read",
  snippet: "The page has the line that loads Pressbell",
  worker: "The worker file is there and imports Pressbell’s",
  scope: "The worker file may do its work where it lies",
  policy: "The site’s security policy lets Pressbell load",
};

/** What each check is about, when it is not right or could not be made. */
export const names: Record<InstallationCheck, string> = {
  service: "Pressbell’s own address",
  page: "The first page of the site",
  snippet: "The line in the page",
  worker: "The worker file",
  scope: "Where the worker file lies",
  policy: "The site’s security policy",
};

const unchecked: Record<InstallationCheck, string> = {
  service:
    "Not checked: Pressbell does not call addresses of its own network. Open it from a phone without Wi-Fi instead.",
  page: "Not checked.",
  snippet: "Checked once the page can be read.",
  worker: "Checked once the page can be read.",
  scope: "Checked once the worker file is there.",
  policy: "Checked once the page can be read.",
};

type Words = (finding: InstallationFinding) => string;

/** What is wrong and how to mend it, for people who can change the site or ask for it. */
const wrongWords: Record<Exclude<InstallationProblem, "unchecked">, Words> = {
  not_https: ({ about }) =>
    `Pressbell’s address ${about} does not begin with https://. Browsers then offer no notifications: ask the person who runs it for a certificate.`,
  status: ({ about, said }) => `${about} answers with the error ${said}. Publish it there.`,
  refused: ({ about }) =>
    `${about} is not an address on the public internet. Correct the address of the site in the settings.`,
  unreachable: ({ about, said }) =>
    `${about} does not answer (${said}). Is the address right, and the certificate valid? Try again in a minute.`,
  missing: ({ about }) =>
    `${about} does not have it. Copy line 1 from above into the head of every page, and empty the site’s cache.`,
  other_service: ({ about }) =>
    `${about} has a line with another address of Pressbell. Replace it by line 1 from above.`,
  other_site: ({ about }) => `${about} has the line of another site. Replace it by line 1 from above.`,
  other_origin: ({ about }) =>
    `${about} is on another website, which browsers refuse. Put the file on the site itself, as /pressbell-sw.js.`,
  redirected: ({ about }) => `${about} leads on to another address, which browsers refuse. Serve the file itself.`,
  type: ({ about, said }) =>
    `${about} is served as ${said}, which browsers refuse. Serve it as text/javascript. Perhaps it is not there, and the site shows a page instead.`,
  no_import: ({ about }) => `${about} does not have line 2 from above. Add it as the first line.`,
  other_import: ({ about }) =>
    `${about} imports the worker of another site or address. Replace that line by line 2 from above.`,
  too_wide: ({ about }) =>
    `data-scope asks for ${about}, which is more than the file’s own folder. Put the file at the root of the site, or take data-scope out of the line.`,
  page: ({ about }) => `The pages of the site forbid it. Add to their Content-Security-Policy: ${about}`,
  worker: ({ about }) => `The worker file forbids it. Add to its Content-Security-Policy: ${about}`,
};

/** Returns what to do about a finding that is not right. */
export function wordsOf(finding: InstallationFinding): string {
  const { problem, check } = finding;
  if (problem === null) return rightWords[check];
  return problem === "unchecked" ? unchecked[check] : wrongWords[problem](finding);
}

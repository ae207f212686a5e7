import type { ReactNode } from "react";
import { rich } from "../rich.ts";
import type { Text } from "../text.ts";

export const integrations = {
  // api-keys.tsx
  apiKey: "API key",
  everything: "everything",
  restApiKeys: "REST API keys",
  oneForEachSystemThat:
    "One for each system that sends. They belong on a server: with one that may send, anyone reaches all your readers.",
  isShownOnlyNow: ({ name }: { name: Text }) => `“${name}” is shown only now`,
  iHaveIt: "I have it",
  noKeyYetNothingCan: "No key yet: nothing can send over the API.",
  name: "Name",
  beginsWith: "Begins with",
  may: "May",
  lastUsed: "Last used",
  ends: "Ends",
  deleteIt: "Delete",
  usedAndEnds: ({ prefix, used, ends }: { prefix: Text; used: ReactNode; ends: ReactNode }) =>
    rich`${prefix}…, used ${used}, ends ${ends}`,
  deleteTheKey: ({ name }: { name: Text }) => `Delete the key ${name}`,
  deleteThisKey: "Delete this key?",
  deleteTheKey2: "Delete the key",
  whateverUsesIsRefusedFrom: ({ name }: { name: Text }) => `Requests with “${name}” are refused immediately.`,

  // check-installation.tsx
  right: "Right",
  toFix: "To fix",
  notChecked: "Not checked",
  checkMyInstallation: "Check my installation",
  readsAndItsWorkerFile: ({ url }: { url: Text }) => `Reads ${url} and its worker file as a reader’s browser does.`,
  checkIt: "Check it",
  checkItAgain: "Check it again",
  readersCannotReachPressbellYet:
    "Readers cannot reach Pressbell yet: it has no public address. Ask the person who runs it to set PUBLIC_URL to its https:// address, then check again.",
  oneThingIsToFix: "One thing needs fixing.",
  thingsAreToFixBegin: ({ wrong }: { wrong: Text }) => `${wrong} things need fixing. Begin with the first.`,
  openYourSiteItOffers: "Open your site: it offers the notifications.",
  everythingIsInPlace: ({ next }: { next: Text }) => `Everything is in place. ${next}`,
  nothingToFixWasFound: ({ next }: { next: Text }) => `Nothing to fix was found. ${next}`,

  // installation-words.ts
  readersBrowsersReachPressbell: "Readers’ browsers reach Pressbell",
  theFirstPageOfThe: "The first page of the site can be read",
  thePageHasTheLine: "The page has the line that loads Pressbell",
  theWorkerFileIsThere: "The worker file is there and imports Pressbell’s",
  theWorkerFileCanServe: "The worker file is at an address that lets it serve the site",
  theSitesSecurityPolicyLets: "The site’s security policy lets Pressbell load",
  pressbellsOwnAddress: "Pressbell’s own address",
  theFirstPageOfThe2: "The first page of the site",
  theLineInThePage: "The line in the page",
  theWorkerFile: "The worker file",
  addressOfTheWorkerFile: "The address of the worker file",
  theSitesSecurityPolicy: "The site’s security policy",
  notCheckedPressbellDoesNot:
    "Not checked: Pressbell does not call addresses of its own network. Open it from a phone without Wi-Fi instead.",
  notChecked2: "Not checked.",
  checkedOnceThePageCan: "Checked once the page can be read.",
  checkedOnceTheWorkerFile: "Checked once the worker file is there.",
  pressbellsAddressDoesNotBegin: ({ about }: { about: Text }) =>
    `Pressbell’s address ${about} does not begin with https://. Browsers then offer no notifications: ask the person who runs it for a certificate.`,
  answersWithTheErrorPublish: ({ about, said }: { about: Text; said: Text }) =>
    `${about} answers with the error ${said}. Publish it there.`,
  isNotAnAddressOn: ({ about }: { about: Text }) =>
    `${about} is not an address on the public internet. Correct the address of the site in the settings.`,
  doesNotAnswerIsThe: ({ about, said }: { about: Text; said: Text }) =>
    `${about} does not answer (${said}). Is the address right, and the certificate valid? Try again in a minute.`,
  doesNotHaveItCopy: ({ about }: { about: Text }) =>
    `${about} does not have it. Copy line 1 from above into the head of every page, and empty the site’s cache.`,
  hasALineWithAnother: ({ about }: { about: Text }) =>
    `${about} has a line with another address of Pressbell. Replace it by line 1 from above.`,
  hasTheLineOfAnother: ({ about }: { about: Text }) =>
    `${about} has the line of another site. Replace it by line 1 from above.`,
  isOnAnotherWebsiteWhich: ({ about }: { about: Text }) =>
    `${about} is on another website, which browsers refuse. Put the file on the site itself, as /pressbell-sw.js.`,
  leadsOnToAnotherAddress: ({ about }: { about: Text }) =>
    `${about} leads on to another address, which browsers refuse. Serve the file itself.`,
  isServedAsWhichBrowsers: ({ about, said }: { about: Text; said: Text }) =>
    `${about} is served as ${said}, which browsers refuse. Serve it as text/javascript. Perhaps it is not there, and the site shows a page instead.`,
  doesNotHaveLine2: ({ about }: { about: Text }) =>
    `${about} does not have line 2 from above. Add it as the first line.`,
  importsTheWorkerOfAnother: ({ about }: { about: Text }) =>
    `${about} imports the worker of another site or address. Replace that line by line 2 from above.`,
  dataScopeAsksForWhich: ({ about }: { about: Text }) =>
    `data-scope asks for ${about}, which is more than the file’s own folder. Put the file at the root of the site, or take data-scope out of the line.`,
  thePagesOfTheSite: ({ about }: { about: Text }) =>
    `The pages of the site forbid it. Add to their Content-Security-Policy: ${about}`,
  manifestIsRight: "The site’s manifest lets iPhones and iPads open it as an app",
  manifest: "The manifest, for iPhones and iPads",
  aTagManagerMayLoadIt: ({ about }: { about: Text }) =>
    `${about} does not have it in its text, and has a tag manager that may load it. Open the page in a browser: if it offers notifications, all is well.`,
  namesNoManifest: ({ about }: { about: Text }) =>
    `${about} names no web app manifest. Before iOS 26, iPhones and iPads then open the site in the browser from the home screen too, where they have no notifications. Publish the one below.`,
  manifestIsNoJson: ({ about }: { about: Text }) => `${about} is no valid JSON. Correct it, or publish the one below.`,
  manifestsDisplay: ({ about, said }: { about: Text; said: Text }) =>
    `${about} has the display “${said}”. Change it to “standalone”: before iOS 26, iPhones and iPads have notifications only then.`,
  manifestsStart: ({ about, said }: { about: Text; said: Text }) =>
    `${about} begins at “${said}”, which is on another site or outside its scope. Change start_url to the site’s first page.`,
  manifestsScope: ({ about, said }: { about: Text; said: Text }) =>
    `${about} is for “${said}” only, and the site’s first page is not in it. Widen its scope.`,
  manifestHasNoIcon: ({ about }: { about: Text }) =>
    `${about} names no icon, so the site has none on the home screen. Add one of 192 pixels or more.`,
  aReadyManifest: "A ready manifest: publish it as /manifest.webmanifest",
  lineForTheManifest: "Line for the head of every page",
  textOfTheManifest: "web app manifest",
  theWorkerFileForbidsIt: ({ about }: { about: Text }) =>
    `The worker file forbids it. Add to its Content-Security-Policy: ${about}`,

  // new-key.tsx
  checkStories: "check stories",
  writeDrafts: "write drafts",
  testScheduleSendAndStop: "test, schedule, send and stop",
  readFigures: "read figures",
  readCampaignsAndResults: "read campaigns and results",
  neverEnds: "Never ends",
  endsIn30Days: "Ends in 30 days",
  endsIn90Days: "Ends in 90 days",
  endsInAYear: "Ends in a year",
  nameOfANewKey: "Name of a new key",
  ourCms: "Our CMS",
  itsEnd: "Its end",
  makeAKey: "Make a key",
  whatItMayDo: "What it may do",
};

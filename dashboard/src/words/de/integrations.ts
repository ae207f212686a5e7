import type { integrations as english } from "../en/integrations.ts";
import { rich } from "../rich.ts";

export const integrations: typeof english = {
  // api-keys.tsx
  apiKey: "API-Schlüssel",
  everything: "alles",
  restApiKeys: "REST-API-Schlüssel",
  oneForEachSystemThat:
    "Einer für jedes System, das sendet. Sie gehören auf einen Server: Mit einem, der senden darf, erreicht jeder alle Ihre Leser:innen.",
  isShownOnlyNow: ({ name }) => `„${name}“ wird nur dieses eine Mal angezeigt`,
  iHaveIt: "Ich habe ihn",
  noKeyYetNothingCan: "Noch kein Schlüssel: Über die API kann nichts senden.",
  name: "Name",
  beginsWith: "Beginnt mit",
  may: "Darf",
  lastUsed: "Zuletzt benutzt",
  ends: "Endet",
  deleteIt: "Löschen",
  usedAndEnds: ({ prefix, used, ends }) => rich`${prefix}…, benutzt ${used}, endet ${ends}`,
  deleteTheKey: ({ name }) => `Schlüssel ${name} löschen`,
  deleteThisKey: "Diesen Schlüssel löschen?",
  deleteTheKey2: "Schlüssel löschen",
  whateverUsesIsRefusedFrom: ({ name }) => `Anfragen mit „${name}“ werden sofort abgelehnt.`,

  // check-installation.tsx
  right: "In Ordnung",
  toFix: "Zu beheben",
  notChecked: "Nicht geprüft",
  checkMyInstallation: "Einbindung prüfen",
  readsAndItsWorkerFile: ({ url }) => `Liest ${url} und die Worker-Datei wie ein Browser.`,
  checkIt: "Prüfen",
  checkItAgain: "Noch einmal prüfen",
  readersCannotReachPressbellYet:
    "Browser erreichen Pressbell noch nicht: Es hat keine öffentliche Adresse. Wer es betreibt, muss PUBLIC_URL auf die https://-Adresse setzen; prüfen Sie dann noch einmal.",
  oneThingIsToFix: "Eines ist zu beheben.",
  thingsAreToFixBegin: ({ wrong }) => `${wrong} Dinge sind zu beheben. Beginnen Sie mit dem ersten.`,
  openYourSiteItOffers: "Öffnen Sie Ihre Website: Sie bietet die Benachrichtigungen an.",
  everythingIsInPlace: ({ next }) => `Alles ist an seinem Platz. ${next}`,
  nothingToFixWasFound: ({ next }) => `Nichts ist zu beheben. ${next}`,

  // installation-words.ts
  readersBrowsersReachPressbell: "Browser erreichen Pressbell",
  theFirstPageOfThe: "Die Startseite der Website ist zu lesen",
  thePageHasTheLine: "Die Seite hat die Zeile, die Pressbell lädt",
  theWorkerFileIsThere: "Die Worker-Datei ist da und importiert die von Pressbell",
  theWorkerFileCanServe: "Die Adresse der Worker-Datei passt zur Website",
  theSitesSecurityPolicyLets: "Die Sicherheitsrichtlinie der Website lässt Pressbell laden",
  pressbellsOwnAddress: "Die Adresse von Pressbell",
  theFirstPageOfThe2: "Die Startseite der Website",
  theLineInThePage: "Die Zeile in der Seite",
  theWorkerFile: "Die Worker-Datei",
  addressOfTheWorkerFile: "Die Adresse der Worker-Datei",
  theSitesSecurityPolicy: "Die Sicherheitsrichtlinie der Website",
  notCheckedPressbellDoesNot:
    "Nicht geprüft: Pressbell ruft keine Adressen des eigenen Netzes auf. Öffnen Sie sie stattdessen mit einem Telefon ohne WLAN.",
  notChecked2: "Nicht geprüft.",
  checkedOnceThePageCan: "Wird geprüft, sobald die Seite zu lesen ist.",
  checkedOnceTheWorkerFile: "Wird geprüft, sobald die Worker-Datei da ist.",
  pressbellsAddressDoesNotBegin: ({ about }) =>
    `Die Adresse von Pressbell, ${about}, beginnt nicht mit https://. Browser bieten dann keine Benachrichtigungen an: Wer es betreibt, braucht ein Zertifikat.`,
  answersWithTheErrorPublish: ({ about, said }) =>
    `${about} antwortet mit dem Fehler ${said}. Veröffentlichen Sie sie dort.`,
  isNotAnAddressOn: ({ about }) =>
    `${about} ist keine Adresse im öffentlichen Internet. Berichtigen Sie die Adresse der Website in den Einstellungen.`,
  doesNotAnswerIsThe: ({ about, said }) =>
    `${about} antwortet nicht (${said}). Stimmt die Adresse, und gilt das Zertifikat? Versuchen Sie es in einer Minute noch einmal.`,
  doesNotHaveItCopy: ({ about }) =>
    `${about} hat sie nicht. Kopieren Sie Zeile 1 von oben in den Kopf jeder Seite, und leeren Sie den Cache der Website.`,
  hasALineWithAnother: ({ about }) =>
    `${about} hat eine Zeile mit einer anderen Adresse von Pressbell. Ersetzen Sie sie durch Zeile 1 von oben.`,
  hasTheLineOfAnother: ({ about }) =>
    `${about} hat die Zeile einer anderen Website. Ersetzen Sie sie durch Zeile 1 von oben.`,
  isOnAnotherWebsiteWhich: ({ about }) =>
    `${about} liegt auf einer anderen Website; das lehnen Browser ab. Legen Sie die Datei auf die Website selbst, als /pressbell-sw.js.`,
  leadsOnToAnotherAddress: ({ about }) =>
    `${about} leitet zu einer anderen Adresse weiter; das lehnen Browser ab. Liefern Sie die Datei selbst aus.`,
  isServedAsWhichBrowsers: ({ about, said }) =>
    `${about} wird als ${said} ausgeliefert; das lehnen Browser ab. Liefern Sie sie als text/javascript aus. Vielleicht ist sie nicht da, und die Website zeigt stattdessen eine Seite.`,
  doesNotHaveLine2: ({ about }) => `${about} hat Zeile 2 von oben nicht. Fügen Sie sie als erste Zeile ein.`,
  importsTheWorkerOfAnother: ({ about }) =>
    `${about} importiert den Worker einer anderen Website oder Adresse. Ersetzen Sie jene Zeile durch Zeile 2 von oben.`,
  dataScopeAsksForWhich: ({ about }) =>
    `data-scope verlangt ${about}; das ist mehr als der Ordner der Datei. Legen Sie die Datei ins Hauptverzeichnis der Website, oder nehmen Sie data-scope aus der Zeile.`,
  thePagesOfTheSite: ({ about }) =>
    `Die Seiten der Website verbieten es. Ergänzen Sie ihre Content-Security-Policy um: ${about}`,
  manifestIsRight: "Das Manifest der Website lässt iPhones und iPads sie als App öffnen",
  manifest: "Das Manifest, für iPhones und iPads",
  aTagManagerMayLoadIt: ({ about }) =>
    `${about} hat sie nicht im Text, aber einen Tag-Manager, der sie laden kann. Öffnen Sie die Seite in einem Browser: Bietet sie Benachrichtigungen an, ist alles gut.`,
  namesNoManifest: ({ about }) =>
    `${about} nennt kein Web-App-Manifest. Vor iOS 26 öffnen iPhones und iPads die Website dann auch vom Home-Bildschirm im Browser, und dort haben sie keine Benachrichtigungen. Veröffentlichen Sie das untenstehende.`,
  manifestIsNoJson: ({ about }) =>
    `${about} ist kein gültiges JSON. Berichtigen Sie es, oder veröffentlichen Sie das untenstehende.`,
  manifestsDisplay: ({ about, said }) =>
    `${about} hat „${said}“ als display. Ändern Sie das in „standalone“: Vor iOS 26 haben iPhones und iPads nur dann Benachrichtigungen.`,
  manifestsStart: ({ about, said }) =>
    `${about} beginnt bei „${said}“, auf einer anderen Website oder außerhalb ihres scope. Ändern Sie start_url in die Startseite.`,
  manifestsScope: ({ about, said }) =>
    `${about} gilt nur für „${said}“, und die Startseite liegt nicht darin. Erweitern Sie den scope.`,
  manifestHasNoIcon: ({ about }) =>
    `${about} nennt kein Symbol, also hat die Website keines auf dem Home-Bildschirm. Ergänzen Sie eines ab 192 Pixeln.`,
  aReadyManifest: "Ein fertiges Manifest: Veröffentlichen Sie es als /manifest.webmanifest",
  lineForTheManifest: "Zeile für den Kopf jeder Seite",
  textOfTheManifest: "Web-App-Manifest",
  theWorkerFileForbidsIt: ({ about }) =>
    `Die Worker-Datei verbietet es. Ergänzen Sie ihre Content-Security-Policy um: ${about}`,

  // new-key.tsx
  checkStories: "Artikel beurteilen",
  writeDrafts: "Entwürfe schreiben",
  testScheduleSendAndStop: "testen, planen, senden und stoppen",
  readFigures: "Zahlen lesen",
  readCampaignsAndResults: "Kampagnen und Ergebnisse lesen",
  neverEnds: "Endet nie",
  endsIn30Days: "Endet in 30 Tagen",
  endsIn90Days: "Endet in 90 Tagen",
  endsInAYear: "Endet in einem Jahr",
  nameOfANewKey: "Name eines neuen Schlüssels",
  ourCms: "Unser CMS",
  itsEnd: "Sein Ende",
  makeAKey: "Schlüssel erstellen",
  whatItMayDo: "Was er darf",
};

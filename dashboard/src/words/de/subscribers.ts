import type { subscribers as english } from "../en/subscribers.ts";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";

export const subscribers: typeof english = {
  migrated: "Von einem anderen Dienst übernommen",
  migratedSoFar: ({ n, week }) => `${n} Leser sind gekommen, ${week} davon in den letzten sieben Tagen.`,
  stillToCome: ({ n, former }) => `${n} seiner ${former} Leser waren noch nicht wieder da oder sind gegangen.`,
  // import-columns.tsx
  address: "Adresse",
  atThePushServiceHttps: "Beim Push-Dienst: https://… (endpoint)",
  key: "Schlüssel",
  n87LettersAndDigitsP256dh: "87 Buchstaben und Ziffern (p256dh)",
  secret: "Geheimnis",
  n22LettersAndDigitsAuth: "22 Buchstaben und Ziffern (auth)",
  hasUnsubscribed: "Hat sich abgemeldet",
  thoseWhoHaveStayOut: "Wer das hat, wird nicht importiert",
  isStillSubscribed: "Noch abonniert",
  thoseWhoAreNotStayOut: "Wer hier ein Nein oder einen Stand wie „unsubscribed“ hat, wird nicht importiert.",
  allInOne: "Alles in einem",
  addressKeyAndSecretAs: "Adresse, Schlüssel und Geheimnis als ein Text in { }",
  keyAndSecret: "Schlüssel und Geheimnis",
  keyAndSecretAs: "Beide als ein Text in { }",
  whoHasLeftIsLeftOut: ({ names }) => `Abos, die laut ${names} abgemeldet sind, werden nicht importiert.`,
  looksLikeAnEnd: "Geht es hier um Abmeldungen?",
  notUsedChoose: ({ names }) =>
    `${names}. Nicht verwendet, also bleibt niemand draußen. Steht dort, wer sich abgemeldet hat, wählen Sie es oben. Kennt Pressbell die Wörter nicht, nehmen Sie diese Abos vorher aus der Datei.`,
  notUsedTakeOut: ({ names }) =>
    `${names}. Nicht verwendet, also bleibt niemand draußen. Steht dort, wer sich abgemeldet hat, nehmen Sie diese Abos vorher aus der Datei.`,
  thisIsAListOf: "Das ist eine Liste von Abos in JSON.",
  thisHasAReaderIn: "Das hat in jeder Zeile ein Abo.",
  column: ({ value }) => `Spalte ${value}`,
  thisIsATableWith: ({ width, value }) =>
    `Das ist eine Tabelle mit ${width} Spalten, getrennt durch ${value}. Diese Spalten wurden erkannt; ändern Sie, was nicht stimmt.`,
  none: "Keine",
  chooseTheColumnsWithAddress:
    "Wählen Sie die Spalten mit Adresse, Schlüssel und Geheimnis. Ohne sie kann kein Push gesendet werden: Bitten Sie den anderen Dienst um einen Export, der sie hat.",
  firstLinesOfTheFile: "Erste Zeilen der Datei",

  // import-file.tsx
  importIt: "Importieren",
  theExportOfAnotherService:
    "Der Export eines anderen Dienstes als CSV (auch gepackt, .csv.gz), eine Liste in JSON oder unser eigener Export. Zu erreichen sind nur Abos zum eigenen Schlüssel dieser Website: Von einem anderen Dienst kommt zuerst das Schlüsselpaar, siehe unten.",
  file: "Datei",
  chooseAFile: "Datei wählen",
  chooseNone: "Keine wählen",
  stop: "Stoppen",
  changeTheColumns: "Spalten ändern",
  tooLarge: ({ siteId }) =>
    `Das sind über 256 MB. Importieren Sie es auf der Befehlszeile: pressbell subscribers import --site ${siteId} FILE`,
  thisFileCannotBeRead:
    "Diese Datei ist nicht zu lesen. Wählen Sie sie noch einmal; eine, deren Name auf .gz endet, muss mit gzip gepackt sein.",

  bringBackWhoHasLeft: "Abgemeldete zurückholen",
  whoHasLeftThisSite:
    "Wer sich von dieser Website abgemeldet oder seine Daten gelöscht hat, bleibt draußen. Holen Sie diese Abos nur zurück, wenn wieder zugestimmt wurde.",

  // import-key-pair.tsx
  useTheKeyPairOf: "Schlüsselpaar eines anderen Dienstes benutzen",
  notForThisSiteIt:
    "Nicht bei dieser Website: Sie hat Abos oder Testgeräte, die zu ihrem eigenen Paar gehören und alle verloren wären. Um mit einem anderen Paar zu kommen, fügen Sie eine neue Website hinzu (Einstellungen), und tun Sie es dort, bevor jemand abonniert.",
  theSiteHasThisPair:
    "Die Website hat jetzt dieses Paar. Ihr öffentlicher Schlüssel steht oben. Die Einbindung bleibt, wie sie ist, und gibt ihn Browsern von selbst; wo ein eigenes Skript den früheren Schlüssel nennt, setzen Sie diesen ein. Importieren Sie nun die Abos.",
  asJsonOrPem: ({ example }) =>
    rich`Als ${example} oder ein privater Schlüssel als JWK oder PEM. Die Website gibt dafür ihr eigenes Paar auf.`,
  fileWithThePair: "Datei mit dem Paar",
  orItsText: "Oder ihr Text",
  useThisPair: "Dieses Paar benutzen",

  // import-result.tsx
  importingKeepThisPageOpen: "Der Import läuft. Lassen Sie diese Seite offen.",
  done: "Fertig.",
  stoppedWhatWentInStays:
    "Gestoppt. Was importiert ist, bleibt. Importieren Sie die Datei noch einmal, um den Rest hinzuzufügen.",
  itBrokeOffWhatWent:
    "Der Import brach ab. Was importiert ist, bleibt. Importieren Sie die Datei noch einmal, um den Rest hinzuzufügen.",
  howMuchOfTheFile: "Wie viel der Datei importiert ist",
  linesNewChangedKnownAlready: ({ lines, added, changed, unchanged, wrong }) =>
    `${lines} Zeilen: ${added} neu, ${changed} geändert, ${unchanged} schon bekannt, ${wrong} falsch.`,
  noReaderWasImported: "Kein Abo wurde importiert",
  theFileHasNoReaders: "In der Datei sind keine Abos.",
  notOneLineOfThe:
    "Keine Zeile der Datei stimmte. Was daran falsch ist, steht unten: Vielleicht ist es eine andere Datei, oder die Spalten sind vertauscht.",
  linesThatDidNotGo: "Nicht importierte Zeilen",
  andMore: ({ rest }) => `Und ${rest} weitere.`,
  saveTheseLines: "Diese Zeilen speichern",
  saveTheList: "Liste speichern",
  theFirstOfThem: ({ length }) => `Die ersten ${length} davon.`,
  group: ({ n, reason, where }) => `${plural(n, "Zeile", "Zeilen")}: ${reason} (${where})`,
  line: ({ first }) => `Zeile ${first}`,
  lines: ({ first }) => `Zeilen ${first}`,
  linesAndFurther: ({ first }) => `Zeilen ${first} und weitere`,
  wrongLine: ({ line, reason }) => `Zeile ${line}: ${reason}`,

  // key-pair.tsx
  keyPair: "Schlüsselpaar",
  aBrowserSubscribesToThe:
    "Ein Browser abonniert den öffentlichen Schlüssel einer Website (VAPID), und nur ein Dienst mit dem privaten kann ihm senden. Um zwischen zwei Diensten umzuziehen, nehmen Sie beides mit, das Paar und die Abos. Der öffentliche Schlüssel dieser Website:",
  exportTheKeyPair: "Schlüsselpaar exportieren",
  exportTheKeyPair2: "Das Schlüsselpaar exportieren?",
  doNotExport: "Nicht exportieren",
  theFileHoldsThePrivate: ({ name }) =>
    `Die Datei enthält den privaten Schlüssel von „${name}“. Wer sie und die Datei der Abos hat, kann allen im Namen dieser Website senden, und das lässt sich nicht zurücknehmen: Kein anderer Schlüssel erreicht diese Abos. Geben Sie sie nur dem neuen Dienst, bewahren Sie sie auf wie ein Passwort, und löschen Sie sie danach. Das Protokoll vermerkt den Export.`,

  // new-test-device.tsx
  nameOfANewTest: "Name eines neuen Testgeräts",
  newsroomPhone: "Telefon der Redaktion",
  makeALink: "Link erstellen",
  aDeviceHasJoinedSend: "Ein Gerät ist dabei: Senden Sie ihm unter Schreiben einen Test.",
  openThisOn: ({ label }) => `Öffnen Sie dies auf „${label}“`,
  qrCodeOfTheLink: ({ label }) => `QR-Code des Links für ${label}`,
  itOpensWhereTheSnippet: ({ url, when }) =>
    `Er öffnet ${url}, wo Pressbell eingebunden sein muss, und fragt nach Benachrichtigungen. Bis ${when} macht er jeden Browser, in dem er geöffnet wird, zum Testgerät: Geben Sie ihn weiter wie ein Passwort. Auf einem iPhone legen Sie die Website zuerst auf den Home-Bildschirm.`,
  linkForTheDevice: "Link für das Gerät",

  // refused-subscribers.tsx
  refusedSubscribers: "Abgelehnte Abos",
  theirPushServiceTakesYour:
    "Ihr Push-Dienst nimmt Ihre Nachrichten an andere an, aber nicht an sie: Die meisten haben mit einem anderen Schlüssel abonniert, etwa nach einem Import von einem anderen Dienst. Nach drei Ablehnungen in Folge werden sie ausgelassen und zählen nicht als erreichbar. Wer die Website besucht, ist wieder erreichbar.",
  pushService: "Push-Dienst",
  refusedLately: "Zuletzt abgelehnt",
  excluded: "Ausgelassen",
  deleteThoseExcluded: "Ausgelassene löschen",
  deleteTheRefusedSubscribers: "Die abgelehnten Abos löschen?",
  deleteIt: ({ excluded }) => `${excluded} löschen`,
  theyGetNothingTodaySo:
    "Sie bekommen heute nichts; niemand verpasst also etwas. Das lässt sich nicht rückgängig machen. Wer davon die Website wieder besucht, wird vom Browser neu angemeldet.",

  // unseen-subscribers.tsx
  unseenReaders: "Abos, die nichts sehen",
  theirBrowserShowsNone:
    "Ihr Push-Dienst nimmt jede Nachricht an, und ihr Browser hat von den letzten fünf oder mehr keine gemeldet, während andere dort ihre melden. Die meisten haben in Firefox die Daten der Website gelöscht; das lässt ein solches Abo zurück, bis Firefox es beendet. Manche Browser waren die ganze Zeit aus. Sie zählen als erreichbar. Zu tun ist nichts; aber einen Push sehen weniger, als die Zahlen des Versands sagen.",
  countingTakesSeconds: "Bei so vielen Abos dauert das Zählen einige Sekunden.",
  countThem: "Zählen",
  noneOfThem: "Es gibt keine.",
  nudgesTaken: "Bekommen Pushs",
  nothingSeen: "Sehen nichts",

  // registrations.tsx
  newReadersByHour: "Neue Abos nach Stunde",
  theHoursOfTheLast:
    "Die Stunden der letzten sieben Tage mit den meisten neuen Abos. Jeder kann Abos anlegen, hinter denen niemand steht. Fällt eine Stunde auf und Sie kennen keinen Grund dafür, löschen Sie die Abos dieses Zeitraums.",
  noReaderSubscribedInThe: "In den letzten sieben Tagen kam kein Abo hinzu.",
  hourFrom: "Stunde ab",
  newReaders: "Neue Abos",
  ofThemNeverReached: "Davon nie erreicht",
  farMoreThanUsual: ({ registered }) => `${registered}, weit mehr als üblich`,
  subscribedFrom: "Abonniert ab",
  untilBefore: "Bis vor",
  onlyReadersThatNoNudge: "Nur Abos, die nie ein Push erreicht hat",
  deleteReadersOfThisPeriod: "Abos dieses Zeitraums löschen…",
  deleteIt2: ({ value }) => `${value} löschen?`,
  deleteThem: "Löschen",
  theyGetNoNudgesAny:
    "Sie bekommen keine Pushs mehr. Wer wirklich dahintersteht, kommt mit dem nächsten Besuch der Website zurück. Importierte Abos und Testgeräte bleiben.",

  // test-devices.tsx
  backToCompose: "Zurück zum Schreiben",
  testDevices: "Testgeräte",
  theyGetWhatYouSend: "Sie bekommen, was Sie als Test senden, und sonst nichts.",
  noneYet: "Noch keine.",
  withoutAName: "Ohne Namen",
  name: "Name",
  since: "Seit",
  remove: "Entfernen",
  removeTheDevice: ({ device }) => `Gerät ${device} entfernen`,
  removeThisTestDevice: "Dieses Testgerät entfernen?",
  removeTheDevice2: "Gerät entfernen",
  getsNoTestsAnyMore: ({ value }) =>
    `„${value}“ bekommt keine Tests mehr. Erlaubt sein Browser noch Benachrichtigungen, kommt es mit dem nächsten Besuch der Website als Abo zurück.`,

  // topics.tsx
  topics: "Themen",
  searchTheTopics: "Thema suchen",
  moreTopics: ({ n }) => `${n} weitere: Tippen Sie einen Teil des Namens, um sie zu finden.`,
  noneYetWithTopicsReaders:
    "Noch keine. Mit Themen wählen die Leser:innen, worüber sie Pushs bekommen, und Sie, an wen einer geht.",
  renameTheTopic: ({ name }) => `Thema ${name} umbenennen`,
  rename: "Umbenennen",
  retireTheTopic: ({ name }) => `Thema ${name} aufgeben`,
  retire: "Aufgeben",
  retireThisTopic: "Dieses Thema aufgeben?",
  retireTheTopic2: "Thema aufgeben",
  readersAreNoLongerOffered: ({ name }) =>
    `„${name}“ wird nicht mehr angeboten, und keine Kampagne kann mehr daran gesendet werden. Was dafür geplant ist, geht noch hinaus. Fügen Sie ein Thema mit demselben Namen hinzu, ist es mit seinen Abos wieder da.`,
  renameThisTopic: "Dieses Thema umbenennen",
  newName: "Neuer Name",
  newTopic: "Neues Thema",
  add: "Hinzufügen",
  sport: "Sport",

  // segments.tsx
  segments: "Segmente",
  segmentsLead:
    "Gruppen von Leser:innen nach dem, was ihre Abos erzählen: wann sie kamen, da waren und geklickt haben. Sie wählen eine, wenn Sie einen Push schreiben.",
  newSegment: "Neues Segment",
  changeTheSegment: ({ name }) => `Segment ${name} ändern`,
  retireTheSegment: ({ name }) => `Segment ${name} aufgeben`,
  change: "Ändern",
  retireThisSegment: "Dieses Segment aufgeben?",
  retireTheSegment2: "Segment aufgeben",
  noNewNudgeGoesToIt: ({ name }) =>
    `„${name}“ lässt sich nicht mehr wählen. Entwürfe und geplante Pushs, die es haben, behalten es.`,
  idOfTheSegment: ({ name }) => `ID des Segments ${name}, für die API`,

  // followed.tsx
  whatReadersFollow: "Was Leser:innen verfolgen",
  pagesOfferIt:
    "Geschichten, Namen und Serien, die Ihre Seiten anbieten, mit Ihren IDs und der Zahl derer, die ihnen folgen. Unter Schreiben senden Sie an sie.",
  searchWhatReadersFollow: "Suchen, was Leser:innen verfolgen",
  mostFollowedFirst: ({ n }) => `Die ${n}, denen die meisten folgen, stehen hier.`,
  endTheStory: ({ story }) => `${story} beenden`,
  endIt: "Beenden",
  endThisStory: "Soll dem niemand mehr folgen?",
  endTheFollows: "Beenden",
  nobodyWillFollow: ({ story }) =>
    `Niemand folgt „${story}“ dann mehr, und niemand bekommt noch etwas dazu. Nehmen Sie es zuerst aus Ihren Seiten. Das lässt sich nicht rückgängig machen.`,

  // segment-form.tsx
  changeThisSegment: "Dieses Segment ändern",
  nameOfTheSegment: "Name",
  regulars: "Stammleser:innen",
  allOfTheseHold: "Alles, was Sie ausfüllen, muss zutreffen.",
  subscribed: "Abonniert",
  wasHere: "War auf der Website oder hat einen Push angeklickt",
  clickedANudge: "Hat einen Push angeklickt",
  inTheLast: "In den letzten … Tagen",
  longerAgo: "Vor mindestens … Tagen",
  notInTheLast: "In den letzten … Tagen nicht",
  clicksAreKnownSince: ({ day }) =>
    `Klicks sind seit ${day} bekannt. Erst wenn so viele Tage vergangen sind, zählt jemand als „ohne Klick“.`,
  clicksAreNotKnown:
    "Diese Website weiß nicht, wer geklickt hat: Ihre Browser melden nicht jeden Push einzeln (Einstellungen).",
  anyOfTheseTopics: "Eines dieser Themen",
  allOfTheseTopics: "Alle diese Themen",
  noneOfTheseTopics: "Keines dieser Themen",
  pushServiceOfTheBrowser: "Push-Dienst des Browsers, einer davon",
  timeZoneOfTheReader: "Zeitzone, eine davon",
  unknownTimeZones: "Abos, deren Zeitzone nicht bekannt ist, zählen zur Zeitzone der Website.",
  languageOfTheBrowser: "Sprache des Browsers, eine davon",
  unknownLanguages: "Abos, deren Sprache nicht bekannt ist, zählen zu keiner.",
  fillInACondition: "Füllen Sie eine Bedingung aus, und sehen Sie, auf wie viele sie zutrifft.",
  wouldGetItNow: ({ people }) => `Jetzt ${people}`,
  saveSegment: "Segment speichern",

  // segment-words.ts
  subscribedWithin: ({ n }) => `abonniert in den letzten ${plural(n, "Tag", "Tagen")}`,
  subscribedBefore: ({ n }) => `abonniert vor mindestens ${plural(n, "Tag", "Tagen")}`,
  seenWithin: ({ n }) => `da in den letzten ${plural(n, "Tag", "Tagen")}`,
  notSeenFor: ({ n }) => `nicht da seit ${plural(n, "Tag", "Tagen")}`,
  clickedWithin: ({ n }) => `geklickt in den letzten ${plural(n, "Tag", "Tagen")}`,
  notClickedFor: ({ n }) => `kein Klick seit ${plural(n, "Tag", "Tagen")}`,
  anyTopicOf: ({ topics }) => `eines der Themen ${topics}`,
  allTopicsOf: ({ topics }) => `alle Themen ${topics}`,
  noTopicOf: ({ topics }) => `keines der Themen ${topics}`,
  timeZoneIs: ({ zones }) => `Zeitzone ${zones}`,
  languageIs: ({ languages }) => `Sprache ${languages}`,
  through: ({ services }) => `über ${services}`,

  // wrong-lines.ts
  notReadable: "nicht lesbar",
  noReaderInIt: "kein Abo darin",
  tooLongToBeA: "zu lang für ein Abo",
  noAddressOfAPush: "keine Adresse eines Push-Dienstes (etwa die Zeile einer E-Mail oder App)",
  theAddressIsTooLong: "die Adresse ist zu lang",
  theAddressIsOfNo: "die Adresse gehört zu keinem Push-Dienst, den Browser benutzen",
  theAddressIsNotOne: "die Adresse ist keine, die Browser bekommen",
  theKeyIsNotOn: "der Schlüssel liegt nicht auf der Kurve: Er ist beschädigt oder aus einer anderen Spalte",
  theSecretDoesNotHave: "das Geheimnis hat nicht 16 Bytes: Es ist beschädigt oder aus einer anderen Spalte",
  aTopicThatThisSite: "ein Thema, das diese Website nicht hat",
  leftThisSite: "hat sich von dieser Website abgemeldet oder wurde hier gelöscht, bleibt draußen",
  unsubscribedAtTheOtherService: "beim anderen Dienst abgemeldet, bleibt draußen",
};

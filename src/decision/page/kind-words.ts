import type { kindTexts } from "../messages.ts";

/** The kind of a page that is not a story. Its text completes the sentence "This is …". */
export type NotStory = keyof typeof kindTexts;

/**
 * Parts of addresses that name a page which is no story. They are in the languages of most news sites: English,
 * Spanish, Portuguese, French, German, Italian, Dutch, Russian, Polish, Turkish, Japanese and Scandinavian ones. Sites
 * in other scripts write their addresses in these Latin words too.
 */
const words = {
  signIn:
    "log-?in|sign-?in|log-?on|anmelden|anmeldung|einloggen|connexion|se-connecter|iniciar-sesion|acceso|entrar|accedi|inloggen|zaloguj|logowanie|giris|vhod|logga-in|logg-inn|log-ind|register|signup|sign-up|registrieren|inscription|registro|registrati",
  search:
    "search|suche|recherche|rechercher|buscar|busca|buscador|busqueda|pesquisa|ricerca|cerca|zoeken|poisk|szukaj|wyszukiwarka|arama|ara|kensaku|sok|sog|haku",
  tag: "tags?|schlagworte?|stichworte?|mots?-cles?|etiquetas?|palabras?-clave|etichett[ae]|argoment[io]|temas?|trefwoorden|tegi|etiket|label",
  author:
    "authors?|autor(en|in|es)?|auteurs?|autor[ie]|redakteure?|firmas?|contributors?|columnists?|columnistas?|profiles?|profil|perfil|avtor|yazar|users?|members?|people",
  section:
    "category|categories|categor[iy]e?s?|kategori(e|en|a|er)?|categorias?|categorie|rubri[ck]s?|rubriky|rubriques?|ressorts?|secci?on(es)?|secao|secoes|sezion[ei]|sections?|sektion(er)?|rubrika?|dzial|kategoriler",
  sectionNames:
    "news|nachrichten|noticias|actualites?|actu|notizie|nieuws|novosti|wiadomosci|haberler|nyheter|nyheder|uutiset|articles?|artikel|articulos|artigos|articoli|posts?|blog|stories|magazine?|world|politics|business|sports?|culture|opinion|politik|wirtschaft|kultur|panorama",
  legal:
    "impressum|imprint|about(-us)?|ueber-uns|uber-uns|a-propos|acerca-de|quienes-somos|sobre(-nos)?|chi-siamo|over-ons|o-nas|hakkimizda|contact(-us)?|kontakt|contacto|contato|contatti|iletisim|kontakty|privacy(-policy)?|datenschutz(erklaerung)?|terms(-of-(use|service)|-and-conditions)?|agb|mentions-legales|aviso-legal|note-legali|cookies?(-policy)?|colofon|mediadaten|advertise(-with-us)?|newsletters?|subscribe|abo(nnement)?|suscripcion|assinatura|rss|sitemap",
  careers:
    "careers?|jobs?|karriere|stellenangebote|stellen|emplois?|recrutement|empleos?|trabaja-con-nosotros|vagas|carreiras|lavora-con-noi|vacatures?|praca|kariera|kariyer|vakansii|rabota",
  help: "help|help-cent(er|re)|hilfe|aide|ayuda|ajuda|aiuto|hulp|pomoc|yardim|pomosch|faqs?|support|docs|documentation|dokumentation|manual|handbuch|wiki|reference|api",
};

const only = (names: string) =>
  new RegExp(`^(/[a-z]{2}(-[a-z]{2})?)?/(${names})(/index\\.\\w+)?(\\.(html?|php|aspx?))?$`);
const last = (names: string) => new RegExp(`/(${names})(/index\\.\\w+)?(\\.(html?|php|aspx?|jsp|cfm))?$`);
const under = (names: string) => new RegExp(`^(/[a-z]{2}(-[a-z]{2})?)?/(${names})(/[^/]+){1,2}$`);

/** Paths that are evidence on their own, because publishers put no story directly under these. */
export const clearPaths: [path: RegExp, kind: NotStory][] = [
  [new RegExp(`/(${words.signIn})(/index\\.\\w+)?(\\.\\w{3,5})?$`), "sign_in_page"],
  [last(words.search), "search_page"],
  [new RegExp(`^/(${words.tag})/[^/]+$`), "tag_page"],
  [/^\/(authors?|autor(en|in|es)?|auteurs?)\/[^/]+$/, "author_page"],
  [new RegExp(`(^|/)(${words.section})/[^/]+$`), "section_page"],
  [/\/page\/\d+$/, "list_page"],
  [/\/(viewtopic|viewforum|showthread|forumdisplay)\.php$/, "forum_page"],
  [/^\/hc\/[a-z-]{2,6}\/./, "help_page"],
  [only(words.legal), "about_page"],
  [only(words.careers), "jobs_page"],
  [only(words.help), "help_page"],
  [/^(\/[a-z]{2})?\/(wiki|docs|documentation)\/./, "help_page"],
];

/**
 * Paths that a story can have too. They are evidence only if the page does not call itself an article and has no date.
 */
export const likelyPaths: [path: RegExp, kind: NotStory][] = [
  [/^\/[a-z]{2}(-[a-z]{2})?$|\/(home|homepage|startseite|accueil|inicio|index\.\w{3,5})$/, "home_page"],
  [under(`${words.author}`), "author_page"],
  [under(`${words.help}|${words.careers}|${words.legal}`), "help_page"],
];

/** Last parts of addresses that name a list. They are evidence if the page calls itself a site or has many links. */
export const listPath =
  /\/(archives?|latest|galler(y|ies)|photos?|videos?|podcasts?|bilder|fotos?|live)(\/(19|20)\d\d(\/\d\d)?)?$/;

/** Last parts of addresses that name a section. They are evidence under the same conditions. */
export const sectionPath = new RegExp(
  `/(${words.sectionNames})$|^\\/(topics?|themen?|themes?|channels?|dossiers?)(\\/[^/]+){0,2}$`,
);

/** Paths with nothing but a section's name. No story is at `/news`, but a site of one page may be. */
export const rootSectionPath = only(words.sectionNames);

/** Hosts whose names say what they hold. */
export const clearHosts: [host: RegExp, kind: NotStory][] = [
  [/^(docs?|help|support|wiki|manual)\./, "help_page"],
  [/^(jobs?|careers?|karriere)\./, "jobs_page"],
  [/^(log-?in|accounts?|auth|sso)\./, "sign_in_page"],
];

/**
 * Titles of error, sign-in and consent pages, alone or before the site's name. If the status is 200 they are the only
 * evidence.
 */
export const standInTitles: [title: RegExp, kind: NotStory][] = [
  [
    /^((error|fehler|erreur|erro|errore|fout|ошибка|błąd|hata)\s*)?404( error)?$|^(404\W+)?((the |this )?(page|story|article|file))?\s*(was |could |can)?\s*not (be )?found[.!]?$|^((that|the|this) )?(page|story|article) (can['’]?t|cannot|couldn['’]?t) be found[.!]?$|^((that|the|this) )?(page|story|article|content) (isn['’]t|is not|is no longer) available[.!]?$|^((that|the|this) )?page (doesn['’]t|does not) exist[.!]?$|^nothing (was )?found[.!]?$|^(404\W+)?(seite|artikel) (wurde )?nicht gefunden$|^(404\W+)?page (non trouvée|introuvable|inexistante)$|^(404\W+)?página no encontrada$|^(404\W+)?página não encontrada$|^(404\W+)?pagina non trovata$|^(404\W+)?pagina niet gevonden$|^(404\W+)?страница не найдена$|^(404\W+)?(nie znaleziono strony|strona nie istnieje)$|^(404\W+)?sayfa bulunamadı$|^ページが見つかりません(でした)?$|^页面不存在$|^페이지를 찾을 수 없습니다$|^الصفحة غير موجودة$/iu,
    "error_page",
  ],
  [
    /^(please )?(log|sign)[ -]?(in|on)( to .{1,40}| required)?$|^(login|sign up|create an account|register|my account)$|^anmelde(n|ung)$|^einloggen$|^(se )?conne(xion|cter)$|^iniciar sesión$|^(entrar|fazer login|iniciar sessão)$|^accedi$|^(inloggen|aanmelden)$|^(вход|войти|авторизация)$|^(zaloguj się|logowanie)$|^(giriş|giriş yap|oturum aç)$|^ログイン$|^登录$|^로그인$|^تسجيل الدخول$/iu,
    "sign_in_page",
  ],
  [
    /^just a moment(\.{3}|…)?$|^attention required!?$|^access denied$|^are you (a robot|human)\??$|^before you continue$|^(cookie|privacy|consent) (consent|settings|preferences|choices|wall)$|^(checking your browser|security check|robot check)$/i,
    "robot_check",
  ],
  [
    /^(search|suche|(search results|suchergebnisse?|résultats de (la )?recherche|resultados de (la )?búsqueda|resultados da (busca|pesquisa)|risultati (della )?ricerca|zoekresultaten|результаты поиска|wyniki wyszukiwania|arama sonuçları|検索結果|搜索结果)( .{1,60})?)$/iu,
    "search_page",
  ],
  [
    /^(impressum|imprint|about us|über uns|contact( us)?|kontakt|privacy policy|datenschutz(erklärung)?|terms of (use|service)|mentions légales|aviso legal|note legali|política de privaci?dad[e]?)$/iu,
    "about_page",
  ],
  [
    /^(careers?|jobs|karriere|offene stellen|stellenangebote|vacatures|empleos?|vagas|lavora con noi|вакансии)$/iu,
    "jobs_page",
  ],
];

/** Programs that write documentation, wikis and forums, as `<meta name=generator>` names them. */
export const reference =
  /^(mediawiki|dokuwiki|sphinx|docusaurus|mkdocs|vitepress|docsify|gitbook|javadoc|doxygen|discourse|phpbb|xenforo)/i;

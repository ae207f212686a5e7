/**
 * Returns the language of a BCP 47 tag without region and script, in its canonical form: `de` for `de-AT`, `he` for
 * `iw`. Returns undefined for a value that is no BCP 47 tag and for a tag that names no language.
 */
export function languageOf(tag: unknown): string | undefined {
  // No tag of a language is longer. A tag from a stranger can be as long as the body.
  if (typeof tag !== "string" || tag.length > 64) return undefined;
  try {
    const { language } = new Intl.Locale(tag.replaceAll("_", "-"));
    return language !== "und" && /^[a-z]{2,3}$/.test(language) ? language : undefined;
  } catch {
    return undefined;
  }
}

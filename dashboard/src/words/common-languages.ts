const tags =
  "ar bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka ko lb lt lv mk mr ms mt nb nl nn pa pl pt rm ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh";

/**
 * The languages that a segment's form offers: most of those in which newspapers appear. A rule set with the API can
 * have any other language.
 */
export const commonLanguages = tags.split(" ");

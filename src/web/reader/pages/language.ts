/** Sites say `jp` for Japanese (api-facts 9). */
const OF_SITES: Readonly<Record<string, string>> = { jp: "ja" };

/** The language tag of a site's language; undefined where it is none that a browser would know. */
export function languageTag(language: string): string | undefined {
  const tag = OF_SITES[language.toLowerCase()] ?? language;
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag) ? tag : undefined;
}

/** Languages that are written from right to left, unless a script says otherwise. */
const FROM_THE_RIGHT =
  /^(?:ar|arc|ckb|dv|fa|glk|he|iw|ks|lrc|mzn|nqo|pnb|ps|sd|syr|ug|ur|yi)\b(?!-latn|-cyrl)|-(?:arab|hebr|thaa|nkoo|syrc)\b/i;

export interface LanguageAttributes {
  readonly lang: string | undefined;
  readonly dir: "rtl" | undefined;
}

/** What an element says of the language of what is in it. */
export function languageAttributes(language: string): LanguageAttributes {
  const lang = languageTag(language);
  return { lang, dir: lang !== undefined && FROM_THE_RIGHT.test(lang) ? "rtl" : undefined };
}

/** A language by the name that its speakers give it: `Deutsch`; as the site says it where nobody knows it. */
export function languageName(language: string): string {
  const tag = languageTag(language);
  return tag === undefined ? language : (new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? language);
}

import type { Key } from "../../core/model/key.js";
import type { Wiki, WikiTranslation } from "../../core/model/wiki.js";
import { canonicalJson } from "../../core/util/canonical-json.js";
import { readLanguages } from "../wire/guide.js";
import { Place, type Reading } from "../wire/place.js";
import { readWiki } from "../wire/wiki.js";
import { askVersion } from "./ask-version.js";
import { sweptLanguages } from "./list-translations.js";
import type { SiteSession } from "./site-session.js";
import { UnreleasedError } from "./unreleased-error.js";

interface Page {
  readonly key: Key;
  readonly path: string;
  /** In its own language. */
  readonly page: Wiki;
  /** Those that its answer says it is there in. */
  readonly languages: readonly string[];
  readonly reading: Reading;
}

/** What translations add to the body and to the raw answers of a page; nothing where there are none. */
interface Translated {
  readonly body: Pick<Wiki, "translations">;
  readonly raw: { readonly translations?: Readonly<Record<string, unknown>> };
  /** Does the list of pages show when one of them changes? */
  readonly listed: boolean;
}

const NONE: Translated = { body: {}, raw: {}, listed: true };

/** The translations of a page, as far as they are wanted: one request each. A language that it turns out not to be there in is left out. */
export async function readTranslations(session: SiteSession, asked: Page, signal: AbortSignal): Promise<Translated> {
  const { languages: chosen } = session.options;
  const others = [...new Set(asked.languages)]
    .filter((language) => language !== asked.page.language && (chosen.length === 0 || chosen.includes(language)))
    .sort();
  const translations: WikiTranslation[] = [];
  const raw: Record<string, unknown> = {};
  for (const language of others) {
    const { key, path, reading } = asked;
    const query = { langid: language };
    const wanted = { key, kind: "page", path, query, expect: [404], reading } as const;
    const { status, json } = await askVersion(session, wanted, signal).catch(unlessUnreleased);
    if (status === 404 || !isIn(language, json, asked.reading)) continue;
    const { wiki } = readWiki(json, asked.reading);
    noteOwnFields(asked, language, wiki);
    translations.push(translationOf(wiki, language));
    raw[language] = json;
  }
  if (translations.length === 0) return NONE;
  const swept = await sweptLanguages(session, signal);
  const listed = translations.every(({ language }) => swept.includes(language));
  return { body: { translations }, raw: { translations: raw }, listed };
}

/** The page itself may be released, and this language of it not. */
function unlessUnreleased(error: unknown): { readonly status: number; readonly json: unknown } {
  if (error instanceof UnreleasedError) return { status: 404, json: null };
  throw error;
}

/** Without a translation the source language comes back (api-facts 3.1). */
function isIn(language: string, json: unknown, reading: Reading): boolean {
  const named = readLanguages(new Place(json, reading));
  return named.length > 0 && named.every((one) => one === language);
}

function translationOf(wiki: Wiki, language: string): WikiTranslation {
  const { displayTitle, contents, description, pageTitle, modifiedDate } = wiki;
  return { language, displayTitle, contents, description, pageTitle, modifiedDate };
}

/** Most translations share these with their page; what one has for itself is in the raw answer only. */
const SHARED = ["image", "flags", "documents", "info", "suppliers"] as const satisfies readonly (keyof Wiki)[];

function noteOwnFields({ page, reading }: Page, language: string, wiki: Wiki): void {
  const own = SHARED.filter((field) => canonicalJson([wiki[field]]) !== canonicalJson([page[field]]));
  if (own.length === 0) return;
  reading.report({
    code: "translation-field",
    level: "loss",
    key: reading.key,
    path: `translations.${language}`,
    message: `The translation into ${language} has ${own.join(", ")} of its own, which are not taken.`,
    remedy: "The page's own are used. The workspace has the whole answer.",
  });
}

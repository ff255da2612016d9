import type { Issue } from "../../core/model/issue.js";
import type { WikiItem } from "../../core/model/item.js";
import { type Key, kindOf, wikiOf } from "../../core/model/key.js";
import { segment } from "../client.js";
import { readAvailableLanguages } from "../wire/guide.js";
import { isObject, Place } from "../wire/place.js";
import { readWiki } from "../wire/wiki.js";
import { askVersion } from "./ask-version.js";
import { readTags } from "./read-guide-relations.js";
import { readTranslations } from "./read-wiki-translations.js";
import { readCategoryXmlOnly } from "./read-xml-only.js";
import { readingOf, type SiteSession } from "./site-session.js";
import { withXml } from "./with-xml.js";

/**
 * A wiki of any namespace, whole. undefined: it isn't there.
 * @throws UnreleasedError when released versions are asked for and it has none
 */
export async function readWikiItem(session: SiteSession, key: Key, signal: AbortSignal): Promise<WikiItem | undefined> {
  const isCategory = kindOf(key) === "category";
  if (isCategory && session.options.format === "xml-only") return readCategoryXmlOnly(session, key, signal);
  const { namespace, title } = wikiOf(key);
  const path = `wikis/${namespace}/${segment(title)}`;
  const issues: Issue[] = [];
  const reading = readingOf(session, key, path, (issue) => issues.push(issue));
  const asked = { key, kind: "page", path, query: {}, expect: [404], reading } as const;
  const { status, json } = await askVersion(session, asked, signal);
  if (status === 404) return undefined;
  const place = new Place(json, reading);
  const places = isCategory ? (await session.listing().hierarchy(signal)).places : undefined;
  const { wiki, media } = readWiki(json, reading, places?.get(title));
  const available = readAvailableLanguages(json, reading) ?? [];
  for (const language of available) session.listing().languages.add(language);
  noteOtherTitle(wiki.title, title, place);
  const translated = await readTranslations(session, { key, path, page: wiki, languages: available, reading }, signal);
  const facts = session.listing().rows.get(key);
  const tags =
    isObject(json) && json["tags"] === undefined ? await readTags(session, path, reading, signal) : undefined;
  const item: WikiItem = {
    key,
    kind: isCategory ? "category" : "wiki",
    // What no list shows a change of is read each time.
    revision: translated.listed && session.options.version !== "pending" ? (facts?.token ?? "") : "",
    raw: {
      json,
      ...(facts === undefined ? {} : { summary: facts.rest }),
      ...(tags === undefined ? {} : { tags }),
      ...translated.raw,
    },
    media,
    translations: [],
    issues: [...(facts?.issues ?? []), ...issues],
    // The title that it was asked by is its identity; an answer may spell it otherwise.
    body: { ...wiki, namespace, title, tags: tags ?? wiki.tags, ...translated.body },
  };
  return isCategory ? withXml(session, item, { key, path, query: {} }, signal) : item;
}

function noteOtherTitle(answered: string, asked: string, place: Place): void {
  if (answered === asked) return;
  place
    .at("title")
    .report("other-title", "note", `is "${answered}", though "${asked}" was asked for; the latter is kept`);
}

import type { Issue } from "../../model/issue.js";
import type { WikiItem } from "../../model/item.js";
import { type Key, kindOf, wikiOf } from "../../model/key.js";
import { segment } from "../client.js";
import { readAvailableLanguages } from "../wire/guide.js";
import { isObject, Place } from "../wire/place.js";
import { readWiki } from "../wire/wiki.js";
import { readTags } from "./read-guide-relations.js";
import { readCategoryXmlOnly } from "./read-xml-only.js";
import { readingOf, type SiteSession } from "./site-session.js";
import { withXml } from "./with-xml.js";

/** A wiki of any namespace, whole. undefined: it isn't there. */
export async function readWikiItem(session: SiteSession, key: Key, signal: AbortSignal): Promise<WikiItem | undefined> {
  const isCategory = kindOf(key) === "category";
  if (isCategory && session.options.format === "xml-only") return readCategoryXmlOnly(session, key, signal);
  const { namespace, title } = wikiOf(key);
  const path = `wikis/${namespace}/${segment(title)}`;
  const { status, json } = await session.client.get(path, { expect: [404] }, signal);
  if (status === 404) return undefined;
  const issues: Issue[] = [];
  const reading = readingOf(session, key, path, (issue) => issues.push(issue));
  const place = new Place(json, reading);
  const places = isCategory ? (await session.listing().hierarchy(signal)).places : undefined;
  const { wiki, media } = readWiki(json, reading, places?.get(title));
  const available = readAvailableLanguages(json, reading) ?? [];
  for (const language of available) session.listing().languages.add(language);
  noteOddities({ answered: wiki.title, asked: title, others: available.filter((one) => one !== wiki.language) }, place);
  const facts = session.listing().rows.get(key);
  const tags =
    isObject(json) && json["tags"] === undefined ? await readTags(session, path, reading, signal) : undefined;
  const item: WikiItem = {
    key,
    kind: isCategory ? "category" : "wiki",
    revision: facts?.token ?? "",
    raw: { json, ...(facts === undefined ? {} : { summary: facts.rest }), ...(tags === undefined ? {} : { tags }) },
    media,
    translations: [],
    issues: [...(facts?.issues ?? []), ...issues],
    // The title that it was asked by is its identity; an answer may spell it otherwise.
    body: { ...wiki, namespace, title, tags: tags ?? wiki.tags },
  };
  return isCategory ? withXml(session, item, { key, path, query: {} }, signal) : item;
}

interface Oddities {
  readonly answered: string;
  readonly asked: string;
  /** Languages that it is there in beside its own. */
  readonly others: readonly string[];
}

function noteOddities({ answered, asked, others }: Oddities, place: Place): void {
  if (answered !== asked) {
    place
      .at("title")
      .report("other-title", "note", `is "${answered}", though "${asked}" was asked for; the latter is kept`);
  }
  if (others.length === 0) return;
  place
    .at("available_langids")
    .report("wiki-translation", "loss", `names translations (${others.join(", ")}), which are not taken`);
}

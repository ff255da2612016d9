import type { Issue } from "../../core/model/issue.js";
import type { GuideItem, WikiItem } from "../../core/model/item.js";
import { idIn, type Key, languageIn, wikiOf } from "../../core/model/key.js";
import { segment } from "../client.js";
import { NOT_AVAILABLE } from "../not-available.js";
import { ArchivedGuideError } from "./archived-guide-error.js";
import { otherLanguages, sourceKey } from "./guide-languages.js";
import { noXmlForm, readXml, type XmlPlace } from "./read-xml.js";
import type { SiteSession } from "./site-session.js";

/**
 * A guide, or its translation, by its XML and by what the lists say of it, which are JSON everywhere. undefined: it isn't
 * there, or has no translation into that language. Throws as `readXml` does, and ArchivedGuideError as `readGuideItem`.
 */
export async function readGuideXmlOnly(
  session: SiteSession,
  key: Key,
  signal: AbortSignal,
): Promise<GuideItem | undefined> {
  const language = languageIn(key);
  const facts = session.listing().rows.get(sourceKey(key));
  const query = { excludePrerequisiteSteps: true, langid: language } as const;
  const expect = facts?.archived === true ? [...NO_FORM, 403] : NO_FORM;
  const found = await readOnly(session, { key, path: `guides/${idIn(key)}`, query, expect }, signal);
  if (found?.item.kind !== "guide") return undefined;
  const { item, xml } = found;
  if (language !== undefined && item.body.language !== language) return undefined;
  const { byGuide } = await session.listing().releases(signal);
  return {
    ...item,
    revision: facts?.token ?? "",
    raw: { xml, ...(facts === undefined ? {} : { summary: facts.rest, tags: facts.tags }) },
    translations:
      language === undefined ? await otherLanguages(session, item.body, undefined, signal) : [sourceKey(key)],
    issues: [...(facts?.issues ?? []), ...item.issues, missing(key, "guide")],
    body: {
      ...item.body,
      tags: facts?.tags ?? [],
      archived: (facts?.archived ?? false) || item.body.flags.includes("GUIDE_ARCHIVED"),
      // A guide that no list tells of stays private, so that a person looks first.
      public: facts?.public ?? false,
      releases: byGuide.get(idIn(key))?.ids ?? [],
    },
  };
}

/** A category by its XML and by the tree. undefined: it isn't there. Throws as `readXml` does. */
export async function readCategoryXmlOnly(
  session: SiteSession,
  key: Key,
  signal: AbortSignal,
): Promise<WikiItem | undefined> {
  const { title } = wikiOf(key);
  const { places } = await session.listing().hierarchy(signal);
  const place = { key, path: `wikis/CATEGORY/${segment(title)}`, query: {}, expect: NO_FORM };
  const found = await readOnly(session, place, signal);
  if (found?.item.kind !== "category") return undefined;
  const { item, xml } = found;
  const facts = session.listing().rows.get(key);
  return {
    ...item,
    revision: facts?.token ?? "",
    raw: { xml, ...(facts === undefined ? {} : { summary: facts.rest }) },
    issues: [...(facts?.issues ?? []), ...item.issues, missing(key, "category")],
    // Its title in XML is the one that it is shown by, also where that is no other.
    body: { ...item.body, displayTitle: item.body.displayTitle ?? title, ...places.get(title) },
  };
}

/** Answers that say "there is none of this here"; any other refusal is about more than the form. */
const NO_FORM: readonly number[] = [400, ...NOT_AVAILABLE];

async function readOnly(session: SiteSession, place: XmlPlace, signal: AbortSignal) {
  const { status, read } = await readXml(session, place, signal);
  if (status === 403) throw new ArchivedGuideError(place.key, status);
  if (read === undefined && status !== 404) throw noXmlForm(place.key, place.path, status);
  return read;
}

/** What XML never has, in people's words; README.md has the same by the model's fields. */
const MISSING = {
  guide:
    "the ids of steps, images and documents, annotations of images, exact times, the author's unique name, the introduction's video, the featured " +
    "document, optional and featured marks of parts and tools, custom bullets, comments, viewers, the work log's switch, the date of " +
    "publishing, the page's address, and line ends and markup of texts that HTML does not show",
  category:
    "its id, the raw text and document tree of its contents, tags, other facts than manufacturer and dates, the page title, " +
    "author, dates and address, and the ids of its image",
} as const;

function missing(key: Key, kind: keyof typeof MISSING): Issue {
  return {
    code: "xml-only",
    level: "loss",
    key,
    path: "",
    message: `Read as XML alone, which has no place for ${MISSING[kind]}.`,
    remedy: "Run extract with --format xml, which reads the same items as JSON too, or with --format json.",
  };
}

import type { Guide } from "../../core/model/guide.js";
import type { Issue } from "../../core/model/issue.js";
import type { GuideItem } from "../../core/model/item.js";
import { idIn, type Key, languageIn } from "../../core/model/key.js";
import { type GuideExtras, readAvailableLanguages, readGuide, readGuideAccess, readLanguages } from "../wire/guide.js";
import { Place, type Reading } from "../wire/place.js";
import { ArchivedGuideError } from "./archived-guide-error.js";
import { askVersion } from "./ask-version.js";
import { otherLanguages, sourceKey } from "./guide-languages.js";
import { readTags, readViewers } from "./read-guide-relations.js";
import { readGuideXmlOnly } from "./read-xml-only.js";
import { type RowFacts, readingOf, type SiteSession } from "./site-session.js";
import { UnreleasedError } from "./unreleased-error.js";
import { withXml } from "./with-xml.js";

/**
 * A guide, or its translation, whole. undefined: it isn't there, or has no translation into that language.
 * @throws ArchivedGuideError when the list says that it is archived, and the site refuses it; UnreleasedError when released versions are asked
 *   for and it has none
 */
export async function readGuideItem(
  session: SiteSession,
  key: Key,
  signal: AbortSignal,
): Promise<GuideItem | undefined> {
  if (session.options.format === "xml-only") return readGuideXmlOnly(session, key, signal);
  const path = `guides/${idIn(key)}`;
  const language = languageIn(key);
  // Not `unpatrolled` unless asked: edits that wait for approval are not content yet. The first is a presence flag.
  const query = { excludePrerequisiteSteps: true, langid: language } as const;
  const facts = session.listing().rows.get(sourceKey(key));
  // Only where the list explains it: any other refusal is a failure.
  const expect = facts?.archived === true ? [403, 404] : [404];
  const issues: Issue[] = [];
  const reading = readingOf(session, key, path, (issue) => issues.push(issue));
  await refuseUnreleased(session, key, signal);
  const asked = { key, kind: "guide", path, query, expect, reading } as const;
  const { status, json } = await askVersion(session, asked, signal);
  if (status !== 200 && facts?.archived === true) throw new ArchivedGuideError(key, status);
  if (status === 404) return undefined;
  if (language !== undefined && !isIn(language, json, reading)) return undefined;
  const { extras, raw } = await readExtras(session, { key, json, facts, reading }, signal);
  const { guide, media } = readGuide(json, reading, extras);
  const available = readAvailableLanguages(json, reading);
  const item: GuideItem = {
    key,
    kind: "guide",
    // No list shows an edit that waits for approval.
    revision: session.options.version === "pending" ? "" : (facts?.token ?? ""),
    raw: { json, ...raw },
    media,
    translations: language === undefined ? await otherLanguages(session, guide, available, signal) : [sourceKey(key)],
    issues: [...(facts?.issues ?? []), ...issues],
    body: guide,
  };
  return withXml(session, item, { key, path, query }, signal);
}

/** A guide without a release would be answered in another version, and nothing in the answer tells. */
async function refuseUnreleased(session: SiteSession, key: Key, signal: AbortSignal): Promise<void> {
  if (session.options.version !== "released") return;
  const { byGuide } = await session.listing().releases(signal);
  if (byGuide.get(idIn(key))?.isReleased !== true) throw new UnreleasedError(key);
}

/** Without a translation the source language comes back (api-facts 3.1), so every language that the answer names is compared. */
function isIn(language: string, json: unknown, reading: Reading): boolean {
  const named = readLanguages(new Place(json, reading));
  return named.length > 0 && named.every((one) => one === language);
}

interface Subject {
  readonly key: Key;
  readonly json: unknown;
  readonly facts: RowFacts | undefined;
  readonly reading: Reading;
}

/** What stands outside of the guide's own answer, with the answers that it came from. */
async function readExtras(
  session: SiteSession,
  { key, json, facts, reading }: Subject,
  signal: AbortSignal,
): Promise<{ readonly extras: GuideExtras; readonly raw: Readonly<Record<string, unknown>> }> {
  const id = idIn(key);
  const access = readGuideAccess(new Place(json, reading));
  const tags = facts?.tags ?? (await readTags(session, `guides/${id}`, reading, signal));
  const viewers = access.private ? await readViewers(session, id, access.granular, reading, signal) : NO_VIEWERS;
  const { byGuide } = await session.listing().releases(signal);
  return {
    extras: {
      tags,
      archived: facts?.archived ?? false,
      viewers: viewers.viewers,
      releases: byGuide.get(id)?.ids ?? [],
    },
    raw: { ...(facts === undefined ? { tags } : { summary: facts.rest, tags }), ...viewers.raw },
  };
}

const NO_VIEWERS: { readonly viewers: Guide["viewers"]; readonly raw: object } = { viewers: null, raw: {} };

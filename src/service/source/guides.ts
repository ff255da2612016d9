import type { Listed } from "../../core/contracts.js";
import { UsageError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { Guide, GuideItem } from "../../core/model/item.js";
import { idIn, type Key, languageIn, originalGuide } from "../../core/model/key.js";
import { isObject, type JsonObject } from "../../core/util/json.js";
import { REFUSED } from "../http/status-error.js";
import { type GuideExtras, isInLanguage, readAvailableLanguages, readGuide, readGuideAccess } from "../wire/guide.js";
import { type GuideSummary, readGuideSummary, SUMMARY_FIELDS_IN_GUIDE } from "../wire/guide-lists.js";
import { JsonCursor, type ParseContext } from "../wire/json-cursor.js";
import { readViewingTeams, readViewingUsers, type Team } from "../wire/people.js";
import { listPages } from "./list-pages.js";
import { changeToken, otherLanguages, parseContextOf, type RowFacts, type SiteSession } from "./session.js";
import { ArchivedGuideError, askVersion, UnreleasedError, versionToken } from "./version.js";
import { readGuideXmlOnly, withXml } from "./xml.js";

/** The guides, each once, in the site's default language; guides name their translations. */
export async function* listGuides(
  session: SiteSession,
  includePrivate: boolean,
  signal: AbortSignal,
): AsyncGenerator<Listed> {
  const { account } = await session.identify(signal);
  const { answer, byGuide } = await session.listing().releases(signal);
  if (session.options.version === "released" && answer.status !== 200) throw noReleases(session, answer.status);
  // The flag works for admins only (GET /guides), and some sites refuse it to others.
  const withPrivate = includePrivate && account?.admin === true;
  const query = withPrivate ? ({ includePrivate: true } as const) : {};
  session.listing().privateListed = withPrivate;
  for await (const row of listPages(
    session,
    { path: "guides", query, order: "fixed", read: readGuideSummary },
    signal,
  )) {
    const { summary, issues, place } = row;
    const token = tokenOf(summary, byGuide.get(summary.id)?.states ?? [], session);
    session.listing().rows.set(summary.key, factsOf(summary, token, place, issues));
    const { key, title, category, modified } = summary;
    yield { key, revision: token, title, category, modified };
  }
}

function noReleases({ client }: SiteSession, status: number): UsageError {
  return new UsageError(
    `${client.root} does not show its releases (GET guides/releases was answered ${status}), so --content-version released is not possible there.`,
  );
}

/** docs/design/reading-a-site.md has the rule with its reasons. */
function tokenOf(guide: GuideSummary, releases: readonly string[], { options }: SiteSession): string {
  const { revision, modified, tags, flags, archived, category } = guide;
  const asked = [options.format, options.languages.toSorted(), ...versionToken(options)];
  return changeToken(revision, modified, guide.public, tags ?? null, flags, archived, category, releases, asked);
}

function factsOf(summary: GuideSummary, token: string, place: JsonCursor, issues: readonly Issue[]): RowFacts {
  const fields = isObject(place.value) ? Object.entries(place.value) : [];
  const rest = Object.fromEntries(fields.filter(([name]) => !SUMMARY_FIELDS_IN_GUIDE.has(name)));
  // Sites show it in either way.
  const archived = summary.archived || summary.flags.includes("GUIDE_ARCHIVED");
  return { id: summary.id, token, tags: summary.tags, archived, public: summary.public, rest, issues };
}

/**
 * A guide or its translation. undefined: it does not exist, or not in that language.
 *
 * @throws ArchivedGuideError when an archived guide is refused; UnreleasedError for a released
 * version that does not exist
 */
export async function readGuideItem(
  session: SiteSession,
  key: Key,
  signal: AbortSignal,
): Promise<GuideItem | undefined> {
  if (session.options.format === "xml-only") return readGuideXmlOnly(session, key, signal);
  const path = `guides/${idIn(key)}`;
  const language = languageIn(key);
  // Edits that wait for approval are no content yet. The first is a presence flag.
  const query = { excludePrerequisiteSteps: true, langid: language } as const;
  const facts = session.listing().rows.get(originalGuide(key));
  // A 403 counts only if the list explains it: else it is a failure.
  const expect = facts?.archived === true ? [403, 404] : [404];
  const issues: Issue[] = [];
  const reading = parseContextOf(session, key, path, (issue) => issues.push(issue));
  await refuseUnreleased(session, key, signal);
  const asked = { key, kind: "guide", path, query, expect, reading } as const;
  const { status, json } = await askVersion(session, asked, signal);
  if (status !== 200 && facts?.archived === true) throw new ArchivedGuideError(key, status);
  if (status === 404) return undefined;
  if (language !== undefined && !isInLanguage(language, json, reading)) return undefined;
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
    translations:
      language === undefined ? await otherLanguages(session, guide, available, signal) : [originalGuide(key)],
    issues: [...(facts?.issues ?? []), ...issues],
    body: guide,
  };
  return withXml(session, item, { key, path, query }, signal);
}

/** The answer would be another version without a sign of it. */
async function refuseUnreleased(session: SiteSession, key: Key, signal: AbortSignal): Promise<void> {
  if (session.options.version !== "released") return;
  const { byGuide } = await session.listing().releases(signal);
  if (byGuide.get(idIn(key))?.isReleased !== true) throw new UnreleasedError(key);
}

interface Subject {
  readonly key: Key;
  readonly json: unknown;
  readonly facts: RowFacts | undefined;
  readonly reading: ParseContext;
}

async function readExtras(
  session: SiteSession,
  { key, json, facts, reading }: Subject,
  signal: AbortSignal,
): Promise<{ readonly extras: GuideExtras; readonly raw: JsonObject }> {
  const id = idIn(key);
  const access = readGuideAccess(new JsonCursor(json, reading));
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

/** The tags at `path`, where no list has them (iFixit: api-facts 3.2). */
export async function readTags(
  session: SiteSession,
  path: string,
  reading: ParseContext,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const answer = await askRelation(session, `${path}/tags`, reading, signal);
  return answer?.texts() ?? [];
}

/** The viewers of a private guide; null with granular permissions (specification, Guides). */
async function readViewers(
  session: SiteSession,
  id: number,
  granular: boolean,
  reading: ParseContext,
  signal: AbortSignal,
): Promise<{ readonly viewers: Guide["viewers"]; readonly raw: object }> {
  if (granular) {
    new JsonCursor(undefined, reading).report(
      "granular-permissions",
      "loss",
      "has granular permissions, which the API has no call to read",
    );
    return { viewers: null, raw: {} };
  }
  const users = await askRelation(session, `guides/${id}/users`, reading, signal);
  const teams = await askRelation(session, `guides/${id}/teams`, reading, signal);
  if (users === undefined && teams === undefined) return { viewers: null, raw: {} };
  return {
    viewers: {
      users: users === undefined ? [] : readViewingUsers(users),
      teams: teams === undefined ? [] : await withNames(session, readViewingTeams(teams), signal),
    },
    raw: { users: users?.value ?? null, teams: teams?.value ?? null },
  };
}

/** A refusal is a note: the guide itself could be read. */
async function askRelation(
  session: SiteSession,
  path: string,
  reading: ParseContext,
  signal: AbortSignal,
): Promise<JsonCursor | undefined> {
  const { status, json } = await session.client.get(path, { expect: REFUSED }, signal);
  const place = new JsonCursor(json, parseContextOf(session, reading.key, path, reading.report));
  if (status === 200) return place;
  place.report(
    "not-available",
    "note",
    `was answered ${status}: this site does not have it, or this account may not read it`,
  );
  return undefined;
}

/** Some sites name teams by id only; then the list of teams is read once. */
async function withNames(session: SiteSession, teams: readonly Team[], signal: AbortSignal): Promise<readonly Team[]> {
  if (teams.every(({ name }) => name !== "")) return teams;
  const known = await session.listing().teams(signal);
  return teams.map((team) => (team.name === "" ? (known.get(team.id) ?? team) : team));
}

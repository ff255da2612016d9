import type { Listed } from "../../core/contracts.js";
import { UsageError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import { type GuideSummary, readGuideSummary, SUMMARY_FIELDS_IN_GUIDE } from "../wire/guide-summary.js";
import { isObject, type Place } from "../wire/place.js";
import { changeToken } from "./change-token.js";
import { listPages } from "./list-pages.js";
import type { RowFacts, SiteSession } from "./site-session.js";
import { versionToken } from "./source-settings.js";

/** The guides, each once, in the site's default language; translations are told by the guides themselves. */
export async function* listGuides(
  session: SiteSession,
  includePrivate: boolean,
  signal: AbortSignal,
): AsyncGenerator<Listed> {
  const { account } = await session.identify(signal);
  const { answer, byGuide } = await session.listing().releases(signal);
  if (session.options.version === "released" && answer.status !== 200) throw noReleases(session, answer.status);
  // For anybody but an admin the flag means nothing (specification, GET /guides), and some sites refuse it.
  const withPrivate = includePrivate && account?.admin === true;
  const query = withPrivate ? ({ includePrivate: true } as const) : {};
  session.listing().privateListed = withPrivate;
  for await (const row of listPages(session, { path: "guides", query, read: readGuideSummary }, signal)) {
    const { summary, issues, place } = row;
    const token = tokenOf(summary, byGuide.get(summary.id)?.states ?? [], session);
    session.listing().rows.set(summary.key, factsOf(summary, token, place, issues));
    const { key, title, category, modified } = summary;
    yield { key, revision: token, title, category, modified };
  }
}

/** Which guides have one would not be known, and each might come in another version. */
function noReleases({ client }: SiteSession, status: number): UsageError {
  return new UsageError(
    `${client.root} does not tell its releases (GET guides/releases was answered ${status}), so --version released can't be had there.`,
  );
}

/** README.md has the rule with its reasons. */
function tokenOf(guide: GuideSummary, releases: readonly string[], { options }: SiteSession): string {
  const { revision, modified, tags, flags, archived, category } = guide;
  const asked = [options.format, options.languages.toSorted(), ...versionToken(options)];
  return changeToken(revision, modified, guide.public, tags ?? null, flags, archived, category, releases, asked);
}

function factsOf(summary: GuideSummary, token: string, place: Place, issues: readonly Issue[]): RowFacts {
  const fields = isObject(place.value) ? Object.entries(place.value) : [];
  const rest = Object.fromEntries(fields.filter(([name]) => !SUMMARY_FIELDS_IN_GUIDE.has(name)));
  // A site tells it in the one way or the other.
  const archived = summary.archived || summary.flags.includes("GUIDE_ARCHIVED");
  return { id: summary.id, token, tags: summary.tags, archived, public: summary.public, rest, issues };
}

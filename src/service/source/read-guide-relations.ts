import type { Guide } from "../../core/model/guide.js";
import { Place, type Reading } from "../wire/place.js";
import { readViewingTeams, readViewingUsers, type Team } from "../wire/viewers.js";
import { readingOf, type SiteSession } from "./site-session.js";
import { REFUSED } from "./source-settings.js";

/** The tags of the guide or page at `path`, where nothing else shows them (lists of guides on iFixit: api-facts 3.2). */
export async function readTags(
  session: SiteSession,
  path: string,
  reading: Reading,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const answer = await ask(session, `${path}/tags`, reading, signal);
  return answer?.texts() ?? [];
}

/** Who may see a private guide; null where the site has switched that off for granular permissions (specification, Guides). */
export async function readViewers(
  session: SiteSession,
  id: number,
  granular: boolean,
  reading: Reading,
  signal: AbortSignal,
): Promise<{ readonly viewers: Guide["viewers"]; readonly raw: object }> {
  if (granular) {
    new Place(undefined, reading).report(
      "granular-permissions",
      "loss",
      "has granular permissions, which no call reads",
    );
    return { viewers: null, raw: {} };
  }
  const users = await ask(session, `guides/${id}/users`, reading, signal);
  const teams = await ask(session, `guides/${id}/teams`, reading, signal);
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
async function ask(
  session: SiteSession,
  path: string,
  reading: Reading,
  signal: AbortSignal,
): Promise<Place | undefined> {
  const { status, json } = await session.client.get(path, { expect: REFUSED }, signal);
  const place = new Place(json, readingOf(session, reading.key, path, reading.report));
  if (status === 200) return place;
  place.report(
    "not-available",
    "note",
    `was answered ${status}: this site has none of it, or this account may not read it`,
  );
  return undefined;
}

/** Some sites name teams by number only; then the site's list of teams is asked, once. */
async function withNames(session: SiteSession, teams: readonly Team[], signal: AbortSignal): Promise<readonly Team[]> {
  if (teams.every(({ name }) => name !== "")) return teams;
  const known = await session.listing().teams(signal);
  return teams.map((team) => (team.name === "" ? (known.get(team.id) ?? team) : team));
}

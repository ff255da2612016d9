import type { Client } from "../client.js";
import { readReleases, releaseKey, releaseRows } from "../wire/releases.js";
import { readTeam } from "../wire/viewers.js";
import { askHierarchy } from "./hierarchy.js";
import { once } from "./once.js";
import { askListRecord, askRecord } from "./record-answer.js";
import { type Listing, quietPlace } from "./site-session.js";

/** The memory of one listing; what a listing shares is asked for at its first use. */
export function createListing(
  client: Client,
  { since = null, families = false, allComments = false }: Partial<Pick<Listing, "since" | "families" | "allComments">>,
): Listing {
  return {
    since,
    families,
    allComments,
    followed: new Set(),
    refused: new Set(),
    privateListed: false,
    rows: new Map(),
    languages: new Set(),
    hierarchy: once((signal) => askHierarchy(client, signal)),
    releases: once((signal) => askReleases(client, signal)),
    teams: once((signal) => askTeams(client, signal)),
  };
}

async function askReleases(client: Client, signal: AbortSignal) {
  const path = "guides/releases";
  const place = (json: unknown) => quietPlace({ client }, path, json);
  const answer = await askListRecord(
    client,
    {
      path,
      query: {},
      rowsOf: (json) => releaseRows(place(json)),
      keyOf: releaseKey,
    },
    signal,
  );
  return { answer, byGuide: readReleases(place(answer.answer).items()) };
}

async function askTeams(client: Client, signal: AbortSignal) {
  const { answer } = await askRecord(client, "teams", {}, signal);
  const teams = quietPlace({ client }, "teams", answer)
    .items()
    .flatMap((place) => readTeam(place) ?? []);
  return new Map(teams.map((team) => [team.id, team]));
}

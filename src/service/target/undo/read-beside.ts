import { type Key, kindOf } from "../../../core/model/key.js";
import type { Client } from "../../client.js";
import { NOT_AVAILABLE } from "../../not-available.js";
import { asJson } from "../as-left.js";
import { pathOf } from "../paths.js";
import { listOf } from "./list-of.js";

const REFUSED: readonly number[] = [400, 403, ...NOT_AVAILABLE, 409, 422];

/** Who may see a guide while it is private. */
export interface Viewers {
  readonly users: readonly number[];
  readonly teams: readonly number[];
}

/** The tags of a guide, which stand outside of its object, or of a page (api-facts 4.6). */
export async function readTags(client: Client, key: Key, id: string, signal: AbortSignal): Promise<readonly string[]> {
  const path = pathOf(key, id);
  const isGuide = kindOf(key) === "guide";
  const { json } = await client.get(isGuide ? `${path}/tags` : path, {}, signal);
  return listOf(isGuide ? json : asJson(json)["tags"]).map(String);
}

/** Who sees a guide; undefined where the site doesn't say. */
export async function readViewers(client: Client, id: string, signal: AbortSignal): Promise<Viewers | undefined> {
  const users = await client.get(`guides/${id}/users`, { expect: REFUSED }, signal);
  const teams = await client.get(`guides/${id}/teams`, { expect: REFUSED }, signal);
  if (users.status !== 200 || teams.status !== 200) return undefined;
  return { users: idsIn(users.json, "userid"), teams: idsIn(asJson(teams.json)["guideTeams"], "teamid") };
}

function idsIn(rows: unknown, name: string): readonly number[] {
  const all = listOf(rows).map((row) => asJson(row)[name]);
  return all.filter((id) => typeof id === "number");
}

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Guide } from "../core/model/guide.js";
import type { SiteIdentity } from "../core/model/site.js";
import type { Workspace } from "../storage/workspace/workspace.js";

/** What an embedded site for a trial is started with: a folder as the sandbox reads it. */
export interface DrillSite {
  readonly site: string;
  readonly dialect: "dozuki" | "ifixit";
}

/**
 * Makes the folder of an empty site that knows the people, languages and guide types of a snapshot, as the one would that it is restored into one
 * day: without them authors and viewers would count as lost.
 */
export async function makeDrillSite(workspace: Workspace, site: SiteIdentity, folder: string): Promise<DrillSite> {
  const dialect = site.dialect === "ifixit" ? "ifixit" : "dozuki";
  const people = await peopleOf(workspace);
  const languages = [site.language, ...site.languages.filter((language) => language !== site.language)];
  const file = { name: `${site.name} (drill)`, dialect, languages, ...people };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "site.json"), JSON.stringify(file), { mode: 0o600 });
  return { site: folder, dialect };
}

async function peopleOf({ items }: Workspace) {
  const users = new Map<number, object>();
  const teams = new Map<number, object>();
  const types = new Set<string>();
  for (const { key, state } of items.entries("guide")) {
    const item = state === "present" ? await items.get(key) : undefined;
    if (item?.kind !== "guide") continue;
    types.add(item.body.type);
    for (const { id, name, uniqueName } of usersIn(item.body))
      users.set(id, { userid: id, username: name, unique_username: uniqueName });
    for (const { id, name } of item.body.viewers?.teams ?? []) teams.set(id, { teamid: id, name });
  }
  const guideTypes = types.size === 0 ? {} : { guideTypes: [...types].sort() };
  return { users: [...users.values()], teams: [...teams.values()], ...guideTypes };
}

function usersIn({ author, viewers }: Guide) {
  return [...(author === null ? [] : [author]), ...(viewers?.users ?? [])];
}

import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { UsageError } from "../../core/errors.js";
import type { Person, Team } from "../../core/model/identity.js";
import { csvLine } from "../../core/util/csv.js";
import type { PeopleMaps, PeopleRow } from "../../core/writing.js";
import { onDisk } from "../../storage/archive/disk-error.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Named } from "../../sync/people/source-people.js";
import type { PeopleThere } from "../../sync/people/target-people.js";
import { type PeopleKind, parsePeopleMap } from "../../sync/people/target-people.js";
import { decodeText } from "../input-output.js";
import type { Settings } from "../options/table.js";
import { count, shellQuote } from "../output/words.js";

/** The largest file that is read; a map of a million people is smaller. */
const LARGEST = 64 * 1024 * 1024;

/** Reads `--user-map` and `--team-map`. Throws UsageError: missing, not UTF-8, or a wrong table. */
export async function readPeopleMaps({ userMap, teamMap }: Pick<Settings, "userMap" | "teamMap">): Promise<PeopleMaps> {
  return {
    users: userMap ? await readMap(userMap, "--user-map", "users") : [],
    teams: teamMap ? await readMap(teamMap, "--team-map", "teams") : [],
  };
}

async function readMap(path: string, flag: string, kind: PeopleKind): Promise<readonly PeopleRow[]> {
  const bytes = await bytesOf(path, flag);
  if (bytes.length > LARGEST) throw new UsageError(`${flag} ${path} is larger than 64 MiB: it is not a map of people.`);
  return parsePeopleMap(decodeText(bytes, path), basename(path), kind);
}

/** Later runs read the file again, so it may be missing although this run did not name it. */
async function bytesOf(path: string, flag: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(
      `The map ${path} of ${flag}, from this command or the last load, cannot be read (${reason}). Nothing was written. ` +
        `Restore the file, name another one with ${flag}, or use ${flag} none to load without a map.`,
      { cause: error },
    );
  }
}

/** Names of the maps to fill in, in the folder of a run. */
const MAPS: Readonly<Record<PeopleKind, string>> = { users: "user-map.csv", teams: "team-map.csv" };

/**
 * The option `--user-map FILE` or `--team-map FILE` with the map of this run, or of a run that
 * writes none with the newest one in the workspace. Other options, and without a map, as given.
 */
export function withMapFile(workspace: Workspace, option: string, isOffering: boolean): string {
  const who = /^--(user|team)-map FILE$/.exec(option)?.[1];
  if (who === undefined) return option;
  const name = MAPS[who === "user" ? "users" : "teams"];
  const file = isOffering ? workspace.reportFile(name) : newestReport(workspace.directory, name);
  return file === undefined ? option : `--${who}-map ${shellQuote([file])}`;
}

/** The names of runs begin with their time. */
function newestReport(directory: string, name: string): string | undefined {
  const { reports } = layoutOf(directory);
  if (!existsSync(reports)) return undefined;
  const runs = readdirSync(reports).toSorted();
  return runs.map((run) => join(reports, run, name)).findLast((file) => existsSync(file));
}

/** Writes a map to fill in for people without a match on the target, and describes them. */
export async function offerPeopleMaps(
  workspace: Workspace,
  { unknown, unused }: Pick<PeopleThere, "unknown" | "unused">,
): Promise<readonly string[]> {
  const files = [
    ...(await offer(workspace.reportFile(MAPS.users), unknown.users, ({ id, uniqueName }) => uniqueName ?? String(id))),
    ...(await offer(workspace.reportFile(MAPS.teams), unknown.teams, ({ id }) => String(id))),
  ];
  return [
    ...describeUnused(unused),
    ...describeUnknown(unknown),
    ...files.map((file) => `Fill in this file: ${file}. A row with an empty "new" means that there is no match.`),
  ];
}

async function offer<T extends Person | Team>(
  file: string,
  unknown: readonly Named<T>[],
  old: (who: T) => string,
): Promise<readonly string[]> {
  if (unknown.length === 0) return [];
  const rows = byWeight(unknown).map(({ who }) => csvLine([old(who), "", who.name]));
  const text = [csvLine(["old", "new", "name"]), ...rows].join("");
  await onDisk(`writing ${file}`, writeFile(file, text, { mode: 0o600 }));
  return [file];
}

const SHOWN = 10;

function describeUnknown({ users, teams }: PeopleThere["unknown"]): readonly string[] {
  return [
    ...lineOf(users, "user", "--user-map", (user) => user.uniqueName ?? nameOf(user)),
    ...lineOf(teams, "team", "--team-map", nameOf),
  ];
}

/** Rows without effect, often misspelt. E-mail addresses are counted, not printed. */
function describeUnused({ users, teams }: PeopleThere["unused"]): readonly string[] {
  return [...unusedLine(users, "user map"), ...unusedLine(teams, "team map")];
}

function unusedLine(unused: readonly string[], map: string): readonly string[] {
  if (unused.length === 0) return [];
  const named = unused.filter((old) => !old.includes("@"));
  const hidden = unused.length - named.length;
  const words = [
    ...named.slice(0, SHOWN).map((old) => JSON.stringify(old)),
    ...(named.length > SHOWN ? [`${named.length - SHOWN} more`] : []),
    ...(hidden === 0
      ? []
      : [
          `${count(hidden, "e-mail address")} (addresses of the source are known only with --records all --personal-data)`,
        ]),
  ];
  return [
    `${count(unused.length, "row")} of the ${map} ${unused.length === 1 ? "matches" : "match"} nobody in the content: ${words.join(", ")}.`,
  ];
}

function lineOf<T extends Person | Team>(
  unknown: readonly Named<T>[],
  kind: string,
  flag: string,
  name: (who: T) => string,
): readonly string[] {
  if (unknown.length === 0) return [];
  const shown = byWeight(unknown).slice(0, SHOWN);
  const more = unknown.length > SHOWN ? `, and ${unknown.length - SHOWN} more` : "";
  const names = shown.map((one) => `${name(one.who)}${useOf(one)}`).join(", ");
  return [
    `${count(unknown.length, kind)} of the source ${unknown.length === 1 ? "has" : "have"} no match on the target: ${names}${more}. Map them with ${flag}.`,
  ];
}

function byWeight<T extends Person | Team>(unknown: readonly Named<T>[]): readonly Named<T>[] {
  const weight = ({ authored, views }: Named<T>): number => authored + views;
  return unknown.toSorted((one, other) => weight(other) - weight(one) || one.who.id - other.who.id);
}

function nameOf({ id, name }: Person | Team): string {
  return name === "" ? String(id) : JSON.stringify(name);
}

function useOf<T>({ authored, views, page }: Named<T>): string {
  const uses = [
    ...(authored === 0 ? [] : [`author of ${count(authored, "guide")}`]),
    ...(views === 0 ? [] : [`may see ${count(views, "guide")}`]),
    ...(page ? ["has a page"] : []),
  ];
  return ` (${uses.join("; ")})`;
}

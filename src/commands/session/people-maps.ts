import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { UsageError } from "../../core/errors.js";
import type { Person, Team } from "../../core/model/identity.js";
import { csvLine } from "../../core/util/csv.js";
import type { PeopleMaps, PeopleRow } from "../../core/writing.js";
import { onDisk } from "../../storage/archive/disk-error.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Named } from "../../sync/people/source-people.js";
import type { PeopleThere } from "../../sync/people/target-people.js";
import { type PeopleKind, parsePeopleMap } from "../../sync/people/target-people.js";
import { decodeText } from "../input-output.js";
import type { Settings } from "../options/table.js";
import { count } from "../output/words.js";

/** The largest file that is read: a map of a million people is smaller. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Reads what `--user-map` and `--team-map` name. Throws UsageError: it is not there, no UTF-8, no
 * such table.
 */
export async function readPeopleMaps({ userMap, teamMap }: Pick<Settings, "userMap" | "teamMap">): Promise<PeopleMaps> {
  return {
    users: userMap ? await readMap(userMap, "--user-map", "users") : [],
    teams: teamMap ? await readMap(teamMap, "--team-map", "teams") : [],
  };
}

async function readMap(path: string, flag: string, kind: PeopleKind): Promise<readonly PeopleRow[]> {
  const bytes = await bytesOf(path, flag);
  if (bytes.length > LARGEST) throw new UsageError(`${flag} ${path} is larger than 64 MiB, which no map of people is.`);
  return parsePeopleMap(decodeText(bytes, path), basename(path), kind);
}

/** Later runs read the file again, so that it may be gone although nobody named it this time. */
async function bytesOf(path: string, flag: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(
      `The map ${path} can't be read (${reason}). It is what ${flag} names, or named in the last load. Put it back, name another one ` +
        `with ${flag}, or say ${flag} none to go without. Nothing was written.`,
      { cause: error },
    );
  }
}

/**
 * Leaves a map to fill in, beside the other reports of the run, for those who have nobody at the
 * target; says who they are.
 */
export async function offerPeopleMaps(
  workspace: Workspace,
  { unknown, unused }: Pick<PeopleThere, "unknown" | "unused">,
): Promise<readonly string[]> {
  const files = [
    ...(await offer(
      workspace.reportFile("user-map.csv"),
      unknown.users,
      ({ id, uniqueName }) => uniqueName ?? String(id),
    )),
    ...(await offer(workspace.reportFile("team-map.csv"), unknown.teams, ({ id }) => String(id))),
  ];
  return [
    ...describeUnused(unused),
    ...describeUnknown(unknown),
    ...files.map((file) => `To fill in: ${file}. A row whose "new" stays empty means that nobody is meant.`),
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

/** Rows that do nothing: most are misspelt. Addresses are counted and not told. */
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
      : [`${count(hidden, "e-mail address")}; the source's are known only with --records all --personal-data`]),
  ];
  const mean = unused.length === 1 ? "means" : "mean";
  return [`${count(unused.length, "row")} of the ${map} ${mean} nobody whom the content names: ${words.join(", ")}.`];
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
    `Nobody at the target stands for ${count(unknown.length, kind)} of the source: ${names}${more}. Say with ${flag} who they are there.`,
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
    ...(authored === 0 ? [] : [`${count(authored, "guide")} by them`]),
    ...(views === 0 ? [] : [`may see ${count(views, "guide")}`]),
    ...(page ? ["a page about them"] : []),
  ];
  return ` (${uses.join("; ")})`;
}

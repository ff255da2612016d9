import type { Person, Team } from "../../core/model/shared.js";
import type { PeopleThere } from "../../sync/people/people-there.js";
import type { Named } from "../../sync/people/source-people.js";
import { count } from "./words.js";

/** How many are named in a line; the file has all. */
const SHOWN = 10;

/** Who has nobody at the target, those with most guides first. */
export function describeUnknown({ users, teams }: PeopleThere["unknown"]): readonly string[] {
  return [
    ...lineOf(users, "user", "--user-map", (user) => user.uniqueName ?? nameOf(user)),
    ...lineOf(teams, "team", "--team-map", nameOf),
  ];
}

/** Rows that do nothing: most are misspelt. Addresses are counted and not told. */
export function describeUnused({ users, teams }: PeopleThere["unused"]): readonly string[] {
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

/** The most used first; equals by their ids. */
export function byWeight<T extends Person | Team>(unknown: readonly Named<T>[]): readonly Named<T>[] {
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

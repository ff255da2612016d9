import type { Loaded, Operation } from "../../core/contracts.js";
import type { Call, CallOf } from "../../core/model/call.js";
import type { GuideItem } from "../../core/model/item.js";
import type { Person, Team } from "../../core/model/shared.js";
import type { PlanOptions } from "./plan-options.js";

type Make = (suffix: string, part: string, call: Call) => Operation;
type AddCall = CallOf<"add-viewer"> | CallOf<"add-viewing-team">;

/** Somebody who may see it at the source. */
interface Wanted {
  /** `viewer/user/12` by the id at the source, `viewer/user/=45` by the one that a map gives at the target. */
  readonly suffix: string;
  readonly part: string;
  readonly call: AddCall;
  /** `user/45` at the target; undefined: nobody is known there. */
  readonly who: string | undefined;
}

/**
 * Those who may see it while it is private. Whom we let in and who may not any more are taken out again, and that first: another one of the
 * source may now be the same person.
 */
export function planViewers(item: GuideItem, loaded: Loaded, options: PlanOptions, make: Make): readonly Operation[] {
  const { viewers } = item.body;
  if (viewers === null) return [];
  const wanted = oncePerPerson([
    ...viewers.users.flatMap((user) => wantedUser(item, user, options)),
    ...viewers.teams.flatMap((team) => wantedTeam(item, team, options)),
  ]);
  const prefix = `${item.key}/`;
  const isWanted = new Set(wanted.map(({ suffix }) => suffix));
  const gone = [...loaded.operations.keys()].filter(
    (id) => id.startsWith(`${prefix}viewer/`) && !isWanted.has(id.slice(prefix.length)),
  );
  return [
    ...gone.map((id) =>
      make(id.slice(prefix.length), "a viewer who is gone", {
        verb: "remove-viewer",
        guide: item.key,
        operation: id,
      }),
    ),
    ...wanted.filter(({ who }) => who !== undefined).map(({ suffix, part, call }) => make(suffix, part, call)),
  ];
}

function wantedUser({ key }: GuideItem, user: Person, { people }: PlanOptions): readonly Wanted[] {
  if (user.given === "nobody") return [];
  const id = people().userOf(user);
  const who = id === undefined ? undefined : `user/${id}`;
  const suffix = user.given === "target" ? givenSuffix(`user/${user.id}`) : `viewer/user/${user.id}`;
  return [{ suffix, part: `viewer ${user.name}`, call: { verb: "add-viewer", guide: key, user }, who }];
}

function wantedTeam({ key }: GuideItem, team: Team, { people }: PlanOptions): readonly Wanted[] {
  if (team.given === "nobody") return [];
  const id = people().teamOf(team);
  const who = id === undefined ? undefined : `team/${id}`;
  const suffix = team.given === "target" ? givenSuffix(`team/${team.id}`) : `viewer/team/${team.id}`;
  return [{ suffix, part: `viewing team ${team.name}`, call: { verb: "add-viewing-team", guide: key, team }, who }];
}

/** `viewer/user/=45` */
function givenSuffix(who: string): string {
  return `viewer/${who.replace("/", "/=")}`;
}

/** Several of the source may be one person of the target: what a map gives stands for all of them. */
function oncePerPerson(wanted: readonly Wanted[]): readonly Wanted[] {
  const standing = new Map<string, Wanted>();
  for (const one of wanted) {
    const { who } = one;
    if (who !== undefined && (!standing.has(who) || one.suffix === givenSuffix(who))) standing.set(who, one);
  }
  return wanted.filter((one) => one.who === undefined || standing.get(one.who) === one);
}

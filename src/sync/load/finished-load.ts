import type { Person, Team } from "../../core/model/identity.js";
import { digest } from "../../core/util/json.js";
import type { Written } from "../../core/writing.js";
import type { RunReader } from "../../storage/workspace/run-log.js";
import type { Named } from "../people/source-people.js";
import { type NamedPeople, type PeopleThere, peopleThere } from "../people/target-people.js";
import { deletedItems } from "./deleted-at-source.js";
import type { LoadJob, LoadParts, OpenedTarget } from "./load-job.js";
import type { LoadSummary } from "./load-summary.js";
import { noted, notedLimits, PAGES } from "./target-facts.js";
import { TRANSFORMED } from "./transform-preview.js";
import { isTranslation } from "./translation-key.js";

/**
 * What the ledger keeps of a load that left nothing to do. A load plans its items from the
 * workspace, the target, the options and the ledger. If none of them has changed since then, it
 * would plan the same operations, and all of them are done.
 */
interface FinishedLoad {
  readonly run: string;
  /** Of everything that decides about the plan, apart from the ledger and the people. */
  readonly inputs: string;
  /** The people of the content as lists of pairs: their matches are looked for in each load. */
  readonly users: readonly (readonly [number, Named<Person>])[];
  readonly teams: readonly (readonly [number, Named<Team>])[];
  readonly emails: readonly (readonly [number, string])[];
  /** Of the matches of these people on the target. */
  readonly matches: string;
  readonly counts: Pick<LoadSummary, "items" | "refused" | "privateThere">;
}

const MEMO = "finished-load";

/**
 * The summary of a load that has nothing to do, as an earlier one showed; undefined: it has to
 * plan. Reads the target's lists, since somebody may have deleted items there.
 */
export async function finishedBefore(parts: LoadParts, opened: OpenedTarget): Promise<LoadSummary | undefined> {
  const { ledger, survey } = opened;
  const memo = isWholeLoad(parts) ? await ledger.recall(MEMO) : undefined;
  if (memo === undefined) return undefined;
  const before = JSON.parse(memo) as FinishedLoad;
  if (!isLedgerUntouched(parts.workspace.runs, before.run)) return undefined;
  if (before.inputs !== (await inputsOf(parts, opened))) return undefined;
  const people = await peopleThere(peopleOf(before), parts.target.directory(), parts.control.abort);
  if (before.matches !== matchesOf(people)) return undefined;
  if (await isSomethingDeleted(parts, opened)) return undefined;
  await remember({ ...parts, ...opened }, before);
  return {
    ...before.counts,
    target: survey.identity,
    failed: 0,
    adopted: 0,
    writes: 0,
    found: 0,
    heldBack: [],
    deletedAtSource: { listed: 0, deleted: 0 },
    recreated: 0,
    hidden: 0,
    operations: await ledger.counts(),
    unknown: people.unknown,
  };
}

function peopleOf({ users, teams, emails }: FinishedLoad): NamedPeople {
  return { users: new Map(users), teams: new Map(teams), emails: new Map(emails) };
}

/**
 * Notes that this load left nothing to do.
 *
 * @param allDone is each item that moves complete on the target, without a failure or a deletion?
 */
export async function noteFinished(
  parts: LoadParts,
  { named, people, ...opened }: OpenedTarget & Pick<LoadJob, "named" | "people">,
  summary: LoadSummary,
  allDone: boolean,
): Promise<void> {
  const inputs = allDone && isWholeLoad(parts) ? await inputsOf(parts, opened) : undefined;
  if (inputs === undefined || !(await isNothingOpen(opened))) return;
  const { items, refused, privateThere } = summary;
  await remember(
    { ...parts, ...opened },
    {
      inputs,
      users: [...named.users],
      teams: [...named.teams],
      emails: [...named.emails],
      matches: matchesOf(people),
      counts: { items, refused, privateThere },
    },
  );
}

async function remember(
  { workspace, ledger }: Pick<LoadJob, "workspace" | "ledger">,
  finished: Omit<FinishedLoad, "run">,
): Promise<void> {
  const run = workspace.runs.current();
  if (run !== undefined) await ledger.remember(MEMO, JSON.stringify({ ...finished, run }));
}

/** Every item moves, and nothing of it depends on code or files of a person. */
function isWholeLoad({ transforms, options, decisive, mediaOf, movedElsewhere }: LoadParts): boolean {
  const { selected, keys, allowed, toOrigin } = options;
  const isLimited = [selected, keys, allowed, mediaOf, movedElsewhere].some((value) => value !== undefined);
  return decisive !== undefined && transforms.length === 0 && toOrigin !== true && !isLimited;
}

/** Commands that never change a ledger. Of the others each run counts, also a killed one. */
const READERS: ReadonlySet<string> = new Set(["extract", "verify"]);
/** Enough for months of nightly extracts between two loads. */
const LOOKED_AT = 200;

function isLedgerUntouched(runs: RunReader & { current(): string | undefined }, since: string): boolean {
  const now = runs.current();
  return runs.recent(LOOKED_AT).find(({ id, command }) => id !== now && !READERS.has(command))?.id === since;
}

/** undefined: another workspace's map applies, whose rows the digest does not have. */
async function inputsOf(
  { workspace, options, decisive }: LoadParts,
  { source, survey, ledger }: OpenedTarget,
): Promise<string | undefined> {
  for await (const _key of ledger.mapped()) return undefined;
  const { highestGuide: _newest, identity, ...lists } = survey;
  // An empty site shows its dialect with its first guide; no site changes it later.
  const site = { ...lists, identity: { ...identity, dialect: null } };
  return digest([workspace.items.digest(), source, site, JSON.stringify(options), decisive ?? null]);
}

/** By maps, by e-mail addresses, and, in `pages`, also by their own names. */
function matchesOf({ users, teams, pages, unknown }: PeopleThere): string {
  const strangers = [unknown.users, unknown.teams].map((list) => list.map(({ who }) => who.id));
  return digest([[...users], [...teams], [...pages], strangers]);
}

/** No write failed or has an unknown outcome, and no probe is left on the target. */
async function isNothingOpen({ ledger }: Pick<OpenedTarget, "ledger">): Promise<boolean> {
  const { begun, failed } = await ledger.counts();
  if (begun + failed > 0 || (await ledger.repairable()).length > 0) return false;
  // The next load that plans removes this note.
  for await (const { code } of ledger.issues()) if (code === "deleted-at-target") return false;
  const probes = [await noted(ledger), await noted(ledger, PAGES), await notedLimits(ledger)];
  return probes.every(({ probing }) => probing === null);
}

async function isSomethingDeleted(parts: LoadParts, { ledger }: Pick<OpenedTarget, "ledger">): Promise<boolean> {
  const { workspace, target, control } = parts;
  if ((await deletedItems({ ...parts, ledger })).length > 0) return true;
  const there: Pick<Written, "key" | "id">[] = [];
  for (const kind of TRANSFORMED) {
    for (const { key, state } of workspace.items.entries(kind)) {
      const written = state === "gone" || isTranslation(key) ? undefined : await ledger.written(key);
      if (written !== undefined) there.push({ key, id: written.id });
    }
  }
  for await (const _key of target.absent(there, control.abort)) return true;
  return false;
}

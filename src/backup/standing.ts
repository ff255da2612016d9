import { presentWritten } from "../service/target/present.js";
import type { Context, Operation, OperationState, Written } from "../core/contracts.js";
import type { GuideItem, Item } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import { canonicalJson } from "../core/util/canonical-json.js";
import { knownStepLimits } from "../sync/known-step-limits.js";
import { AtHome } from "../sync/verify/at-home.js";
import { type FieldPair, fieldPair } from "../sync/verify/field-pair.js";
import { ComparingLedger, withoutImages } from "./comparing-ledger.js";
import { ownEmbeds } from "./embeds.js";
import type { HomeDesk } from "./home-desk.js";
import type { HomeLedger } from "./home-ledger.js";
import { type Beside, beyondCalls, isOpen } from "./open-operations.js";
import { withKnownMedia } from "./shown-media.js";
import { stepKeys } from "./step-keys.js";

/** How an item of the snapshot stands at the site now. */
export interface Standing {
  /** Of the snapshot. */
  readonly item: Item;
  /** As it was read, under the snapshot's keys. */
  readonly present: Item;
  /** What the ledger would know if we had left it as it is. */
  readonly written: readonly Written[];
  /** What would have made it as it is. */
  readonly asIs: readonly Operation[];
  /** What makes it as the snapshot has it, done or not. */
  readonly wanted: readonly Operation[];
  /** Ids of those of the wanted ones that have something to do. */
  readonly open: ReadonlySet<string>;
  /** What differs and can be put back, in the model's words: `title`, `steps[1].lines[0].text`. */
  readonly paths: readonly string[];
  /** What differs and no call puts back. */
  readonly beyond: readonly string[];
  /** Steps that are to show their embed again, and its `objectid`. */
  readonly embeds: ReadonlyMap<Key, number>;
}

/** Compares an item of the snapshot with what was read for it at the site. */
export async function standingOf(desk: HomeDesk, item: Item, read: Item): Promise<Standing> {
  const comparing = new ComparingLedger(desk.ledger);
  const { lineLength } = await knownStepLimits(desk.ledger);
  const home = new AtHome(desk.texts, contextOf(comparing), lineLength);
  const actual = await withKnownMedia(desk.ledger, withAway(desk.ledger, item, read));
  const stepKey = await stepKeysOf(desk, home, item, actual);
  const written = presentWritten(read, item.key, stepKey);
  const byKey = new Map(written.map((one) => [one.key, one]));
  const compared = new Map(written.map((one) => [one.key, withoutImages(one)]));
  const ledger = {
    keyOf: comparing.keyOf.bind(comparing),
    loaded: async () => ({ operations: NONE, written: compared }),
  };
  const pair = await fieldPair({ survey: desk.survey, ledger }, home, item, actual);
  const present = withStepKeys({ ...actual, key: item.key }, stepKey);
  const asIs = desk.target.plan(present, { operations: NONE, written: byKey });
  const operations = new Map(asIs.map((one) => [one.id, stateOf(one)]));
  const wanted = desk.target.plan(item, { operations, written: byKey });
  const differing = differences(withoutGone(desk.ledger, item, pair));
  const embeds = differing.size === 0 ? NO_EMBEDS : await ownEmbeds(desk, item);
  const beside: Beside = { differing, item, present, written: byKey, embeds };
  const open = wanted.filter((operation) => {
    const known = operations.get(operation.id);
    return known?.hash !== operation.hash && isOpen(operation, beside);
  });
  const paths = [...differing].filter((path) =>
    open.some((operation) => isOpen(operation, { ...beside, differing: new Set([path]) })),
  );
  const known = { item, present, written, asIs, wanted, open: new Set(open.map(({ id }) => id)) };
  const again = isGuide(item) ? item.body.steps.filter((_step, index) => differing.has(`steps[${index}].media`)) : [];
  const shown = again.flatMap(({ key }): readonly [Key, number][] => {
    const id = embeds.get(key);
    return id === undefined ? [] : [[key, id]];
  });
  return { ...known, paths: named(paths, open), beyond: beyondCalls(beside), embeds: new Map(shown) };
}

const NO_EMBEDS: ReadonlyMap<Key, number> = new Map();

function isGuide(item: Item): item is GuideItem {
  return item.kind === "guide";
}

const NONE: ReadonlyMap<string, OperationState> = new Map();

function contextOf(ledger: ComparingLedger): Omit<Context, "begin" | "keep"> {
  return {
    idOf: (key) => ledger.idOf(key),
    keyOf: (kind, id) => ledger.keyOf(kind, id),
    written: (key) => ledger.written(key),
    left: (key) => ledger.left(key),
    moves: () => true,
    addressOf: () => undefined,
    bytes: () => {
      throw new Error("A comparison asked for bytes: a defect of guideferry.");
    },
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
  };
}

async function stepKeysOf(desk: HomeDesk, home: AtHome, item: Item, actual: Item): Promise<(step: Key) => Key> {
  if (item.kind !== "guide" || actual.kind !== "guide") return (step) => step;
  return stepKeys(desk.ledger, await home.guide(item.body, []), actual.body);
}

function withStepKeys(item: Item, stepKey: (step: Key) => Key): Item {
  if (item.kind !== "guide") return item;
  const steps: GuideItem["body"]["steps"] = item.body.steps.map((step) => ({ ...step, key: stepKey(step.key) }));
  return { ...item, body: { ...item.body, steps } };
}

function stateOf({ id, item, label, hash }: Operation) {
  return { id, item, label, hash, state: "done", missing: [], mark: null, error: null } as const;
}

/** What needs a guide that a rehearsal has come back would show it again, as it does in the run itself. */
function withAway(ledger: HomeLedger, item: Item, read: Item): Item {
  if (item.kind !== "guide" || read.kind !== "guide") return read;
  const { prerequisites } = item.body;
  const there = prerequisites.filter((key) => !ledger.isAway(key));
  const isLess = there.length < prerequisites.length && canonicalJson(there) === canonicalJson(read.body.prerequisites);
  return isLess ? { ...read, body: { ...read.body, prerequisites } } : read;
}

/** What needs a guide that is gone shows it no more: nobody edited that, and it is written when the guide is there again. */
function withoutGone(ledger: HomeLedger, item: Item, { expected, ...pair }: FieldPair): FieldPair {
  const needs = expected.get("prerequisites");
  if (item.kind !== "guide" || !Array.isArray(needs)) return { ...pair, expected };
  const there = needs.filter((_need, index) => !ledger.isGone(item.body.prerequisites[index] ?? item.key));
  const isLess = canonicalJson([there]) === canonicalJson([pair.present.get("prerequisites")]);
  return { ...pair, expected: isLess ? new Map([...expected, ["prerequisites", there]]) : expected };
}

function differences({ expected, present }: FieldPair): ReadonlySet<string> {
  const paths = [...new Set([...expected.keys(), ...present.keys()])];
  return new Set(paths.filter((path) => canonicalJson([expected.get(path)]) !== canonicalJson([present.get(path)])));
}

/** What a person is told differs: fields, or what an operation is about that has none. */
function named(paths: readonly string[], open: readonly Operation[]): readonly string[] {
  const others = open.flatMap(({ call }) => OTHERS[call.verb] ?? []);
  return [...new Set([...paths, ...others])].sort();
}

const OTHERS: Readonly<Record<string, string>> = {
  "delete-step": "steps.others",
  "order-steps": "steps.order",
  "add-tag": "tags",
  "remove-tag": "tags",
  "add-viewer": "viewers",
  "add-viewing-team": "viewers",
  "remove-viewer": "viewers",
};

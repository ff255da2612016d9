import type { Context } from "../../core/contracts.js";
import { factsOf } from "../../core/model/call.js";
import type { Guide, GuideItem, Item, Step } from "../../core/model/item.js";
import { type Key, languageIn, restOf } from "../../core/model/key.js";
import { canonicalJson } from "../../core/util/json.js";
import type { Operation, OperationState, Written } from "../../core/writing.js";
import { writtenFromRemote } from "../../service/target/written-body.js";
import { knownStepLimits } from "../../sync/load/target-facts.js";
import { type FieldPair, fieldPair, stepsFields } from "../../sync/verify/compared-fields.js";
import { TargetForm } from "../../sync/verify/target-item.js";
import { ComparingLedger, type OriginLedger, withoutImages } from "./origin-ledger.js";
import { ownEmbeds, withKnownMedia } from "./origin-media.js";
import type { RestoreContext } from "./restore-context.js";

/** An item of the snapshot, compared with its state on the site. */
export interface RemoteState {
  /** From the snapshot. */
  readonly item: Item;
  /** As it was read from the site, under the snapshot's keys. */
  readonly present: Item;
  /** What the ledger would know if guideferry had written the remote state. */
  readonly written: readonly Written[];
  /** The operations that would have written the remote state. */
  readonly asIs: readonly Operation[];
  /** The operations that write it as the snapshot has it. */
  readonly wanted: readonly Operation[];
  /** Ids of the wanted operations that change something. */
  readonly open: ReadonlySet<string>;
  /** Differing fields that can be restored: `title`, `steps[1].lines[0].text`. */
  readonly paths: readonly string[];
  /** Differing fields that no call writes. */
  readonly beyond: readonly string[];
  /** Steps that get their embed again, and its `objectid`. */
  readonly embeds: ReadonlyMap<Key, number>;
}

export async function remoteStateOf(context: RestoreContext, item: Item, read: Item): Promise<RemoteState> {
  const comparing = new ComparingLedger(context.ledger);
  const { lineLength } = await knownStepLimits(context.ledger);
  const home = new TargetForm(context.texts, contextOf(comparing), lineLength);
  const actual = await withKnownMedia(context.ledger, withRestoredLater(context.ledger, item, read));
  const stepKey = await stepKeysOf(context, home, item, actual);
  const written = writtenFromRemote(read, item.key, stepKey);
  const byKey = new Map(written.map((one) => [one.key, one]));
  const compared = new Map(written.map((one) => [one.key, withoutImages(one)]));
  const ledger = {
    keyOf: comparing.keyOf.bind(comparing),
    loaded: async () => ({ operations: NONE, written: compared }),
  };
  const pair = await fieldPair({ survey: context.survey, ledger }, home, item, actual);
  const present = withStepKeys({ ...actual, key: item.key }, stepKey);
  const asIs = context.target.plan(present, { operations: NONE, written: byKey });
  const operations = new Map(asIs.map((one) => [one.id, stateOf(one)]));
  const wanted = context.target.plan(item, { operations, written: byKey });
  const differing = differences(withoutDeleted(context.ledger, item, pair));
  const embeds = differing.size === 0 ? NO_EMBEDS : await ownEmbeds(context, item);
  const comparison: Comparison = { differing, item, present, written: byKey, embeds };
  const open = wanted.filter((operation) => {
    const known = operations.get(operation.id);
    return known?.hash !== operation.hash && isOpen(operation, comparison);
  });
  const paths = [...differing].filter((path) =>
    open.some((operation) => isOpen(operation, { ...comparison, differing: new Set([path]) })),
  );
  const known = { item, present, written, asIs, wanted, open: new Set(open.map(({ id }) => id)) };
  const again = isGuide(item) ? item.body.steps.filter((_step, index) => differing.has(`steps[${index}].media`)) : [];
  const shown = again.flatMap(({ key }): readonly [Key, number][] => {
    const id = embeds.get(key);
    return id === undefined ? [] : [[key, id]];
  });
  return { ...known, paths: named(paths, open), beyond: beyondCalls(comparison), embeds: new Map(shown) };
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
      throw new Error("A comparison requested bytes: a defect of guideferry.");
    },
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
  };
}

async function stepKeysOf(
  context: RestoreContext,
  home: TargetForm,
  item: Item,
  actual: Item,
): Promise<(step: Key) => Key> {
  if (item.kind !== "guide" || actual.kind !== "guide") return (step) => step;
  return stepKeys(context.ledger, await home.guide(item.body, []), actual.body);
}

function withStepKeys(item: Item, stepKey: (step: Key) => Key): Item {
  if (item.kind !== "guide") return item;
  const steps: GuideItem["body"]["steps"] = item.body.steps.map((step) => ({ ...step, key: stepKey(step.key) }));
  return { ...item, body: { ...item.body, steps } };
}

function stateOf({ id, item, label, hash }: Operation) {
  return { id, item, label, hash, state: "done", outcome: "written", missing: [], mark: null, error: null } as const;
}

/** In a dry run, prerequisites include the guides that the site would restore. */
function withRestoredLater(ledger: OriginLedger, item: Item, read: Item): Item {
  if (item.kind !== "guide" || read.kind !== "guide") return read;
  const { prerequisites } = item.body;
  const there = prerequisites.filter((key) => !ledger.isRestoredLater(key));
  const isLess = there.length < prerequisites.length && canonicalJson(there) === canonicalJson(read.body.prerequisites);
  return isLess ? { ...read, body: { ...read.body, prerequisites } } : read;
}

/**
 * A deleted prerequisite is missing on the site without any edit. It is written when the guide
 * exists again.
 */
function withoutDeleted(ledger: OriginLedger, item: Item, { expected, ...pair }: FieldPair): FieldPair {
  const needs = expected.get("prerequisites");
  if (item.kind !== "guide" || !Array.isArray(needs)) return { ...pair, expected };
  const there = needs.filter((_need, index) => !ledger.isDeleted(item.body.prerequisites[index] ?? item.key));
  const isLess = canonicalJson([there]) === canonicalJson([pair.remote.get("prerequisites")]);
  return { ...pair, expected: isLess ? new Map([...expected, ["prerequisites", there]]) : expected };
}

function differences({ expected, remote: present }: FieldPair): ReadonlySet<string> {
  const paths = [...new Set([...expected.keys(), ...present.keys()])];
  return new Set(paths.filter((path) => canonicalJson([expected.get(path)]) !== canonicalJson([present.get(path)])));
}

/** The reported differences: fields, and the parts of operations that have no field. */
function named(paths: readonly string[], open: readonly Operation[]): readonly string[] {
  const others = open.flatMap(({ call }) => factsOf(call).part ?? []);
  return [...new Set([...paths, ...others])].sort();
}

/**
 * Maps steps of the site to steps of the snapshot: by the ledger, by their own key, or, where a
 * person deleted a step and made it again, by equal content. Other steps keep their keys.
 *
 * @param wanted the guide of the snapshot, with links to the site
 */
async function stepKeys(ledger: OriginLedger, wanted: Guide, present: Guide): Promise<(step: Key) => Key> {
  const known = new Map<Key, Key>();
  const open = new Set(wanted.steps.map(({ key }) => key));
  for (const { key } of present.steps) {
    const stands = (await ledger.keyOf("step", restOf(key))) ?? key;
    if (open.delete(stands)) known.set(key, stands);
  }
  for (const step of present.steps) {
    const same = known.has(step.key)
      ? undefined
      : wanted.steps.find((one) => open.has(one.key) && contentOf(one) === contentOf(step));
    if (same === undefined) continue;
    open.delete(same.key);
    known.set(step.key, same.key);
  }
  return (step) => known.get(step) ?? step;
}

/** Without comments and custom bullet images, which a recreated step lacks. */
function contentOf(step: Step): string {
  const fields = stepsFields({ steps: [step], order: [0], others: 0 });
  return canonicalJson([...fields].filter(([path]) => !/comments|bulletStyle/.test(path)));
}

interface Comparison {
  readonly differing: ReadonlySet<string>;
  readonly item: Item;
  readonly present: Item;
  readonly embeds: ReadonlyMap<Key, number>;
  readonly written: ReadonlyMap<Key, Written>;
}

function isOpen({ call }: Operation, comparison: Comparison): boolean {
  const { open } = factsOf(call);
  const differs = (paths: readonly string[]): boolean => differsIn(comparison, paths);
  if (typeof open !== "function") return differs(open);
  const stepDiffers = (step: Key): boolean => !comparison.written.has(step) || isOtherStep(step, comparison);
  return open(call, { differs, stepDiffers, remote: comparison.present });
}

function differsIn({ differing }: Comparison, fields: readonly string[]): boolean {
  return [...differing].some((path) => fields.some((field) => isWithin(field, path)));
}

/** No edit writes comments or the bullet style, so these don't count. */
function isOtherStep(key: Key, { differing, item, embeds }: Comparison): boolean {
  const index = item.kind === "guide" ? item.body.steps.findIndex((step) => step.key === key) : -1;
  const lost = new Set(lostEmbeds(item, differing, embeds));
  return [...differing].some(
    (path) => isWithin(`steps[${index}]`, path) && !/\.(?:comments|bulletStyle)$/.test(path) && !lost.has(path),
  );
}

const TRANSLATED =
  /^(?:title|summary|introduction|conclusion|steps\.order|steps\.others|steps\[\d+\]\.(?:title|lines\b.*text))$/;

/** Differing fields that no call writes: texts of translations, and embeds of other users. */
function beyondCalls({ item, differing, embeds }: Comparison): readonly string[] {
  if (languageIn(item.key) === undefined) return lostEmbeds(item, differing, embeds);
  return [...differing].filter((path) => TRANSLATED.test(path));
}

function lostEmbeds(item: Item, differing: ReadonlySet<string>, own: Comparison["embeds"]): readonly string[] {
  const steps = item.kind === "guide" ? item.body.steps : [];
  const paths = steps.flatMap(({ key, media }, index) =>
    media.type === "embed" && !own.has(key) ? [`steps[${index}].media`] : [],
  );
  return paths.filter((path) => differing.has(path));
}

function isWithin(field: string, path: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}

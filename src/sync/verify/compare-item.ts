import { FINISH_FIELDS, OWN_FIELDS, STEP_ORDER } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import type { Item, Step } from "../../core/model/item.js";
import { canonicalJson } from "../../core/util/json.js";
import type { LoadJob } from "../load/load-job.js";
import { type FieldPair, fieldPair } from "./compared-fields.js";
import type { Follower } from "./references.js";
import {
  allLines,
  compareRendered,
  type LinkSites,
  type RenderedText,
  renderedTexts,
  showsAllLines,
} from "./rendered.js";
import type { ComparedField } from "./report/report-format.js";
import type { TargetForm } from "./target-item.js";

/** What comparing items needs, whichever item. */
export interface Comparing {
  readonly job: Pick<LoadJob, "ledger" | "target" | "survey">;
  readonly targetForm: TargetForm;
  readonly sites: LinkSites;
  readonly follower: Follower;
}

/** What comparing one item came to. */
interface ItemComparison {
  readonly fields: readonly ComparedField[];
  /** Fields that were compared, those of the HTML and of references left out. */
  readonly compared: number;
  /** Texts that were compared as they are shown, and those that the target shows no HTML of. */
  readonly rendered: number;
  readonly unrendered: number;
  readonly references: number;
}

/**
 * Compares an item with what was read back: its fields, the HTML of its texts, and what it refers
 * to.
 *
 * @param stored the item as the source has it, of which `item` was made
 */
export async function compareItem(
  comparing: Comparing,
  item: Item,
  stored: Item,
  actual: Item,
): Promise<ItemComparison> {
  const pair = await fieldPair(comparing.job, comparing.targetForm, item, actual);
  const judge = await fieldComparer(comparing.job, item);
  const fields = comparedFields(pair, judge);
  const texts = renderedTexts(item, stored, actual, pair);
  const shown = texts.filter((text) => text.remote !== undefined);
  const lines = (): Lines => allLines(item, stored, actual, pair);
  const rendered = await renderedFields(shown, lines, comparing.sites, judge);
  const { broken, followed } = await comparing.follower.follow(actual, texts);
  const references = broken.map(({ path, expected, actual: got }) => judge.differs(path, expected, got));
  return {
    fields: [...fields, ...rendered, ...references],
    compared: fields.length - pair.lacking.length,
    rendered: shown.length,
    unrendered: texts.length - shown.length,
    references: followed,
  };
}

function comparedFields({ expected, remote, lacking }: FieldPair, judge: FieldComparer): readonly ComparedField[] {
  const fields = [...new Set([...expected.keys(), ...remote.keys()])].map((path) => {
    const [wanted, got] = [expected.get(path), remote.get(path)];
    // What no write carries is equal by chance only: counted all the same, so that each run comes
    // to the same number.
    const isSame = !judge.isLost(path) && canonicalJson([wanted]) === canonicalJson([got]);
    return isSame ? judge.equals(path, wanted) : judge.differs(path, wanted, got);
  });
  // What is left out everywhere is no difference of its own, but the loss ledger must name it.
  return [...fields, ...lacking.map((path) => judge.differs(path, "to be at the target", "is left out"))];
}

type Lines = ReturnType<typeof allLines>;

/**
 * The text itself came back as it was sent, so what its site makes of it is no more than a note.
 */
async function renderedFields(
  texts: readonly RenderedText[],
  lines: () => Lines,
  sites: LinkSites,
  judge: FieldComparer,
): Promise<readonly ComparedField[]> {
  const all = await Promise.all(
    texts.map(async (text) => ({ text, shown: await compareRendered(text, text.remote ?? "", sites) })),
  );
  const isCut = ({ where, source }: RenderedText): boolean => where === "line" && source === undefined;
  const cut = all.some(({ text, shown }) => !shown.same && isCut(text)) ? lines() : undefined;
  const isSameInAll = cut !== undefined && (await showsAllLines(cut, sites));
  return all.map(({ text, shown: { same, expected, actual } }) => {
    const path = `${text.path}.rendered`;
    const isSame = same || (isSameInAll && isCut(text));
    return isSame ? judge.equals(path, actual) : judge.notes(path, expected, actual);
  });
}

/** Says of fields what the loss ledger says of them. */
interface FieldComparer {
  isLost(path: string): boolean;
  equals(path: string, value: unknown): ComparedField;
  differs(path: string, expected: unknown, actual: unknown): ComparedField;
  /** The same of what is no more than a note where the ledger does not name it. */
  notes(path: string, expected: unknown, actual: unknown): ComparedField;
}

/** What no write can carry of an item, and what the ledger has of it. */
export async function fieldComparer(job: Pick<LoadJob, "ledger" | "target">, item: Item): Promise<FieldComparer> {
  const losses = job.target.losses(item);
  const issues: Issue[] = [];
  for await (const issue of job.ledger.issues(item.key)) issues.push(issue);
  const steps = item.kind === "guide" ? item.body.steps : [];
  const codesOf = (path: string): readonly string[] => {
    if (!isExplained(path, losses, issues, steps)) return [];
    const named = losses.filter((loss) => isExplained(path, [loss], [], steps));
    const more = issues.filter((issue) => isExplained(path, [], [issue], steps));
    return [...new Set([...named, ...more].map(({ code }) => code))].sort();
  };
  const unequal = (unnamed: "different" | "noted") => (path: string, expected: unknown, actual: unknown) => {
    const codes = codesOf(path);
    return { path, verdict: codes.length > 0 ? "named" : unnamed, expected, actual, codes } as const;
  };
  return {
    isLost: (path) => losses.some((loss) => loss.path === path),
    equals: (path, value) => ({ path, verdict: "equal", expected: value, actual: value, codes: [] }),
    differs: unequal("different"),
    notes: unequal("noted"),
  };
}

/**
 * Issues that a write left, which say that something at the target is not as it should be. Those of
 * the fit rules are no excuse: what is compared is fitted already.
 */
const EXCUSES: ReadonlySet<string> = new Set([
  "conflict-skipped",
  "merge-clash",
  "merge-kept-theirs",
  "media-not-there",
  "not-cleared",
  "viewers-switched-off",
  "refused-by-site",
  "author",
  "part-mark",
  "work-log",
  "prerequisite-not-moved",
  "prerequisite-waiting",
  "parent-not-moved",
  "comment-gone",
  "comment-not-posted",
  "translation-refused",
]);

/**
 * Is a difference named by the loss ledger? `losses` are what no write can carry, `issues` all that
 * the ledger has of the item.
 */
function isExplained(
  path: string,
  losses: readonly Issue[],
  issues: readonly Issue[],
  steps: readonly Step[],
): boolean {
  const named = [...losses, ...issues.filter((issue) => EXCUSES.has(issue.code))].map((issue) => issue.path);
  const alias = stepAlias(path, steps);
  return named.some((prefix) => covers(prefix, path) || (alias !== undefined && isWithin(prefix, alias)));
}

/**
 * `steps[3].lines[0].text` is `step/456.lines[0].text` in the issues of a write, since positions
 * move.
 */
function stepAlias(path: string, steps: readonly Step[]): string | undefined {
  const found = /^steps\[(\d+)\](.*)$/s.exec(path);
  const key = found === null ? undefined : steps[Number(found[1])]?.key;
  return key === undefined ? undefined : `${key}${found?.[2] ?? ""}`;
}

/** What has calls of its own, beside those that write a thing's own fields. */
const FINISH = ["flags", "author", "pageTitle"] as const;
const OTHERS = ["steps", "tags", "viewers", "public", "parent", ...FINISH] as const;

function covers(prefix: string, path: string): boolean {
  if (prefix === OWN_FIELDS) return !OTHERS.some((other) => isWithin(other, path));
  // Who adds and removes steps changes their order too.
  if (prefix === STEP_ORDER) return path === STEP_ORDER || path === "steps.others";
  if (prefix === FINISH_FIELDS) return FINISH.some((field) => isWithin(field, path));
  return isWithin(prefix, path);
}

function isWithin(prefix: string, path: string): boolean {
  return prefix === "" || path === prefix || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`);
}

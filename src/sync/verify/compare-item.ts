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

export interface Comparing {
  readonly job: Pick<LoadJob, "ledger" | "target" | "survey">;
  readonly targetForm: TargetForm;
  readonly sites: LinkSites;
  readonly follower: Follower;
  /** Are the values of equal HTML used? */
  readonly showsEqual: boolean;
}

interface ItemComparison {
  readonly fields: readonly ComparedField[];
  readonly compared: number;
  readonly rendered: number;
  readonly unrendered: number;
  readonly references: number;
}

/**
 * Compares fields, the HTML of texts, and references with what was read back.
 * | @param stored the item at the source, which `item` was made of
 */
export async function compareItem(
  comparing: Comparing,
  item: Item,
  stored: Item,
  actual: Item,
): Promise<ItemComparison> {
  const pair = await fieldPair(comparing.job, comparing.targetForm, item, actual);
  const losses = comparing.job.target.losses(item);
  const fields = comparedFields(pair, losses);
  const texts = renderedTexts(item, stored, actual, pair);
  const shown = texts.filter((text) => text.remote !== undefined);
  const lines = (): Lines => allLines(item, stored, actual, pair);
  const rendered = await renderedFields(shown, lines, comparing);
  const { broken, followed } = await comparing.follower.follow(actual, texts);
  const references = broken.map(({ path, expected, actual: got }) => differs(path, expected, got));
  return {
    fields: await explained(comparing.job, item, [...fields, ...rendered, ...references], losses),
    compared: fields.length - pair.lacking.length,
    rendered: shown.length,
    unrendered: texts.length - shown.length,
    references: followed,
  };
}

function comparedFields({ expected, remote, lacking }: FieldPair, losses: readonly Issue[]): readonly ComparedField[] {
  // A field that no write can carry counts as a difference even where it is equal by chance, so
  // that each run has the same number.
  const lost = new Set(losses.map(({ path }) => path));
  const compared = (path: string, wanted: unknown, got: unknown): ComparedField => {
    const isSame = !lost.has(path) && (wanted === got || canonicalJson([wanted]) === canonicalJson([got]));
    return isSame ? equals(path, wanted) : differs(path, wanted, got);
  };
  const fields: ComparedField[] = [];
  for (const [path, wanted] of expected) fields.push(compared(path, wanted, remote.get(path)));
  for (const [path, got] of remote) if (!expected.has(path)) fields.push(compared(path, undefined, got));
  // The loss ledger must name what was left out on both sides.
  for (const path of lacking) fields.push(differs(path, "exists on the target", "was left out"));
  return fields;
}

type Lines = ReturnType<typeof allLines>;

/** The text is equal, so a difference in the HTML that the site makes of it is a note only. */
async function renderedFields(
  texts: readonly RenderedText[],
  lines: () => Lines,
  { sites, showsEqual }: Comparing,
): Promise<readonly ComparedField[]> {
  const all = await Promise.all(
    texts.map(async (text) => ({ text, shown: await compareRendered(text, text.remote ?? "", sites, showsEqual) })),
  );
  const isCut = ({ where, source }: RenderedText): boolean => where === "line" && source === undefined;
  const cut = all.some(({ text, shown }) => !shown.same && isCut(text)) ? lines() : undefined;
  const isSameInAll = cut !== undefined && (await showsAllLines(cut, sites));
  return all.map(({ text, shown: { same, expected, actual } }) => {
    const path = `${text.path}.rendered`;
    const isSame = same || (isSameInAll && isCut(text));
    return isSame ? equals(path, actual) : { path, verdict: "noted", expected, actual, codes: NONE };
  });
}

const NONE: readonly string[] = [];

function equals(path: string, value: unknown): ComparedField {
  return { path, verdict: "equal", expected: value, actual: value, codes: NONE };
}

export function differs(path: string, expected: unknown, actual: unknown): ComparedField {
  return { path, verdict: "different", expected, actual, codes: NONE };
}

/**
 * Names the losses and the issues of the ledger that explain a difference. Reads the ledger only
 * for an item that differs.
 * | @param losses those of the item, which no write can avoid
 */
export async function explained(
  { ledger, target }: Pick<LoadJob, "ledger" | "target">,
  item: Item,
  fields: readonly ComparedField[],
  losses: readonly Issue[] = target.losses(item),
): Promise<readonly ComparedField[]> {
  if (fields.every(({ verdict }) => verdict === "equal")) return fields;
  const issues: Issue[] = [];
  for await (const issue of ledger.issues(item.key)) issues.push(issue);
  const steps = item.kind === "guide" ? item.body.steps : [];
  return fields.map((field): ComparedField => {
    if (field.verdict === "equal") return field;
    const codes = codesFor(field.path, losses, issues, steps);
    return codes.length === 0 ? field : { ...field, verdict: "named", codes };
  });
}

function codesFor(
  path: string,
  losses: readonly Issue[],
  issues: readonly Issue[],
  steps: readonly Step[],
): readonly string[] {
  if (!isExplained(path, losses, issues, steps)) return NONE;
  const named = losses.filter((loss) => isExplained(path, [loss], [], steps));
  const more = issues.filter((issue) => isExplained(path, [], [issue], steps));
  return [...new Set([...named, ...more].map(({ code }) => code))].sort();
}

/**
 * Codes of issues that explain a difference. Issues of the fit rules do not, since the compared
 * item is fitted already.
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

/** `losses`: what no write can carry; `issues`: all issues of the item. */
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

/** `step/456.lines[0].text`: the path in issues, since positions change. */
function stepAlias(path: string, steps: readonly Step[]): string | undefined {
  const found = /^steps\[(\d+)\](.*)$/s.exec(path);
  const key = found === null ? undefined : steps[Number(found[1])]?.key;
  return key === undefined ? undefined : `${key}${found?.[2] ?? ""}`;
}

const FINISH = ["flags", "author", "pageTitle"] as const;
const OTHERS = ["steps", "tags", "viewers", "public", "parent", ...FINISH] as const;

function covers(prefix: string, path: string): boolean {
  if (prefix === OWN_FIELDS) return !OTHERS.some((other) => isWithin(other, path));
  // Adding and removing steps changes their order too.
  if (prefix === STEP_ORDER) return path === STEP_ORDER || path === "steps.others";
  if (prefix === FINISH_FIELDS) return FINISH.some((field) => isWithin(field, path));
  return isWithin(prefix, path);
}

function isWithin(prefix: string, path: string): boolean {
  return prefix === "" || path === prefix || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`);
}

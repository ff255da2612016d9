import type { Issue } from "../../src/core/model/issue.js";
import type { Guide, GuideItem, Media, MediaItem, Wiki, WikiItem } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import type { FitContext } from "./context.js";
import type { Change, Finding, FitRow, FitRule } from "./rule.js";
import {
  difficulty,
  flags,
  guideType,
  introductionTooLong,
  pageTitleTooLong,
  parts,
  subjectMissing,
  summaryTooLong,
  tagTooLong,
} from "./rules/fields.js";
import {
  guideMedia,
  imagePixels,
  stepMedia,
  uploadExtension,
  uploadImageType,
  uploadSize,
  videoPixels,
  wikiMedia,
} from "./rules/media.js";
import { crowdedSteps, lineLevels, stepLines, stepWithoutLines } from "./rules/steps.js";

/** Fits or refuses a guide. Idempotent. The list of media stays, also when a step lost an image. */
export function fitGuide(item: GuideItem, context: FitContext): FitOutcome<GuideItem> {
  return outcomeOf(item, applyRules<Guide>(GUIDE_RULES, item.body, context));
}

/** Fits or refuses a wiki or category. No limit of its text is public. */
export function fitWiki(item: WikiItem, context: FitContext): FitOutcome<WikiItem> {
  return outcomeOf(item, applyRules<Wiki>(WIKI_RULES, item.body, context));
}

/**
 * Bytes never change: a breach is an error under `refuse`, else a loss of the items that use it.
 */
export function fitMedia(item: MediaItem, context: FitContext): FitOutcome<MediaItem> {
  const { findings } = applyRules(MEDIA_RULES[item.kind], item.body, context);
  const refused = findings.map((finding): Issue => ({ ...finding, key: item.key }));
  return { item: refused.length === 0 ? item : undefined, issues: [], refused };
}

/**
 * The summary may lengthen the introduction; lines and images come before steps are divided, so
 * that paths name steps by their place at the source.
 */
const GUIDE_RULES = [
  summaryTooLong,
  introductionTooLong,
  lineLevels,
  stepLines,
  stepWithoutLines,
  stepMedia,
  crowdedSteps,
  guideMedia,
  parts,
  tagTooLong,
  guideType,
  subjectMissing,
  difficulty,
  flags,
] as const satisfies readonly FitRule<Guide>[];

const WIKI_RULES = [wikiMedia, tagTooLong, pageTitleTooLong] as const satisfies readonly FitRule<Wiki>[];

const MEDIA_RULES = {
  image: [uploadImageType, uploadExtension, uploadSize, imagePixels],
  video: [uploadExtension, videoPixels],
  document: [uploadExtension],
} as const satisfies Readonly<Record<MediaItem["kind"], readonly FitRule<Media>[]>>;

function applyRules<T>(rules: readonly FitRule<T>[], value: T, context: FitContext): Change<T> {
  const findings: Finding[] = [];
  let current = value;
  for (const rule of rules) {
    const change = rule.fit(current, context);
    current = change.value;
    findings.push(...change.findings);
  }
  return { value: current, findings };
}

interface FitOutcome<I> {
  /** The same object when nothing changed; undefined: refused. */
  readonly item: I | undefined;
  /** Notes and losses; empty when it is refused. */
  readonly issues: readonly Issue[];
  /** Empty unless it is refused. */
  readonly refused: readonly Issue[];
}

/** One error refuses the item, and then all errors are reported. */
function outcomeOf<I extends { readonly key: Key; readonly body: unknown }>(
  item: I,
  { value, findings }: Change<I["body"]>,
): FitOutcome<I> {
  const issues = findings.map((finding): Issue => ({ ...finding, key: item.key }));
  const refused = issues.filter((issue) => issue.level === "error");
  if (refused.length > 0) return { item: undefined, issues: [], refused };
  return { item: value === item.body ? item : { ...item, body: value }, issues, refused };
}

const ROWS: readonly FitRow[] = [...GUIDE_RULES, ...WIKI_RULES, ...Object.values(MEDIA_RULES).flat()].flatMap(
  (rule) => rule.rows,
);

/** Each code once, for docs/reference/issue-codes.md and `--help`. */
export const FIT_RULES: readonly FitRow[] = [...new Map(ROWS.map((row) => [row.code, row])).values()];

const COLUMNS = [
  ["Code", (row) => `\`${row.code}\``],
  ["What", (row) => row.what],
  ["Limit", (row) => row.limit],
  ["`refuse`", (row) => row.refuse],
  ["`split`", (row) => row.split],
  ["`trim`", (row) => row.trim],
  ["Source", (row) => row.source],
] as const satisfies readonly (readonly [string, (row: FitRow) => string])[];

export function tableOf(rows: readonly FitRow[]): string {
  const head = COLUMNS.map(([title]) => title);
  const body = rows.map((row) => COLUMNS.map(([, cell]) => cell(row)));
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

import type { Issue } from "../../src/core/model/issue.js";
import type { Guide, GuideItem, Media, MediaItem, Wiki, WikiItem } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import type { FitContext } from "./context.js";
import type { Change, Finding, FitRow, FitRule } from "./rule.js";
import { difficulty, flags, guideType, parts, subjectMissing } from "./rules/guide-fields.js";
import { guideMedia, stepMedia, wikiMedia } from "./rules/media.js";
import { crowdedSteps, lineLevels, stepLines, stepWithoutLines } from "./rules/steps.js";
import { introductionTooLong, pageTitleTooLong, summaryTooLong, tagTooLong } from "./rules/texts.js";
import { imagePixels, uploadExtension, uploadImageType, uploadSize, videoPixels } from "./rules/uploads.js";

/**
 * A guide that the site takes, made of any guide, or refused. Fitting what was fitted changes
 * nothing. The list of media that the item needs stays as it was, also when a step lost an image.
 */
export function fitGuide(item: GuideItem, context: FitContext): FitOutcome<GuideItem> {
  return outcomeOf(item, applyRules<Guide>(GUIDE_RULES, item.body, context));
}

/**
 * A wiki or category that the site takes, or refused. Its text has no public limit and is left
 * alone.
 */
export function fitWiki(item: WikiItem, context: FitContext): FitOutcome<WikiItem> {
  return outcomeOf(item, applyRules<Wiki>(WIKI_RULES, item.body, context));
}

/**
 * Whether the site takes an image, video or document. Bytes are never changed, so a breach always
 * refuses it: with errors under the policy `refuse`, under the others with losses, since the items
 * that use it go without it.
 */
export function fitMedia(item: MediaItem, context: FitContext): FitOutcome<MediaItem> {
  const { findings } = applyRules(MEDIA_RULES[item.kind], item.body, context);
  const refused = findings.map((finding): Issue => ({ ...finding, key: item.key }));
  return { item: refused.length === 0 ? item : undefined, issues: [], refused };
}

/**
 * What is asked of a guide. The order matters in two places: the summary may lengthen the
 * introduction; and levels, lines and images of steps are settled before steps are filled or
 * divided, so that paths name steps by their place at the source.
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

/** What is asked of a wiki or category. */
const WIKI_RULES = [wikiMedia, tagTooLong, pageTitleTooLong] as const satisfies readonly FitRule<Wiki>[];

/** What is asked of each kind of media before it is uploaded. */
const MEDIA_RULES = {
  image: [uploadImageType, uploadExtension, uploadSize, imagePixels],
  video: [uploadExtension, videoPixels],
  document: [uploadExtension],
} as const satisfies Readonly<Record<MediaItem["kind"], readonly FitRule<Media>[]>>;

/** Applies rules in their order, each to what the one before it left. */
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

/** What became of an item. */
interface FitOutcome<I> {
  /** The very same object when nothing had to be done; undefined: the site would refuse it. */
  readonly item: I | undefined;
  /** What was changed in the item, as notes and losses; empty when it is refused. */
  readonly issues: readonly Issue[];
  /** Everything that the site would refuse; empty when the item goes. */
  readonly refused: readonly Issue[];
}

/**
 * The outcome of a change of an item's body: one error refuses the item, and then every error is
 * told.
 */
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

/** The one table of rules and policies, each code once: README and `--help` show it. */
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

/** Rules as a Markdown table, line by line: what README shows. */
export function tableOf(rows: readonly FitRow[]): string {
  const head = COLUMNS.map(([title]) => title);
  const body = rows.map((row) => COLUMNS.map(([, cell]) => cell(row)));
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

import type { FitPolicy, SmallImages } from "../../../transforms/fit/context.js";
import type { StepLimits } from "../../../transforms/fit/limits.js";
import type { DanglingPolicy } from "../../../transforms/references/rewrite-options.js";
import { mapPeople } from "../../../transforms/steps/map-texts.js";
import type { Ledger, Survey, Target } from "../../core/contracts.js";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import type { Transform } from "../../core/formats.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Issue } from "../../core/model/issue.js";
import type { Comment, Item, MediaItem } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { Operation } from "../../core/writing.js";
import { type ListedComment, readCommentList, repliesInGuide } from "../../service/wire/comments.js";
import { type ReleaseLine, readReleaseLines } from "../../service/wire/guide-lists.js";
import type { ItemReader } from "../../storage/workspace/item-store.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control, DeletionLimit } from "../control.js";
import { COMMENTS } from "../extract/listing.js";
import type { MappedThing, MapSites } from "../map/read-map.js";
import { SourcePeople } from "../people/source-people.js";
import { NOBODY, type PeopleThere, peopleThere } from "../people/target-people.js";
import { withNewTitles } from "./mentions.js";
import { knownDecision, knownStepLimits, PAGES } from "./target-facts.js";
import { previewTransforms, type TransformPreview } from "./transform-preview.js";

/** How a load is done. */
export interface LoadOptions {
  readonly fit: FitPolicy;
  /** The target is the site that the content came from: nothing is made to fit. Default false. */
  readonly home?: boolean;
  readonly dangling: DanglingPolicy;
  /** Conflicts: `update` is the target's business; the others differ in how they count. */
  readonly onConflict: "skip" | "update" | "merge" | "fail";
  /** Pages that are there and not ours: the target's business; here only the plan tells of it. */
  readonly onExisting: "adopt" | "update" | "fail";
  /**
   * May a first load make guides that the target has under the same title, category and type?
   * Default false.
   */
  readonly allowDuplicates?: boolean;
  /**
   * The selection (--only, --include …); default everything in the workspace. What is outside of it
   * does not move.
   */
  readonly selected?: ReadonlySet<Key>;
  /** Only these are loaded now (retry); the others still move, in their own run. */
  readonly keys?: ReadonlySet<Key>;
  /** Does what is gone at the source go at the target too? Default: no, it is listed. */
  readonly deleteGone?: boolean;
  /**
   * Are the usual limits of steps assumed where nothing is known of the target, in place of a
   * probe? Default false.
   */
  readonly assumeLimits?: boolean;
  /**
   * What `split` and `trim` do with images that are smaller than a step takes. Default `enlarge`.
   */
  readonly smallImages?: SmallImages;
  /** How much may go so in one run. Default: a tenth. */
  readonly maxDeletions?: DeletionLimit;
  /** Are comments posted at the target? Default false. */
  readonly postComments?: boolean;
  /** Are public guides made private while they are changed? Default: no. */
  readonly hideWhileUpdating?: boolean;
  /** May this write be sent? `creates`: it would make something new. Default: every one. */
  readonly allowed?: (operation: Operation, creates: boolean) => boolean;
  /**
   * Milliseconds before a create that got no answer, and was surely not made, is sent again.
   * Default: 0.5 to 16 s with jitter.
   */
  readonly pause?: (tries: number) => number;
}

/** What a load is made of. */
export interface LoadParts {
  readonly workspace: Workspace;
  /** The ledger of this target; asked for after the survey, which tells who the target is. */
  readonly ledger: (survey: Survey) => Ledger;
  readonly target: Target;
  /**
   * In their order. They see categories, pages and guides on their way to the target; what lies in
   * the workspace stays.
   */
  readonly transforms: readonly Transform[];
  readonly options: LoadOptions;
  readonly control: Control;
  /**
   * What another workspace moved to this target (`--map`): references lead there, and none of it is
   * loaded.
   */
  readonly movedElsewhere?: (sites: MapSites) => AsyncIterable<MappedThing>;
  /** Called with each item that something is written for, before that. */
  readonly onWritten?: (key: Key) => void;
  /** Media that the workspace does not hold. Default: there are none. */
  readonly mediaOf?: (key: Key) => Promise<MediaItem | undefined>;
}

/** Everything that the parts of a load share. */
export interface LoadJob {
  readonly workspace: Workspace;
  readonly ledger: Ledger;
  readonly target: Target;
  readonly survey: Survey;
  readonly source: SiteIdentity;
  readonly transforms: readonly Transform[];
  readonly preview: TransformPreview;
  readonly people: PeopleThere;
  readonly options: LoadOptions;
  readonly control: Control;
  readonly onWritten?: (key: Key) => void;
  readonly mediaOf?: (key: Key) => Promise<MediaItem | undefined>;
  /** The limits of steps that content is made to fit. */
  readonly stepLimits: StepLimits;
  /** What else is to be told of an item. */
  readonly notes: ItemNotes;
}

/** What a run has to say of items beside what their checks found. */
class ItemNotes {
  readonly #issues = new Map<Key, Issue[]>();

  add(issue: Issue): void {
    this.#issues.set(issue.key, [...this.get(issue.key), issue]);
  }

  get(key: Key): readonly Issue[] {
    return this.#issues.get(key) ?? [];
  }
}

/** The same job with other limits of steps: texts go by them from now on too. */
export function withStepLimits<J extends Pick<LoadJob, "target" | "stepLimits">>(job: J, stepLimits: StepLimits): J {
  job.target.limits.decide(stepLimits.lineLength);
  return { ...job, stepLimits };
}

/** Asks the target who it is and puts together what the parts of a load share. */
export async function loadJobOf({ workspace, ledger, target, ...rest }: LoadParts): Promise<LoadJob> {
  const source = workspace.source();
  if (source === undefined) {
    throw new WorkspaceError(
      `${workspace.directory} holds no site yet, so there is nothing to load. Fill it first: guideferry extract SOURCE --workspace ${workspace.directory}`,
      { exitCode: EXIT.notFound },
    );
  }
  const survey = await target.survey(rest.control.abort);
  const comments = rest.options.postComments === true ? [await withComments(workspace.items)] : [];
  const releases = await withReleases(workspace.items);
  const attached = [...comments, ...(releases === undefined ? [] : [releases])];
  const parts = { ...rest, transforms: [...rest.transforms, ...attached] };
  const { transforms, preview, people } = await withPeople(workspace, target, parts);
  const known = ledger(survey);
  const map = rest.movedElsewhere?.({ source, target: survey.identity });
  if (map !== undefined) await takeMap(known, map);
  target.translations.decide((await knownDecision(known)).isTaken === true);
  target.pageTranslations.decide((await knownDecision(known, PAGES)).isTaken);
  const stepLimits = await knownStepLimits(known);
  const job: LoadJob = {
    ...rest,
    workspace,
    survey,
    source,
    transforms,
    preview,
    people,
    target: withNewTitles(target, preview.titles, source),
    ledger: known,
    stepLimits,
    notes: new ItemNotes(),
  };
  return withStepLimits(job, stepLimits);
}

/** Rows of a map that are noted together. */
const ROWS = 1000;

async function takeMap(ledger: Ledger, things: AsyncIterable<MappedThing>): Promise<void> {
  let rows: MappedThing[] = [];
  for await (const thing of things) {
    if (rows.push(thing) < ROWS) continue;
    await ledger.takeMap(rows);
    rows = [];
  }
  await ledger.takeMap(rows);
}

/**
 * What puts comments on the pages that they are about, and replies behind the comments that they
 * answer: a page's own answer has none, and a guide's item counts its replies only. Both come from
 * the answers that are kept: the guide's own, and the list of all comments.
 */
async function withComments(items: ItemReader): Promise<Transform> {
  const record = await items.get(COMMENTS);
  const listed = record?.kind === "record" ? readCommentList(record.body.answer) : [];
  const onPages = commentsOnPages(listed);
  const answers = new Map(listed.map(({ comment }) => [comment.id, comment.answers ?? []]));
  return (item) => [complete(item, onPages, answers)];
}

type Answers = ReadonlyMap<number, readonly Comment[]>;

function complete(item: Item, onPages: ReadonlyMap<number, readonly Comment[]>, listed: Answers): Item {
  if (item.kind === "guide") {
    const own = repliesInGuide(item.raw);
    const replied = (comments: readonly Comment[]): readonly Comment[] =>
      comments.map((comment) => ({ ...comment, answers: own.get(comment.id) ?? listed.get(comment.id) ?? [] }));
    const steps = item.body.steps.map((step) => ({ ...step, comments: replied(step.comments) }));
    return { ...item, body: { ...item.body, steps, comments: replied(item.body.comments) } };
  }
  if (item.kind !== "wiki" && item.kind !== "category") return item;
  const comments = item.body.id === null ? undefined : onPages.get(item.body.id);
  return comments === undefined ? item : ({ ...item, body: { ...item.body, comments } } as Item);
}

function commentsOnPages(listed: readonly ListedComment[]): ReadonlyMap<number, readonly Comment[]> {
  const pages = new Map<number, Comment[]>();
  for (const { context, contextid, comment } of listed) {
    if (context !== "wiki") continue;
    pages.set(contextid, [...(pages.get(contextid) ?? []), comment]);
  }
  return pages;
}

const RELEASES: Key = "record/releases";

/**
 * What puts title and date of their releases on guides, which know them by their numbers only;
 * undefined: there are none.
 */
async function withReleases(items: ItemReader): Promise<Transform | undefined> {
  const record = await items.get(RELEASES);
  const lines = record?.kind === "record" ? readReleaseLines(record.body.answer) : [];
  if (lines.length === 0) return undefined;
  const byId = new Map<number, ReleaseLine>(lines.map((line) => [line.id, line]));
  return (item) => {
    if (item.kind !== "guide" || item.body.releases.length === 0) return [item];
    const releaseLines = item.body.releases.flatMap((id) => byId.get(id) ?? []);
    return [{ ...item, body: { ...item.body, releaseLines } }];
  };
}

/** What becomes of items on their way, the people of the target included. */
interface PreparedTransforms {
  /** The user's, and after them the one that puts the people of the target in place. */
  readonly transforms: readonly Transform[];
  readonly preview: TransformPreview;
  readonly people: PeopleThere;
}

interface Parts {
  readonly transforms: readonly Transform[];
  readonly options: { readonly home?: boolean };
  readonly control: Control;
}

/**
 * Takes every item through the user's transforms once, and finds whom it names at the target. Where
 * content goes home, people are who they are.
 */
async function withPeople(
  workspace: Workspace,
  target: Target,
  { transforms, options, control }: Parts,
): Promise<PreparedTransforms> {
  if (options.home === true) {
    return { transforms, preview: await previewTransforms(workspace, transforms, control), people: NOBODY };
  }
  const source = new SourcePeople();
  const preview = await previewTransforms(workspace, transforms, control, (item) => source.see(item));
  const emails = await source.readRecords(workspace.items);
  const people = await peopleThere(source, emails, target.directory(), control.abort);
  return {
    transforms: [...transforms, mapPeople(people)],
    preview: { ...preview, titles: new Map([...people.pages, ...preview.titles]) },
    people,
  };
}

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
import { COMMENTS, type Key } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import type { Operation } from "../../core/writing.js";
import { commentsOnPages, readCommentList, repliesInGuide } from "../../service/wire/comments.js";
import { type ReleaseLine, readReleaseLines } from "../../service/wire/guide-lists.js";
import type { ItemReader } from "../../storage/workspace/item-store.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control, DeletionLimit } from "../control.js";
import type { MappedThing, MapSites } from "../map/read-map.js";
import { SourcePeople } from "../people/source-people.js";
import { type NamedPeople, NOBODY, type PeopleThere, peopleThere } from "../people/target-people.js";
import { withNewTitles } from "./mentions.js";
import { knownDecision, knownStepLimits, PAGES } from "./target-facts.js";
import { previewTransforms, type TransformPreview } from "./transform-preview.js";

export interface LoadOptions {
  readonly fit: FitPolicy;
  /** The target is the origin site: nothing is made to fit. Default: false. */
  readonly toOrigin?: boolean;
  readonly dangling: DanglingPolicy;
  /** The target carries out `update`; the others differ in how they count. */
  readonly onConflict: "skip" | "update" | "merge" | "fail";
  /** For pages on the target that no run of this workspace created. */
  readonly onExisting: "adopt" | "update" | "fail";
  /** May a first load create guides that the target has by title? Default: no. */
  readonly allowDuplicates?: boolean;
  /** Default: everything in the workspace. Items outside of it do not move. */
  readonly selected?: ReadonlySet<Key>;
  /** Only these are loaded (retry). The others move too, in their own run. */
  readonly keys?: ReadonlySet<Key>;
  /** Default: no, deletions at the source are only listed. */
  readonly deleteRemoved?: boolean;
  /** Default: no, a probe finds unknown limits of the target. */
  readonly assumeLimits?: boolean;
  /** For images that are smaller than a step takes. Default: `enlarge`. */
  readonly smallImages?: SmallImages;
  /** Default: a tenth. */
  readonly maxDeletions?: DeletionLimit;
  /** Default: no. */
  readonly postComments?: boolean;
  /** Default: no. */
  readonly hideWhileUpdating?: boolean;
  /** `creates`: the write creates something. Default: every write is allowed. */
  readonly allowed?: (operation: Operation, creates: boolean) => boolean;
  /** Milliseconds before a create is sent again. Default: 0.5 to 16 s with jitter. */
  readonly pause?: (tries: number) => number;
}

export interface LoadParts {
  readonly workspace: Workspace;
  readonly ledger: (survey: Survey) => Ledger;
  readonly target: Target;
  /** In their order. They get categories, pages and guides; the workspace does not change. */
  readonly transforms: readonly Transform[];
  readonly options: LoadOptions;
  readonly control: Control;
  /** `--map`: items that another workspace moved. References lead to them, and none is loaded. */
  readonly movedElsewhere?: (sites: MapSites) => AsyncIterable<MappedThing>;
  readonly onWritten?: (key: Key) => void;
  readonly mediaOf?: (key: Key) => Promise<MediaItem | undefined>;
  /**
   * What else decides about the writes: the version of the program, and options of the target. A
   * load with equal ones that finds an unchanged workspace does not plan it again. Default: every
   * load plans everything.
   */
  readonly decisive?: JsonObject;
}

/** The target of a load, before the content is read. */
export interface OpenedTarget {
  readonly source: SiteIdentity;
  readonly survey: Survey;
  readonly ledger: Ledger;
}

/** What `load`, `plan`, `verify` and `apply` share. It does not change during a run. */
export interface LoadJob {
  readonly workspace: Workspace;
  readonly ledger: Ledger;
  readonly target: Target;
  readonly survey: Survey;
  readonly source: SiteIdentity;
  readonly transforms: readonly Transform[];
  readonly preview: TransformPreview;
  readonly people: PeopleThere;
  /** The people of the source that `people` was found for. */
  readonly named: NamedPeople;
  readonly options: LoadOptions;
  readonly control: Control;
  readonly onWritten?: (key: Key) => void;
  readonly mediaOf?: (key: Key) => Promise<MediaItem | undefined>;
  readonly stepLimits: StepLimits;
  /** Issues that the check of an item does not find. */
  readonly notes: ItemNotes;
}

class ItemNotes {
  readonly #issues = new Map<Key, Issue[]>();

  add(issue: Issue): void {
    this.#issues.set(issue.key, [...this.get(issue.key), issue]);
  }

  get(key: Key): readonly Issue[] {
    return this.#issues.get(key) ?? [];
  }
}

/** Sets the limits for texts too. */
export function withStepLimits<J extends Pick<LoadJob, "target" | "stepLimits">>(job: J, stepLimits: StepLimits): J {
  job.target.limits.decide(stepLimits.lineLength);
  return { ...job, stepLimits };
}

/** Surveys the target. Throws WorkspaceError (exit 10) for a workspace without content. */
export async function openTarget({
  workspace,
  ledger,
  target,
  control,
}: Pick<LoadParts, "workspace" | "ledger" | "target" | "control">): Promise<OpenedTarget> {
  const source = workspace.source();
  if (source === undefined) {
    throw new WorkspaceError(
      `${workspace.directory} contains no extracted site, so there is nothing to load. Extract a site first: guideferry extract SOURCE --workspace ${workspace.directory}`,
      { exitCode: EXIT.notFound },
    );
  }
  const survey = await target.survey(control.abort);
  return { source, survey, ledger: ledger(survey) };
}

/** Reads the content once. Throws WorkspaceError (exit 10) for a workspace without content. */
export async function loadJobOf(parts: LoadParts, opened?: OpenedTarget): Promise<LoadJob> {
  const { source, survey, ledger } = opened ?? (await openTarget(parts));
  const { workspace, target, ledger: _open, decisive: _decisive, ...rest } = parts;
  const comments = rest.options.postComments === true ? [await withComments(workspace.items)] : [];
  const releases = await withReleases(workspace.items);
  const attached = [...comments, ...(releases === undefined ? [] : [releases])];
  const prepared = await withPeople(workspace, target, { ...rest, transforms: [...rest.transforms, ...attached] });
  const map = rest.movedElsewhere?.({ source, target: survey.identity });
  if (map !== undefined) await takeMap(ledger, map);
  target.translations.decide((await knownDecision(ledger)).isTaken === true);
  target.pageTranslations.decide((await knownDecision(ledger, PAGES)).isTaken);
  const stepLimits = await knownStepLimits(ledger);
  const job: LoadJob = {
    ...rest,
    workspace,
    survey,
    source,
    ...prepared,
    target: withNewTitles(target, prepared.preview.titles, source),
    ledger,
    stepLimits,
    notes: new ItemNotes(),
  };
  return withStepLimits(job, stepLimits);
}

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

/** Adds comments to pages and replies to comments, which only the kept answers have. */
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

const RELEASES: Key = "record/releases";

/** Adds title and date of releases to guides; undefined: there are no releases. */
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

interface PreparedTransforms {
  readonly transforms: readonly Transform[];
  readonly preview: TransformPreview;
  readonly people: PeopleThere;
  readonly named: NamedPeople;
}

interface Parts {
  readonly transforms: readonly Transform[];
  readonly options: { readonly toOrigin?: boolean };
  readonly control: Control;
}

/**
 * Runs the user's transforms once over every item, and finds the people that it names on the
 * target. At the origin site people stay the same.
 */
async function withPeople(
  workspace: Workspace,
  target: Target,
  { transforms, options, control }: Parts,
): Promise<PreparedTransforms> {
  if (options.toOrigin === true) {
    const preview = await previewTransforms(workspace, transforms, control);
    return { transforms, preview, people: NOBODY, named: { users: new Map(), teams: new Map(), emails: new Map() } };
  }
  const source = new SourcePeople();
  const preview = await previewTransforms(workspace, transforms, control, (item) => source.see(item));
  const emails = await source.readRecords(workspace.items);
  const named = { users: source.users, teams: source.teams, emails };
  const people = await peopleThere(named, target.directory(), control.abort);
  return {
    named,
    transforms: [...transforms, mapPeople(people)],
    preview: { ...preview, titles: new Map([...people.pages, ...preview.titles]) },
    people,
  };
}

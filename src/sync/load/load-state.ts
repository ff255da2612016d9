import type { FitPolicy, SmallImages } from "../../../transforms/fit/context.js";
import type { StepLimits } from "../../../transforms/fit/limits.js";
import type { DanglingPolicy } from "../../../transforms/references/rewrite-options.js";
import type { Ledger, Survey, Target } from "../../core/contracts.js";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import type { Transform } from "../../core/formats.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Issue } from "../../core/model/issue.js";
import type { MediaItem } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { Operation } from "../../core/writing.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control, DeletionLimit } from "../control.js";
import type { MappedThing, MapSites } from "../map/read-map.js";
import type { PeopleThere } from "../people/target-people.js";
import { withComments, withPeople, withReleases } from "./attachments.js";
import { retitled } from "./mentions.js";
import { knownDecision, knownStepLimits, PAGES } from "./target-facts.js";
import type { Outlook } from "./transform-preview.js";

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
  readonly outlook: Outlook;
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

/**
 * What a load finds out about items and media while it runs; everything else is in the ledger. One
 * for each run.
 */
export class LoadState {
  readonly #complete = new Set<Key>();
  readonly #hidden = new Set<Key>();
  readonly #pending = new Map<Key, unknown>();
  readonly #recreated = new Set<Key>();
  readonly #refusedSteps = new Map<Key, unknown>();
  readonly #reopened = new Set<Key>();
  readonly #unsent = new Map<Key, unknown>();

  /** Everything of the item is done, publication too: no later phase looks at it. */
  markComplete(item: Key): void {
    this.#complete.add(item);
  }

  /** Something of the item is to be done again. */
  markIncomplete(item: Key): void {
    this.#complete.delete(item);
  }

  isComplete(item: Key): boolean {
    return this.#complete.has(item);
  }

  /**
   * The item refers to what is recreated under another id: the main phase looks at it once more.
   */
  reopen(item: Key): void {
    this.#reopened.add(item);
  }

  /** The items that were reopened since the last call. */
  takeReopened(): readonly Key[] {
    const items = [...this.#reopened];
    this.#reopened.clear();
    return items;
  }

  /** Its guide is private for as long as it is changed. */
  markHidden(item: Key): void {
    this.#hidden.add(item);
    this.#complete.delete(item);
  }

  /** Every item that this run made private meanwhile, also those that are public again. */
  hidden(): readonly Key[] {
    return [...this.#hidden];
  }

  /** Somebody deleted the item at the target, and this run recreates it. */
  markRecreated(item: Key): void {
    this.#recreated.add(item);
  }

  isRecreated(item: Key): boolean {
    return this.#recreated.has(item);
  }

  recreatedCount(): number {
    return this.#recreated.size;
  }

  /**
   * A create of an earlier run could not be looked for, for this reason: nothing of the item is
   * sent.
   */
  markPending(item: Key, reason: unknown): void {
    this.#pending.set(item, reason);
  }

  /** Throws the reason if a create of an earlier run is pending for the item. */
  throwIfPending(item: Key): void {
    if (this.#pending.has(item)) throw this.#pending.get(item);
  }

  /** The site refused a step of this guide; the rest of the guide was sent. */
  noteRefusedStep(guide: Key, error: unknown): void {
    this.#refusedSteps.set(guide, error);
  }

  hasRefusedStep(guide: Key): boolean {
    return this.#refusedSteps.has(guide);
  }

  /** The medium could not be sent in this run. */
  markUnsent(media: Key, reason: unknown): void {
    this.#unsent.set(media, reason);
  }

  /** The target takes no media of this kind, so that this one will not be there. */
  markUntaken(media: Key): void {
    this.#unsent.set(media, null);
  }

  isUntaken(media: Key): boolean {
    return this.#unsent.get(media) === null;
  }

  /** It could not be sent, or the target takes none of its kind. */
  isUnsent(media: Key): boolean {
    return this.#unsent.has(media);
  }

  /**
   * Throws the reason if the medium could not be sent; not if the target takes none of its kind.
   */
  throwIfUnsent(media: Key): void {
    const reason = this.#unsent.get(media) ?? null;
    if (reason !== null) throw reason;
  }

  /** Media and guides of which a part could not be sent, while the rest was; with the reason. */
  *partFailures(): Iterable<readonly [Key, unknown]> {
    for (const [media, reason] of this.#unsent) if (reason !== null) yield [media, reason];
    yield* this.#refusedSteps;
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
  const { transforms, outlook, people } = await withPeople(workspace, target, parts);
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
    outlook,
    people,
    target: retitled(target, outlook.titles, source),
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

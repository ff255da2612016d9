import type { Source, Target } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { Texts } from "../../service/target/context.js";
import type { OriginSite } from "../../service/target/origin-site.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../../sync/control.js";
import type { LoadParts } from "../../sync/load/load.js";
import { takesEverything } from "../../sync/selection.js";
import type { SnapshotContents } from "../restore/snapshot-contents.js";
import { HomeLedger } from "./origin-ledger.js";
import type { HomeDesk } from "./restore-context.js";
import { EVERY_KIND, Journal, listPresent, notListed } from "./restore-context.js";
import { type InPlaceOptions, InPlaceRun } from "./run.js";
import type { InPlaceSummary } from "./summary.js";

/** What putting a site back to a snapshot is made of. */
export interface InPlaceParts {
  readonly contents: SnapshotContents;
  /**
   * Of this site alone; kept, it makes a stopped restore go on where it was. Media that it lacks
   * come from the repository.
   */
  readonly workspace: Workspace;
  /** Made for the site that the content comes from (`home`). */
  readonly target: Target;
  readonly reader: Source;
  readonly texts: Texts;
  readonly homeSite: OriginSite;
  readonly options: InPlaceOptions &
    Pick<LoadParts["options"], "dangling" | "onConflict" | "pause" | "smallImages"> & {
      /** What is sent where the site refuses a step as it was. Default `refuse`: nothing. */
      readonly fit?: LoadParts["options"]["fit"];
    };
  readonly control: Control;
}

/** A site that was compared, with everything ready for a load. */
export interface InPlaceJob {
  readonly parts: InPlaceParts;
  readonly desk: HomeDesk;
  readonly run: InPlaceRun;
  readonly newer: readonly Key[];
}

/** Compares a site with a snapshot, item by item, and does or counts what comes before a load. */
export async function beginInPlace(parts: InPlaceParts, survey: HomeDesk["survey"], rehearses: boolean) {
  const { contents, workspace, options } = parts;
  const { selection } = options;
  await workspace.claim(contents.manifest.site);
  forgetItems(workspace);
  contents.noteIn(workspace.scratch);
  const ledger = new HomeLedger(workspace.ledger(survey.identity));
  const desk: HomeDesk = { ...parts, ledger, survey, rehearses, journal: new Journal() };
  const listed = selection.include.length === 0 ? await listPresent(desk) : notListed(desk);
  const run = new InPlaceRun(desk, options, listed);
  await run.look();
  await run.follow();
  const job: InPlaceJob = { parts, desk, run, newer: takesEverything(selection) ? listed.newer : [] };
  return job;
}

/** Items of an earlier run are none of this one; what was done for them the ledger keeps. */
function forgetItems({ items }: Workspace): void {
  items.beginListing(EVERY_KIND);
  items.endListing();
}

/** A load of what is to be put back. */
export function loadPartsOf({ parts, desk, run }: InPlaceJob, ledger = desk.ledger): LoadParts {
  const { workspace, options, control, target, contents } = parts;
  const { dangling, onConflict, pause, fit = "refuse", smallImages = "enlarge" } = options;
  const anew = new Set(run.anew.map(({ key }) => key));
  return {
    workspace,
    ledger: () => ledger,
    target: { ...target, losses: (item) => lossesAtHome(target, desk.ledger, anew, item) },
    transforms: [],
    options: {
      fit,
      smallImages,
      home: true,
      dangling,
      onConflict,
      onExisting: "update",
      keys: run.touched,
      ...(pause === undefined ? {} : { pause }),
    },
    control,
    mediaOf: async (key) => {
      const row = await contents.row(key);
      const item = row === undefined ? undefined : await contents.item(row);
      return item?.kind === "image" || item?.kind === "video" || item?.kind === "document" ? item : undefined;
    },
  };
}

/**
 * Of an item that only goes back to what it was nothing is lost by that, but what hangs on steps
 * that were deleted.
 */
function lossesAtHome(target: Target, ledger: HomeLedger, anew: ReadonlySet<Key>, item: Item): readonly Issue[] {
  const losses = target.losses(item);
  if (anew.has(item.key) || item.kind !== "guide") return anew.has(item.key) ? losses : [];
  const gone = item.body.steps.flatMap(({ key }, index) => (ledger.isGone(key) ? [`steps[${index}].comments`] : []));
  return losses.filter(({ path }) => gone.includes(path));
}

/** What is known when the comparison is over. */
export function comparisonOf({
  parts,
  desk,
  run,
  newer,
}: InPlaceJob): Omit<InPlaceSummary, "writes" | "raced" | "clashes"> {
  return {
    snapshot: parts.contents.snapshot,
    target: desk.survey.identity,
    items: run.items,
    untouched: run.untouched,
    compared: run.compared,
    putBack: sorted(run.putBack),
    broughtBack: sorted(run.broughtBack),
    anew: sorted(run.anew),
    left: sorted(run.left),
    lost: sorted(run.lost),
    unknown: parts.contents.lost ?? 0,
    followed: run.followed,
    privateThere: run.leftPrivate.toSorted(),
    newer,
    failed: run.failed,
  };
}

function sorted<T extends { readonly key: Key }>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

import type { HomeSite } from "../../api/target/home-site.js";
import type { Texts } from "../../api/target/texts.js";
import type { Source, Target } from "../../contracts.js";
import type { Issue } from "../../model/issue.js";
import type { Item } from "../../model/item.js";
import type { Key } from "../../model/key.js";
import type { Workspace } from "../../workspace/workspace.js";
import type { Control } from "../control.js";
import { type LoadParts, type LoadSummary, load } from "../load.js";
import { isDone } from "../load-item.js";
import { takesEverything } from "../select.js";
import { type Difference, type VerifySummary, verify } from "../verify/verify.js";
import { ComparingLedger } from "./comparing-ledger.js";
import type { HomeDesk } from "./home-desk.js";
import { HomeLedger } from "./home-ledger.js";
import { type InPlaceOptions, InPlaceRun } from "./in-place-run.js";
import type { InPlaceSummary } from "./in-place-summary.js";
import { EVERY_KIND, listPresent, notListed, readAnew } from "./present-list.js";
import { noteShownImages, withKnownMedia } from "./shown-media.js";
import type { SnapshotContents } from "./snapshot-contents.js";

/** What putting a site back to a snapshot is made of. */
export interface InPlaceParts {
  readonly contents: SnapshotContents;
  /** Of this site alone; kept, it makes a stopped restore go on where it was. Media that it lacks come from the repository. */
  readonly workspace: Workspace;
  /** Made for the site that the content comes from (`home`). */
  readonly target: Target;
  readonly reader: Source;
  readonly texts: Texts;
  readonly homeSite: HomeSite;
  readonly options: InPlaceOptions & Pick<LoadParts["options"], "dangling" | "onConflict" | "pause">;
  readonly control: Control;
  /** Called before the first write: keeps the site as it is now, as the account sees it. Not in a rehearsal. */
  readonly keepPresent: (account: { readonly admin: boolean }) => Promise<void>;
  readonly onDifference: (difference: Difference) => void;
}

/**
 * Puts a site back to how a snapshot of it was. What is as it was then costs no write, what is newer stays, and what was deleted comes back:
 * by the site's own restore, which keeps ids and history, else anew, with references that follow.
 */
export async function restoreInPlace(parts: InPlaceParts): Promise<InPlaceSummary> {
  const { contents, workspace, options, control } = parts;
  const survey = await parts.target.survey(control.abort);
  if (!options.dryRun) await parts.keepPresent({ admin: survey.identity.account?.admin === true });
  await workspace.claim(contents.manifest.site);
  forgetItems(workspace);
  const ledger = new HomeLedger(workspace.ledger(survey.identity));
  const desk: HomeDesk = { ...parts, ledger, survey };
  const { selection } = options;
  const listed = selection.include.length === 0 ? await listPresent(desk) : notListed(desk);
  const run = new InPlaceRun(desk, options, listed);
  await run.look();
  if (!options.dryRun) await run.follow();
  const loaded = options.dryRun || run.touched.size === 0 ? undefined : await loadTouched(parts, desk, run);
  const verified = loaded === undefined ? undefined : await verifyTouched(parts, desk, run.touched);
  return {
    snapshot: contents.snapshot,
    target: survey.identity,
    items: run.items,
    untouched: run.untouched,
    putBack: sorted(run.putBack),
    broughtBack: sorted(run.broughtBack),
    anew: sorted(run.anew),
    left: sorted(run.left),
    lost: sorted(run.lost),
    followed: run.followed,
    raced: await racedKeys(ledger, run.touched),
    newer: takesEverything(selection) ? listed.newer : [],
    failed: run.failed + (loaded?.failed ?? 0),
    writes: parts.homeSite.writes() + (loaded?.writes ?? 0),
    ...(loaded === undefined ? {} : { loaded }),
    ...(verified === undefined ? {} : { verified }),
  };
}

/** Items of an earlier run are none of this one; what was done for them the ledger keeps. */
function forgetItems({ items }: Workspace): void {
  items.beginListing(EVERY_KIND);
  items.endListing();
}

async function loadTouched(parts: InPlaceParts, desk: HomeDesk, run: InPlaceRun): Promise<LoadSummary> {
  const anew = new Set(run.anew.map(({ key }) => key));
  const target: Target = { ...parts.target, losses: (item) => lossesAtHome(parts.target, desk.ledger, anew, item) };
  try {
    return await load(loadParts(parts, desk.ledger, target, run.touched));
  } finally {
    await noteImages(desk, run.touched);
  }
}

/** Of an item that only goes back to what it was nothing is lost by that, but what hangs on steps that were deleted. */
function lossesAtHome(target: Target, ledger: HomeLedger, anew: ReadonlySet<Key>, item: Item): readonly Issue[] {
  const losses = target.losses(item);
  if (anew.has(item.key) || item.kind !== "guide") return anew.has(item.key) ? losses : [];
  const gone = item.body.steps.flatMap(({ key }, index) => (ledger.isGone(key) ? [`steps[${index}].comments`] : []));
  return losses.filter(({ path }) => gone.includes(path));
}

/** Who edited after the comparison is not overwritten: the load left what they did. */
async function racedKeys(ledger: HomeLedger, touched: ReadonlySet<Key>): Promise<readonly Key[]> {
  const raced = new Set<Key>();
  for (const key of touched)
    for await (const { code } of ledger.issues(key)) if (code === "conflict-skipped") raced.add(key);
  return [...raced].sort();
}

async function noteImages({ workspace, ledger, target }: HomeDesk, touched: ReadonlySet<Key>): Promise<void> {
  for (const key of touched) {
    const item = await workspace.items.get(key);
    if (item === undefined) continue;
    const loaded = await ledger.loaded(key);
    const done = new Set(
      target
        .plan(item, loaded)
        .filter((operation) => isDone(operation, loaded))
        .map(({ id }) => id),
    );
    await noteShownImages(ledger, item, (operation) => done.has(operation));
  }
}

async function verifyTouched(parts: InPlaceParts, desk: HomeDesk, touched: ReadonlySet<Key>): Promise<VerifySummary> {
  await readAnew(desk);
  const { reader, texts, onDifference } = parts;
  const known: Source = {
    ...reader,
    read: async (key, signal) => {
      const item = await reader.read(key, signal);
      return item === undefined ? undefined : withKnownMedia(desk.ledger, item);
    },
  };
  const comparing = new ComparingLedger(desk.ledger);
  return verify({ ...loadParts(parts, comparing, parts.target, touched), reader: known, texts, onDifference });
}

function loadParts(
  { workspace, options, control }: InPlaceParts,
  ledger: HomeLedger,
  target: Target,
  keys: ReadonlySet<Key>,
): LoadParts {
  const { dangling, onConflict, pause } = options;
  return {
    workspace,
    ledger: () => ledger,
    target,
    transforms: [],
    options: {
      fit: "refuse",
      home: true,
      dangling,
      onConflict,
      onExisting: "update",
      keys,
      ...(pause === undefined ? {} : { pause }),
    },
    control,
  };
}

function sorted<T extends { readonly key: Key }>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

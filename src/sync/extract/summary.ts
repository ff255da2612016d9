import { messageOf } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Item } from "../../core/model/item.js";
import { ITEM_KINDS, type ItemKind, type Key, kindOf, restOf } from "../../core/model/key.js";
import { recordEndpoint } from "../../service/endpoints/record-endpoints.js";
import { rowsIn } from "../../service/source/records.js";
import type { ItemReader } from "../../storage/workspace/item-store.js";
import { endsRun } from "../remedies.js";
import { isRefusal } from "./families.js";
import { MOST_ASKED } from "./missing.js";
import { type ExtractRun, type KindCounters, readStored } from "./run.js";

/** `no-not-admin`: the account may not list them. */
type PrivateIncluded = "yes" | "no-not-admin" | "no-by-request";

/** What an extract read, and what it could not read. */
export interface ExtractSummary {
  readonly site: SiteIdentity;
  /** `present`: in the workspace. `gone`: deleted at the site since the last extract, and kept. */
  readonly kinds: Readonly<
    Record<ItemKind, Readonly<KindCounters> & { readonly gone: number; readonly present: number }>
  >;
  readonly media: { readonly files: number; readonly bytes: number };
  readonly privateIncluded: PrivateIncluded;
  /** Items that wait for `retry`, from this run or an earlier one. */
  readonly failures: number;
  readonly vanished: readonly Key[];
  readonly unlisted: readonly Key[];
  readonly unreleased: readonly Key[];
  readonly archived: readonly Key[];
  readonly refusedMedia: readonly Key[];
  /**
   * Records or families that the site refused (401, 403), does not have (404, 405, 501), or
   * answered with 400 or 422. Their earlier copies are kept.
   */
  readonly refused: readonly { readonly key: Key; readonly status: number }[];
  readonly personalData: readonly string[];
  readonly trainingModules: ModuleCount;
}

export function privateIncluded({ site, selection }: Pick<ExtractRun, "site" | "selection">): PrivateIncluded {
  // Documents have no accounts.
  if (site.origin === "") return "yes";
  if (!selection.includePrivate) return "no-by-request";
  return site.account?.admin === true ? "yes" : "no-not-admin";
}

export async function summarize(
  run: ExtractRun,
  deleted: readonly Key[],
  trainingModules: ModuleCount,
): Promise<ExtractSummary> {
  const { workspace, counters, site } = run;
  const stored = workspace.items.counts();
  const kinds = ITEM_KINDS.map((kind) => [
    kind,
    { ...counters.of(kind), gone: deleted.filter((key) => kindOf(key) === kind).length, present: stored[kind].present },
  ]);
  return {
    site,
    kinds: Object.fromEntries(kinds) as ExtractSummary["kinds"],
    media: counters.media(),
    privateIncluded: privateIncluded(run),
    failures: workspace.failures.list("extract").length + workspace.failures.list("media").length,
    refusedMedia: [...counters.refusedMedia].toSorted(),
    // Sorted, since answers arrive in any order.
    vanished: [...counters.vanished].toSorted(),
    unlisted: [...counters.unlisted].toSorted(),
    archived: counters.archived.toSorted(),
    unreleased: counters.unreleased.toSorted(),
    refused: [...counters.refused].map(([key, status]) => ({ key, status })).toSorted(byKey),
    personalData: await personalDataIn(workspace.items),
    trainingModules,
  };
}

function byKey(one: { readonly key: Key }, other: { readonly key: Key }): number {
  return one.key < other.key ? -1 : 1;
}

const PRIVATE_LINES: Readonly<Record<PrivateIncluded, readonly string[]>> = {
  yes: [],
  "no-not-admin": [
    "Private guides are NOT included: the source lists them for admins only, and the account is not an admin. To include them, use the token of an admin.",
  ],
  "no-by-request": ["Private guides are NOT included: --no-include-private."],
};

/** A line where private guides are missing. `option`: the option that leaves them out. */
export function describePrivate({ privateIncluded }: ExtractSummary, option: string): readonly string[] {
  return privateIncluded === "no-by-request"
    ? [`Private guides were NOT read: ${option}.`]
    : PRIVATE_LINES[privateIncluded];
}

export function describeLeftOut(summary: ExtractSummary): readonly string[] {
  const { vanished, unlisted, archived, unreleased, refusedMedia, refused, trainingModules } = summary;
  return [
    ...(vanished.length === 0
      ? []
      : [`${vanished.length} listed, but deleted before guideferry read them: ${shorten(vanished)}`]),
    ...(unlisted.length === 0
      ? []
      : [
          `${unlisted.length} no longer on a list of the site, but not deleted (requested one by one, at most ${MOST_ASKED} in a run): ${shorten(unlisted)}`,
        ]),
    ...(archived.length === 0
      ? []
      : [
          `${archived.length} archived at the source, and not readable by this account (NOT included): ${shorten(archived)}`,
        ]),
    ...(unreleased.length === 0
      ? []
      : [
          `${unreleased.length} never released (NOT included because of --content-version released): ${shorten(unreleased)}`,
        ]),
    ...(refusedMedia.length === 0
      ? []
      : [
          `${refusedMedia.length} media not fetched, since their addresses are in a private network or not http(s) (NOT included; --allow-private-media allows a host): ${shorten(refusedMedia)}`,
        ]),
    ...(refused.length === 0
      ? []
      : [
          `${refused.length} not available on this site, or not for this account: ${shorten(refused.map(({ key, status }) => `${restOf(key)} (${status})`))}`,
        ]),
    ...describeModules(trainingModules),
  ];
}

export function describeExtract(summary: ExtractSummary): readonly string[] {
  return [...describeMissing(summary), ...describeCounts(summary)];
}

/** What the workspace lacks, and why. */
export function describeNotIncluded(summary: ExtractSummary): readonly string[] {
  return [...describeMissing(summary), ...describeLeftOut(summary)];
}

export function describeMissing({ privateIncluded }: ExtractSummary): readonly string[] {
  return PRIVATE_LINES[privateIncluded];
}

export function describeCounts(summary: ExtractSummary): readonly string[] {
  return [...kindsIn(summary).map((kind) => describeKind(kind, summary.kinds[kind])), ...describeBeside(summary)];
}

export function kindsIn({ kinds }: ExtractSummary): readonly ItemKind[] {
  return ITEM_KINDS.filter((kind) => kinds[kind].present + kinds[kind].failed + kinds[kind].gone > 0);
}

export function describeBeside(summary: ExtractSummary): readonly string[] {
  const { media, failures } = summary;
  return [
    `media fetched: ${media.files} files, ${media.bytes} bytes`,
    ...describeLeftOut(summary),
    ...(failures === 0
      ? []
      : [failures === 1 ? "1 item failed or lacks media" : `${failures} items failed or lack media`]),
  ];
}

function describeKind(kind: ItemKind, counts: ExtractSummary["kinds"][ItemKind]): string {
  const parts = [
    `${counts.present} in the workspace`,
    `${counts.read} read`,
    `${counts.unchanged} unchanged`,
    ...(counts.gone === 0 ? [] : [`${counts.gone} deleted at the site`]),
    ...(counts.failed === 0 ? [] : [`${counts.failed} failed`]),
  ];
  return `${kind}: ${parts.join(", ")}`;
}

const MOST_SHOWN = 20;

function shorten(names: readonly string[]): string {
  const more = names.length - MOST_SHOWN;
  return names.slice(0, MOST_SHOWN).join(", ") + (more > 0 ? `, and ${more} more` : "");
}

const MODULES: Key = "record/external_training_modules/current";

/** The number of training modules, whose packages no call gives; or why it is unknown. */
type ModuleCount = number | { readonly reason: string };

/**
 * Counts the training modules of the site, since a migration can't move them. A migration that
 * reads only the needed records reads this list without storing it.
 */
export async function countModules(run: ExtractRun, wholeSite: boolean): Promise<ModuleCount> {
  const { workspace, source, site, control } = run;
  if (workspace.items.entry(MODULES)?.state === "present") return countIn(await readStored(workspace.items, MODULES));
  if (!wholeSite || site.origin === "") return 0;
  try {
    return countIn(await source.read(MODULES, control.abort));
  } catch (error) {
    if (endsRun(error, control)) throw error;
    return { reason: messageOf(error) };
  }
}

function countIn(item: Item | undefined): number {
  if (item?.kind !== "record" || isRefusal(item)) return 0;
  return rowsIn(item.body.answer)?.length ?? 0;
}

function describeModules(count: ModuleCount): readonly string[] {
  if (count === 0) return [];
  if (typeof count !== "number") return [`It is unknown whether the site has training modules: ${count.reason}`];
  const modules = count === 1 ? "1 training module" : `${count} training modules`;
  return [
    `${modules} at the source are NOT included: the service does not give out their packages. \`--records all\` and a backup keep their records, usage and imports. To move the packages, import the original files: guideferry import-training`,
  ];
}

/** Families with data about people, from any run. `isWanted`: only of some items. */
export async function personalDataIn(
  items: ItemReader,
  isWanted: (key: Key) => boolean = () => true,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { key, state } of items.entries("record")) {
    const family = state === "present" ? recordEndpoint(restOf(key))?.personal : undefined;
    if (family === undefined || found.has(family) || !isWanted(key)) continue;
    const item = await readStored(items, key);
    if (item !== undefined && !isRefusal(item)) found.add(family);
  }
  return [...found].toSorted();
}

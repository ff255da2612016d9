import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ledger } from "../../core/contracts.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Guide, MediaItem } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { MEDIA_KINDS } from "../../core/model/key.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { LoadSummary } from "../../sync/load/load.js";
import type { LossReport } from "../../sync/load/loss-report.js";
import { storedMedia } from "../../sync/stored-media.js";
import type { VerifySummary } from "../../sync/verify/verify.js";
import type { FillSummary } from "./fill-workspace.js";

/** What a trial restore came to. */
export interface DrillResult {
  readonly restorable: boolean;
  readonly items: number;
  /** Fields that were compared, and those of them that came back as they were. */
  readonly fields: number;
  readonly equal: number;
  /** Items that were chosen and that the service would not take as they are. */
  readonly refused: number;
  /** Answers that the backup keeps for people, and that no call of the service writes. */
  readonly records: number;
  /** What the service can't take, by code, how often. */
  readonly losses: Readonly<Record<string, number>>;
  /** Media whose bytes did not come back. */
  readonly bytesLost: readonly Key[];
  readonly failures: readonly Failure[];
}

export interface DrillParts {
  readonly filled: FillSummary;
  /** How many the snapshot, or what was chosen of it, has. */
  readonly records: number;
  readonly loaded: LoadSummary;
  readonly verified: VerifySummary;
  readonly report: LossReport;
  readonly bytesLost: readonly Key[];
  readonly failures: readonly Failure[];
  /** Items that were chosen and are not at the embedded site. */
  readonly leftOut: number;
}

/**
 * A backup can be restored when nothing of it is damaged, and all that came back is as it was or a
 * known loss.
 */
export function drillResult(parts: DrillParts): DrillResult {
  const { filled, records, loaded, verified, report, bytesLost, failures, leftOut } = parts;
  const { items, fields, differences, explained } = verified;
  const restorable = failures.length + filled.failed + loaded.operations.failed + differences === 0;
  return {
    restorable: restorable && bytesLost.length === 0,
    items,
    fields,
    equal: fields - differences - explained,
    refused: leftOut,
    records,
    losses: sumsOf(report.losses),
    bytesLost,
    failures,
  };
}

function sumsOf(losses: LossReport["losses"]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const codes of Object.values(losses))
    for (const [code, times] of Object.entries(codes)) sums[code] = (sums[code] ?? 0) + times;
  return sums;
}

/** What an embedded site for a trial is started with: a folder as the sandbox reads it. */
export interface DrillSite {
  readonly site: string;
  readonly dialect: "dozuki" | "ifixit";
}

/**
 * Makes the folder of an empty site that knows the people, languages and guide types of a snapshot,
 * as the one would that it is restored into one day: without them authors and viewers would count
 * as lost.
 */
export async function makeDrillSite(workspace: Workspace, site: SiteIdentity, folder: string): Promise<DrillSite> {
  const dialect = site.dialect === "ifixit" ? "ifixit" : "dozuki";
  const people = await peopleOf(workspace);
  const languages = [site.language, ...site.languages.filter((language) => language !== site.language)];
  const file = { name: `${site.name} (drill)`, dialect, languages, ...people };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "site.json"), JSON.stringify(file), { mode: 0o600 });
  return { site: folder, dialect };
}

async function peopleOf({ items }: Workspace) {
  const users = new Map<number, object>();
  const teams = new Map<number, object>();
  const types = new Set<string>();
  for (const { key, state } of items.entries("guide")) {
    const item = state === "present" ? await items.get(key) : undefined;
    if (item?.kind !== "guide") continue;
    types.add(item.body.type);
    for (const { id, name, uniqueName } of usersIn(item.body))
      users.set(id, { userid: id, username: name, unique_username: uniqueName });
    for (const { id, name } of item.body.viewers?.teams ?? []) teams.set(id, { teamid: id, name });
  }
  const guideTypes = types.size === 0 ? {} : { guideTypes: [...types].sort() };
  return { users: [...users.values()], teams: [...teams.values()], ...guideTypes };
}

function usersIn({ author, viewers }: Guide) {
  return [...(author === null ? [] : [author]), ...(viewers?.users ?? [])];
}

/**
 * Media that were sent to a site with what uses them, and whose bytes are not among those that were
 * extracted there again.
 */
export async function lostMedia(restored: Workspace, ledger: Ledger, again: Workspace): Promise<readonly Key[]> {
  const used = await usedMedia(restored, ledger);
  const lost: Key[] = [];
  for (const kind of MEDIA_KINDS) {
    for (const { key, state } of restored.items.entries(kind)) {
      if (state === "gone" || !used.has(key)) continue;
      const content = contentOf(await storedMedia(restored, key));
      if (content !== null && !again.media.has(content.sha256)) lost.push(key);
    }
  }
  return lost;
}

/** Only what something shows is found again by an extract. */
async function usedMedia({ items }: Workspace, ledger: Ledger): Promise<ReadonlySet<Key>> {
  const used = new Set<Key>();
  for (const kind of ["category", "wiki", "guide"] as const) {
    for (const { key, state } of items.entries(kind)) {
      const isThere = state === "present" && (await ledger.idOf(key)) !== undefined;
      const item = isThere ? await items.get(key) : undefined;
      for (const use of item?.media ?? []) if ((await ledger.idOf(use.key)) !== undefined) used.add(use.key);
    }
  }
  return used;
}

function contentOf(item: MediaItem | undefined): MediaItem["body"]["content"] {
  return item?.body.content ?? null;
}

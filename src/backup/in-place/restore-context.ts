import type { Source, Survey, Target } from "../../core/contracts.js";
import { ITEM_KINDS, type ItemKind, type Key } from "../../core/model/key.js";
import type { Texts } from "../../service/target/context.js";
import type { OriginSite } from "../../service/target/origin-site.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../../sync/control.js";
import type { SnapshotContents } from "../restore/snapshot-contents.js";
import type { HomeLedger } from "./origin-ledger.js";

/** What putting a site back to a snapshot works with. */
export interface HomeDesk {
  readonly contents: SnapshotContents;
  /** What is put back lies here, and nothing else; it remembers what was done. */
  readonly workspace: Workspace;
  readonly ledger: HomeLedger;
  readonly target: Target;
  readonly survey: Survey;
  /** The same site, read. */
  readonly reader: Source;
  readonly texts: Texts;
  readonly homeSite: OriginSite;
  /** `target` and `homeSite` send nothing: what they changed can't be read. */
  readonly rehearses: boolean;
  readonly journal: Journal;
  readonly control: Control;
}

/** What is written on the way to a load, or would be. */
export class Journal {
  /** By item, in order. */
  readonly steps = new Map<Key, readonly string[]>();
  /** Requests by what they do. */
  readonly kinds: Record<string, number> = {};

  /** @param kind in a person's words, as `writeKind` has them */
  note(item: Key, kind: string, step: string): void {
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
    this.steps.set(item, [...(this.steps.get(item) ?? []), step]);
  }
}

/** Kinds that a restore puts back; media come with what uses them, and records have no write. */
export const PUT_BACK: ReadonlySet<ItemKind> = new Set(["category", "wiki", "guide"]);

/** What the site lists now. */
export interface PresentList {
  /** The change token of the list; undefined: it is not listed. */
  tokenOf(key: Key): string | undefined;
  /** Is what stands for a guide of the snapshot gone? */
  isAbsent(guide: Key): Promise<boolean>;
  /** What the snapshot never had, sorted. */
  readonly newer: readonly Key[];
}

/**
 * Asks the site for its lists, which also spares a request for the tags of each guide. Keeps one
 * line of memory for each item.
 */
export async function listPresent(desk: HomeDesk): Promise<PresentList> {
  const { reader, survey, control, contents, ledger } = desk;
  const includePrivate = survey.identity.account?.admin === true;
  const tokens = new Map<Key, string>();
  const newer = new Set<Key>();
  for await (const { key, revision } of reader.list({ kinds: PUT_BACK, includePrivate, since: null }, control.abort)) {
    tokens.set(key, revision);
    newer.add(key);
  }
  for await (const { key } of contents.rows(PUT_BACK)) {
    newer.delete(key);
    const id = await ledger.idOf(key);
    // What we made anew for something of the snapshot is nothing new.
    if (id !== undefined && key.startsWith("guide/")) newer.delete(`guide/${id}`);
  }
  const isAbsent = async (guide: Key): Promise<boolean> => !tokens.has(`guide/${(await ledger.idOf(guide)) ?? ""}`);
  return { tokenOf: (key) => tokens.get(key), isAbsent, newer: [...newer].sort() };
}

/** The same where only a few items are looked at: nothing is listed, each is asked for. */
export function notListed({ target, ledger, control }: HomeDesk): PresentList {
  const isAbsent = async (guide: Key): Promise<boolean> => {
    const id = await ledger.idOf(guide);
    return id === undefined || !(await target.holds(guide, id, control.abort));
  };
  return { tokenOf: () => undefined, isAbsent, newer: [] };
}

/** Lets the reader forget what its lists and trees said. */
export async function readAnew({ reader, control }: Pick<HomeDesk, "reader" | "control">): Promise<void> {
  const rows = reader.list({ kinds: new Set(), includePrivate: false, since: null }, control.abort);
  for await (const row of rows) throw new Error(`A list of no kind gave ${row.key}: a defect of guideferry.`);
}

/** All kinds, for a workspace that is to hold nothing of an earlier run. */
export const EVERY_KIND: readonly ItemKind[] = ITEM_KINDS;

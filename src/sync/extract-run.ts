import type { SiteIdentity, Source } from "../core/contracts.js";
import type { ItemKind, Key } from "../core/model/key.js";
import { ITEM_KINDS } from "../core/model/key.js";
import type { Workspace } from "../storage/workspace/workspace.js";
import type { Control } from "./control.js";
import type { Turns } from "./extract-turns.js";
import type { Unlisted } from "./extract-unlisted.js";
import type { Selection } from "./select.js";

export interface ExtractOptions {
  /** Read an item anew when its copy is older, whatever its token says: what no token covers is refreshed so. Default 30 days. */
  readonly refreshAfterSeconds?: number;
  /**
   * In how many nights everything is read anew once, a share of it each night: 14 for `--refresh 1/14`, 1 for `all`. What no token covers is
   * refreshed so. Default: items by their age (`refreshAfterSeconds`), records that cost a request each in 14 nights.
   */
  readonly refreshNights?: number;
  /** Only what failed before (`retry`). */
  readonly onlyFailed?: boolean;
  /** Try what failed or lacks media before anything else, whatever its token says. */
  readonly failedFirst?: boolean;
  /**
   * Called when every list was read, before any item is read or marked as gone, with the lists that lack something; once more when
   * further items turned out to be deleted. What it throws ends the run.
   */
  readonly beforeGone?: (unlisted: readonly Unlisted[]) => void;
  /** Called with each guide and page that no list showed and that stays as it is, since this run had no way to see it. */
  readonly onKept?: (key: Key) => void;
}

/** What an extract is given. */
export interface ExtractParts {
  readonly source: Source;
  readonly workspace: Workspace;
  readonly selection: Selection;
  readonly options: ExtractOptions;
  readonly control: Control;
}

/** One run, as its parts share it. The counters are of what was stored. */
export interface ExtractRun extends ExtractParts {
  readonly site: SiteIdentity;
  /** UNIX seconds. */
  readonly startedAt: number;
  /** UNIX seconds at which the last complete extract began; null: there was none. */
  readonly since: number | null;
  /** Complete extracts before this one. */
  readonly night: number;
  readonly turns: Turns;
  readonly counters: Counters;
}

export interface KindCounters {
  listed: number;
  read: number;
  unchanged: number;
  failed: number;
}

export interface Counters {
  readonly kinds: Readonly<Record<ItemKind, KindCounters>>;
  mediaFiles: number;
  mediaBytes: number;
  /** Items whose reading is finished, and how many there are to read. */
  finished: number;
  planned: number;
  /** Listed, but not there when they were read. */
  readonly vanished: Set<Key>;
  /** On no list any more, and still at the site when they were asked for, or not clearly gone. */
  readonly unlisted: Set<Key>;
  /** What was never released, where released versions are asked for. */
  readonly unreleased: Key[];
  /** Guides that are archived and not shown to the account of the source. */
  readonly archived: Key[];
  /** Media at addresses that must not be asked: left out, and no failures. */
  readonly refusedMedia: Set<Key>;
  /** Records that the site refused in this run, with its status. */
  readonly refused: Map<Key, number>;
}

export function newCounters(): Counters {
  const zero = (): KindCounters => ({ listed: 0, read: 0, unchanged: 0, failed: 0 });
  const kinds = Object.fromEntries(ITEM_KINDS.map((kind) => [kind, zero()])) as Record<ItemKind, KindCounters>;
  return {
    kinds,
    mediaFiles: 0,
    mediaBytes: 0,
    finished: 0,
    planned: 0,
    vanished: new Set(),
    unlisted: new Set(),
    archived: [],
    unreleased: [],
    refusedMedia: new Set(),
    refused: new Map(),
  };
}

/** Failed so far, all kinds. */
export function failedSoFar({ kinds }: Counters): number {
  return Object.values(kinds).reduce((sum, { failed }) => sum + failed, 0);
}

import type { Source, Survey, Target } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { OriginSite } from "../../service/target/origin-site.js";
import type { SiteTexts } from "../../service/target/texts.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../../sync/control.js";
import type { SnapshotContents } from "../restore/snapshot-contents.js";
import type { OriginLedger } from "./origin-ledger.js";

/** The parts of a restore to the origin site. */
export interface RestoreContext {
  readonly contents: SnapshotContents;
  /** Holds the items to restore, and the ledger. */
  readonly workspace: Workspace;
  readonly ledger: OriginLedger;
  readonly target: Target;
  readonly survey: Survey;
  readonly reader: Source;
  readonly texts: SiteTexts;
  readonly originSite: OriginSite;
  /** A dry run: `target` and `originSite` send nothing. */
  readonly isDryRun: boolean;
  readonly journal: Journal;
  readonly control: Control;
}

/** The writes before the load. */
export class Journal {
  /** Descriptions of the writes for each item, in order. */
  readonly steps = new Map<Key, readonly string[]>();
  /** Number of requests by kind. */
  readonly kinds: Record<string, number> = {};

  /** @param kind a readable name, as from `writeKind` */
  note(item: Key, kind: string, step: string): void {
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
    this.steps.set(item, [...(this.steps.get(item) ?? []), step]);
  }
}

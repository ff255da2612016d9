import type { Source, Survey, Target } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { OriginSite } from "../../service/target/origin-site.js";
import type { SiteTexts } from "../../service/target/texts.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../../sync/control.js";
import type { SnapshotContents } from "../restore/snapshot-contents.js";
import type { OriginLedger } from "./origin-ledger.js";

/** What putting a site back to a snapshot works with. */
export interface RestoreContext {
  readonly contents: SnapshotContents;
  /** What is put back lies here, and nothing else; it remembers what was done. */
  readonly workspace: Workspace;
  readonly ledger: OriginLedger;
  readonly target: Target;
  readonly survey: Survey;
  /** The same site, read. */
  readonly reader: Source;
  readonly texts: SiteTexts;
  readonly originSite: OriginSite;
  /** `target` and `originSite` send nothing: what they changed can't be read. */
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

import type { HomeSite } from "../service/target/home-site.js";
import type { Texts } from "../service/target/texts.js";
import type { Source, Survey, Target } from "../core/contracts.js";
import type { Workspace } from "../storage/workspace/workspace.js";
import type { Control } from "../sync/control.js";
import type { HomeLedger } from "./home-ledger.js";
import type { Journal } from "./journal.js";
import type { SnapshotContents } from "./snapshot-contents.js";

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
  readonly homeSite: HomeSite;
  /** `target` and `homeSite` send nothing: what they changed can't be read. */
  readonly rehearses: boolean;
  readonly journal: Journal;
  readonly control: Control;
}

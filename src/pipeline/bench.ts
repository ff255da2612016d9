import type { FitPolicy } from "../../transforms/fit/context.js";
import type { DanglingPolicy } from "../../transforms/wiki/rewrite-options.js";
import type { Ledger, SiteIdentity, Survey, Target, Transform } from "../contracts.js";
import type { Key } from "../model/key.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Control } from "./control.js";

/** How a load is done. */
export interface LoadOptions {
  readonly fit: FitPolicy;
  readonly dangling: DanglingPolicy;
  /** Conflicts: `update` is the target's business; the others differ in how they count. */
  readonly onConflict: "skip" | "update" | "fail";
  /** The selection (--only, --include …); default everything in the workspace. What is outside of it does not move. */
  readonly selected?: ReadonlySet<Key>;
  /** Only these are loaded now (retry); the others still move, in their own run. */
  readonly keys?: ReadonlySet<Key>;
}

/** Everything that the parts of a load share. */
export interface Bench {
  readonly workspace: Workspace;
  readonly ledger: Ledger;
  readonly target: Target;
  readonly survey: Survey;
  readonly source: SiteIdentity;
  readonly transforms: readonly Transform[];
  readonly options: LoadOptions;
  readonly control: Control;
}

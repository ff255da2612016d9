import type { FitPolicy } from "../../transforms/fit/context.js";
import type { DanglingPolicy } from "../../transforms/references/rewrite-options.js";
import type { Ledger, SiteIdentity, Survey, Target, Transform } from "../contracts.js";
import { EXIT, WorkspaceError } from "../errors.js";
import type { Key } from "../model/key.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Control } from "./control.js";
import { type Outlook, outlookOf } from "./outlook.js";
import { retitled } from "./retitled.js";

/** How a load is done. */
export interface LoadOptions {
  readonly fit: FitPolicy;
  /** The target is the site that the content came from: nothing is made to fit. Default false. */
  readonly home?: boolean;
  readonly dangling: DanglingPolicy;
  /** Conflicts: `update` is the target's business; the others differ in how they count. */
  readonly onConflict: "skip" | "update" | "fail";
  /** Pages that are there and not ours: the target's business; here only the plan tells of it. */
  readonly onExisting: "adopt" | "update" | "fail";
  /** The selection (--only, --include …); default everything in the workspace. What is outside of it does not move. */
  readonly selected?: ReadonlySet<Key>;
  /** Only these are loaded now (retry); the others still move, in their own run. */
  readonly keys?: ReadonlySet<Key>;
  /** Milliseconds before a create that got no answer, and was surely not made, is sent again. Default: 0.5 to 16 s with jitter. */
  readonly pause?: (tries: number) => number;
}

/** What a load is made of. */
export interface LoadParts {
  readonly workspace: Workspace;
  /** The ledger of this target; asked for after the survey, which tells who the target is. */
  readonly ledger: (survey: Survey) => Ledger;
  readonly target: Target;
  /** In their order. They see categories, pages and guides on their way to the target; what lies in the workspace stays. */
  readonly transforms: readonly Transform[];
  readonly options: LoadOptions;
  readonly control: Control;
}

/** Everything that the parts of a load share. */
export interface LoadJob {
  readonly workspace: Workspace;
  readonly ledger: Ledger;
  readonly target: Target;
  readonly survey: Survey;
  readonly source: SiteIdentity;
  readonly transforms: readonly Transform[];
  readonly outlook: Outlook;
  readonly options: LoadOptions;
  readonly control: Control;
}

/** Asks the target who it is and puts together what the parts of a load share. */
export async function loadJobOf({ workspace, ledger, target, ...rest }: LoadParts): Promise<LoadJob> {
  const source = workspace.source();
  if (source === undefined) {
    throw new WorkspaceError(
      `${workspace.directory} holds no site yet, so there is nothing to load. Fill it first: guideferry extract SOURCE --workspace ${workspace.directory}`,
      { exitCode: EXIT.notFound },
    );
  }
  const survey = await target.survey(rest.control.abort);
  const outlook = await outlookOf(workspace, rest.transforms, rest.control);
  return {
    ...rest,
    workspace,
    survey,
    source,
    outlook,
    target: retitled(target, outlook.titles, source),
    ledger: ledger(survey),
  };
}

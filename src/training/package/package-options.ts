import type { JudgeOptions } from "../../../transforms/training/judge-options.js";
import type { ArchiveLimits } from "../../storage/archive/limits.js";

/** How a package is looked at. */
export interface PackageOptions extends JudgeOptions {
  /** What messages and reports call it, and whose ending counts: an address, say, of what was fetched. Default: the path. */
  readonly source?: string;
  /** What the archive guard lets through. Default: DEFAULT_LIMITS of src/storage/archive, each by itself. */
  readonly limits?: Partial<ArchiveLimits>;
  /** Its reason is thrown. Default: none. */
  readonly signal?: AbortSignal;
}

/** Options that say `undefined`, as parsed command lines do, are as if they weren't there. */
export function judgeOptionsOf({ profile, prefer, fixCase }: PackageOptions): JudgeOptions {
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(prefer === undefined ? {} : { prefer }),
    ...(fixCase === undefined ? {} : { fixCase }),
  };
}

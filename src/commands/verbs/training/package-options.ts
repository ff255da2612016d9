import type { PackageOptions } from "../../../training/package/package-options.js";
import type { CommandCall } from "../../command.js";

/** How packages are looked at, as the options say. */
export function packageOptions({ settings, abort }: Pick<CommandCall, "settings" | "abort">): PackageOptions {
  const { profile, prefer, fixCase, maxPackageSize, maxUnpackedSize, maxPackageFiles } = settings;
  return {
    profile,
    prefer,
    fixCase,
    limits: {
      archiveBytes: maxPackageSize,
      totalBytes: maxUnpackedSize,
      entryBytes: maxUnpackedSize,
      entries: maxPackageFiles,
    },
    signal: abort,
  };
}

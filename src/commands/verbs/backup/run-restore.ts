import type { ExitCode } from "../../../core/errors.js";
import type { CommandCall } from "../../command.js";
import { readFolder, readSite } from "../../location.js";
import { restoreHome } from "./restore-home.js";
import { restoreIntoFolder } from "./restore-into-folder.js";
import { restoreIntoSite } from "./restore-into-site.js";
import { isHome } from "./site-of-snapshot.js";
import { withArchives } from "./with-archives.js";

/** Restores a snapshot into a folder, into another site, or into the site that it is of. */
export function runRestore(call: CommandCall, path: string, goal: string): Promise<ExitCode> {
  return withArchives(call, path, async (archives) => {
    if (!isAddress(goal)) return restoreIntoFolder(call, archives, readFolder(goal));
    const root = readSite(goal, call.settings.insecureHttp);
    const home = await isHome(call, archives.contents.manifest.site, root);
    return home ? restoreHome(call, archives, root) : restoreIntoSite(call, archives, root);
  });
}

function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

import { FerryError } from "../../../core/errors.js";
import { fetchPackage } from "../../../training/fetch/fetch-package.js";
import type { FoundPackage } from "../../../training/package.js";
import { withScratchFolder } from "../../../core/util/scratch-folder.js";
import type { CommandCall } from "../../command.js";
import { talkOf } from "../sites.js";

/** A package on this machine. */
export interface LocalPackage {
  readonly path: string;
  /** Takes away what was fetched; a file of the user's stays. */
  readonly remove: () => Promise<void>;
}

/** Brings packages to this machine, wherever they lie. */
export interface PackageFiles {
  local(found: FoundPackage, signal: AbortSignal): Promise<LocalPackage>;
  /** Gives work the path of a package; one from the web lies there only while the work lasts. */
  use<T>(found: FoundPackage, work: (path: string) => Promise<T>): Promise<T>;
}

/** Lets work be done with packages. What has to be fetched is fetched without any sign-in, from public addresses only, and gone at the end. */
export async function withFetched<T>(call: CommandCall, work: (files: PackageFiles) => Promise<T>): Promise<T> {
  return withScratchFolder("packages", async (folder) => {
    const { connectWeb } = await import("../../compose-tools.js");
    const web = connectWeb(talkOf({ call, workspace: null, previous: null }, "target"));
    call.hide(web.redact);
    const local: PackageFiles["local"] = async ({ path, url, source }, signal) => {
      if (path !== null) return { path, remove: async () => undefined };
      if (url === null) throw new FerryError(`${source} has neither a path nor an address: a defect of guideferry.`);
      const { maxPackageSize: maximumBytes } = call.settings;
      return fetchPackage(url, folder, { open: web.open, maximumBytes, signal, warn: call.output.warn });
    };
    const use: PackageFiles["use"] = async (found, look) => {
      const { path, remove } = await local(found, call.abort);
      try {
        return await look(path);
      } finally {
        await remove();
      }
    };
    try {
      return await work({ local, use });
    } finally {
      await web.close();
    }
  });
}

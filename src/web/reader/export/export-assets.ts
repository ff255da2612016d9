import { readFile } from "node:fs/promises";
import { FerryError } from "../../../core/errors.js";
import { ASSET_NAMES, assetOf } from "../assets.js";
import type { ExportFolder } from "./export-folder.js";

/** Writes the files of the reader itself. Throws FerryError when the installation is broken, and what the disk says. */
export async function exportAssets(folder: ExportFolder): Promise<void> {
  for (const name of ASSET_NAMES) {
    const asset = assetOf(name);
    if (asset === undefined)
      throw new FerryError(`guideferry is not installed whole: its file ${name} is missing. Install it anew.`);
    await folder.put(`assets/${name}`, await readFile(asset.file));
  }
}

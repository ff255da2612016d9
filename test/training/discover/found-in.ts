import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { discoverPackages } from "../../../src/training/discover/discover-packages.js";
import type { PassedOver } from "../../../src/training/discover/walk.js";
import type { FoundPackage } from "../../../src/training/package.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

/** The first bytes of an archive; nobody looks further here. */
export const ZIP = Buffer.from("PK\u0003\u0004rest");

/** A folder with these files, gone after the test. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

export interface Discovered {
  readonly found: readonly FoundPackage[];
  readonly passedOver: readonly PassedOver[];
}

export async function foundIn(places: readonly string[], signal = new AbortController().signal): Promise<Discovered> {
  const found: FoundPackage[] = [];
  const passedOver: PassedOver[] = [];
  for await (const one of discoverPackages(places, { signal, passedOver: (what) => passedOver.push(what) }))
    found.push(one);
  return { found, passedOver };
}

export async function sourcesIn(...places: readonly string[]): Promise<readonly string[]> {
  return (await foundIn(places)).found.map(({ source }) => source);
}

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeArchive } from "../../../../src/storage/archive/write-archive.js";
import type { FoundPackage } from "../../../../src/training/package.js";
import { cmi5Structure, type Package, scormPackage, tincan } from "../../../helpers/training-packages.js";

/** Packages that lie in a folder, as an author's would. */
export interface Shelf {
  readonly folder: string;
  /** Puts a package there, in the place of what had its name. */
  put(name: string, content: Package): Promise<void>;
  /** What isn't an archive at all. */
  putText(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** As a folder, or a list, would name it. */
  found(name: string, changes?: Partial<FoundPackage>): FoundPackage;
}

export function shelfIn(folder: string): Shelf {
  return {
    folder,
    put: (name, content) =>
      writeArchive(
        join(folder, name),
        Object.entries(content).map(([path, bytes]) => ({
          path,
          content: typeof bytes === "number" ? Buffer.alloc(bytes) : Buffer.from(bytes),
        })),
      ),
    putText: (name, text) => writeFile(join(folder, name), text),
    remove: (name) => rm(join(folder, name)),
    found: (name, changes = {}) => ({ source: name, path: join(folder, name), url: null, module: null, ...changes }),
  };
}

/** A package of one page; another `page` is another content under the same manifest. */
export function scorm(title: string, page = `<p>${title}`, family: "1.2" | "2004" = "1.2"): Package {
  const organizations =
    `<organizations default="O1"><organization identifier="O1"><title>${title}</title>` +
    '<item identifier="I1" identifierref="R1"><title>Start</title></item></organization></organizations>';
  return scormPackage(
    { family, identifier: ` identifier="${title.replaceAll(" ", "-")}"`, organizations },
    { "index.html": page },
  );
}

export function cmi5(): Package {
  return { "cmi5.xml": cmi5Structure(), "index.html": "<p>cmi5" };
}

export function xapi(): Package {
  return { "tincan.xml": tincan(), "index.html": "<p>tincan" };
}

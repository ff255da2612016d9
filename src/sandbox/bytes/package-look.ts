import { type Entry, openPromise, type ZipFile } from "yauzl";
import type { PackageLook } from "../state/training-desk.js";

/** What the manifest of each standard is called, at the root of a package and in this spelling; the first that is there counts. */
const MANIFESTS: readonly (readonly [name: RegExp, standard: string])[] = [
  [/^cmi5\.xml$/, "CMI5"],
  [/^imsmanifest\.xml$/, "SCORM"],
  [/^tincan\.xml$/, "XAPI"],
  [/^[^/]+\.crs$/i, "AICC"],
];
/** `<schemaversion>` stands near the start of a manifest. */
const MOST_MANIFEST = 65_536;

/** SCORM editions by the start of their `schemaversion`, as the engine names them (training modules, 1.2 and 2.2). */
const EDITIONS: readonly (readonly [version: RegExp, standard: string])[] = [
  [/^1\.1/, "SCORM11"],
  [/^2004 4th/i, "SCORM20044THEDITION"],
  [/^2004 3rd/i, "SCORM20043RDEDITION"],
  [/^(?:cam )?1\.3/i, "SCORM20042NDEDITION"],
];

/** Looks whether a file is a zip with a manifest at its root: the engine's whole judgement in small. Never throws for what the file holds. */
export async function packageLook(path: string): Promise<Pick<PackageLook, "problem" | "learningStandard">> {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { autoClose: false, lazyEntries: true });
    return await lookedInto(zip);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `The file is not a zip archive that can be unpacked: ${reason}`, learningStandard: null };
  } finally {
    zip?.close();
  }
}

async function lookedInto(zip: ZipFile): Promise<Pick<PackageLook, "problem" | "learningStandard">> {
  const manifests = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    for (const [name, standard] of MANIFESTS) if (name.test(entry.fileName)) manifests.set(standard, entry);
  }
  const standard = MANIFESTS.find(([, one]) => manifests.has(one))?.[1];
  if (standard === undefined) return { problem: "The archive has no manifest at its root.", learningStandard: null };
  const manifest = manifests.get("SCORM");
  const isScorm = standard === "SCORM" && manifest !== undefined;
  return { problem: "", learningStandard: isScorm ? await editionOf(zip, manifest) : standard };
}

async function editionOf(zip: ZipFile, manifest: Entry): Promise<string> {
  let text = "";
  for await (const piece of await zip.openReadStreamPromise(manifest)) {
    text += (piece as Buffer).toString("latin1");
    if (text.length > MOST_MANIFEST) break;
  }
  const version = /<schemaversion>\s*([^<]*?)\s*</i.exec(text)?.[1] ?? "";
  return EDITIONS.find(([start]) => start.test(version))?.[1] ?? "SCORM12";
}

/** What a package is recognised by (training modules, 2.1). */
export type Marker = "cmi5" | "scorm" | "tincan" | "aicc";

/** The manifests that are one file each, by their exact names. */
export const MANIFEST_NAMES: ReadonlyMap<string, Exclude<Marker, "aicc">> = new Map([
  ["cmi5.xml", "cmi5"],
  ["imsmanifest.xml", "scorm"],
  ["tincan.xml", "tincan"],
]);

/** The four mandatory course files of AICC, by their endings. */
export const AICC_ENDINGS = ["crs", "au", "des", "cst"] as const;
export type AiccEnding = (typeof AICC_ENDINGS)[number];

/** Those that may be there besides. */
export const AICC_EXTRA_ENDINGS: ReadonlySet<string> = new Set(["ort", "pre", "cmp"]);

/** The course files of one folder. */
export type AiccSet = Readonly<Record<AiccEnding, string | null>>;

/** `folder/` of `folder/name`, empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `assessment` of `course/Assessment.au`: small letters, since course files differ in theirs. */
export function stemOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return (dot < 0 ? name : name.slice(0, dot)).toLowerCase();
}

/** `au` of `A.AU`; empty where there is none. */
export function endingOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}

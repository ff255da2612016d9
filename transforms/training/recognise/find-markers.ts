import { AICC_ENDINGS, type AiccEnding, endingOf, folderOf, MANIFEST_NAMES, type Marker, nameOf } from "./markers.js";

/** What a folder has of what packages are recognised by. */
export interface MarkedFolder {
  readonly folder: string;
  /** One path each; the exact spelling wins. */
  readonly manifests: ReadonlyMap<Exclude<Marker, "aicc">, string>;
  /** All files with an ending of AICC's. */
  readonly aicc: ReadonlyMap<AiccEnding, readonly string[]>;
}

interface Growing {
  readonly manifests: Map<Exclude<Marker, "aicc">, string>;
  readonly aicc: Map<AiccEnding, string[]>;
}

/** The folders with a manifest or a set of course files, in the order of the paths. One pass. */
export function findMarkers(paths: readonly string[]): readonly MarkedFolder[] {
  const folders = new Map<string, Growing>();
  for (const path of paths) note(path, folders);
  return [...folders].map(([folder, found]) => ({ folder, ...found })).filter(isMarked);
}

function note(path: string, folders: Map<string, Growing>): void {
  const name = nameOf(path);
  const marker = MANIFEST_NAMES.get(name.toLowerCase());
  const ending = ENDINGS.get(endingOf(path));
  if (marker === undefined && ending === undefined) return;
  const folder = folderOf(path);
  const growing = folders.get(folder) ?? { manifests: new Map(), aicc: new Map() };
  folders.set(folder, growing);
  if (marker !== undefined && (!growing.manifests.has(marker) || MANIFEST_NAMES.has(name)))
    growing.manifests.set(marker, path);
  if (ending === undefined) return;
  const same = growing.aicc.get(ending) ?? [];
  growing.aicc.set(ending, same);
  same.push(path);
}

const ENDINGS: ReadonlyMap<string, AiccEnding> = new Map(AICC_ENDINGS.map((ending) => [ending, ending]));

function isMarked({ manifests, aicc }: MarkedFolder): boolean {
  return manifests.size > 0 || isAiccSet(aicc);
}

/** Two of the four: one may be forgotten, and a lone `.au` is a sound. */
export function isAiccSet(aicc: MarkedFolder["aicc"]): boolean {
  return aicc.size >= 2;
}

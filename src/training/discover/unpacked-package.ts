import { AICC_ENDINGS, endingOf, MANIFEST_NAMES, stemOf } from "../../../transforms/training/recognise/markers.js";

const COURSE_FILES: ReadonlySet<string> = new Set(AICC_ENDINGS);

/**
 * The file that shows that a folder with these files is one unpacked package: a manifest, or two course files of AICC with the same base name
 * (one alone is a sound, or anything). undefined: it is a folder like any other.
 */
export function markerAmong(names: readonly string[]): string | undefined {
  const stems = new Map<string, string>();
  for (const name of names) {
    if (MANIFEST_NAMES.has(name.toLowerCase())) return name;
    const ending = endingOf(name);
    if (!COURSE_FILES.has(ending)) continue;
    const stem = stemOf(name);
    const before = stems.get(stem);
    if (before !== undefined && before !== ending) return name;
    stems.set(stem, ending);
  }
  return undefined;
}

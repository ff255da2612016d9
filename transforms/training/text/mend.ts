import type { Repair } from "../judgement.js";
import type { Judging } from "../judging.js";
import { rewriteManifest } from "./manifest-text.js";
import type { ManifestXml } from "./read-manifest-xml.js";

export interface Mended {
  /** New bytes by path in the archive. */
  readonly rewritten: ReadonlyMap<string, Uint8Array>;
  readonly repairs: readonly Repair[];
}

const WORDS: Readonly<Record<string, string>> = {
  W_MAN_HREF_BACKSLASH: "addresses got slashes for back-slashes",
  W_MAN_HREF_ROOT: "addresses lost the slash that they began with",
  W_ZIP_NAME_NFD: "addresses got Unicode form C, as the names of files have",
  W_MAN_CASE_MISMATCH: "addresses got the letter case of their files",
};

/** A manifest with everything repaired that can be: textually, and no more than that. */
export function mend(xml: ManifestXml, judging: Judging): Mended {
  const { path, source, repairs } = xml;
  const bytes = rewriteManifest(source, judging.edits);
  if (bytes === undefined) return UNCHANGED;
  return { rewritten: new Map([[path, bytes]]), repairs: [...repairs, ...addressRepairs(path, judging)] };
}

export const UNCHANGED: Mended = { rewritten: new Map(), repairs: [] };

/** What the rewriting of a file did to its addresses. */
export function addressRepairs(path: string, { mended }: Judging): readonly Repair[] {
  return [...mended].map(([code, count]) => ({
    code,
    path,
    what: `${count} ${WORDS[code] ?? "addresses were mended"}`,
  }));
}

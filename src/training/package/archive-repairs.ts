import type { Judgement, Repair } from "../../../transforms/training/judgement.js";
import { shown } from "../../../transforms/training/shown.js";
import type { Code } from "../../storage/archive/codes.js";
import type { Finding } from "../../storage/archive/finding-list.js";

/** What writing an archive anew does to what the guard warned of (training modules, 3.1: "fix"). */
const MENDS: Partial<Readonly<Record<Code, string>>> = {
  W_ZIP_PREFIX_DATA: "bytes before the first entry were left out",
  W_ZIP_TRAILING_DATA: "bytes behind the end were left out",
  W_ZIP_GAP: "unused bytes between the entries were left out",
  W_ZIP_STORED_DATA_DESCRIPTOR: "sizes stand before the contents",
  W_ZIP_BACKSLASH: "back-slashes in names became slashes",
  W_ZIP_NAME_DOT_SEGMENT: "`./` in names was left away",
  W_ZIP_NON_UTF8_NAME: "names became UTF-8 and are marked so",
  W_ZIP_NAME_NFD: "names in Unicode form D became form C",
  W_ZIP_MODE_BITS: "odd mode bits became those of a plain file",
  W_ZIP_MAC_JUNK: "what file managers left was left out",
};

/** One repair for each code, at the first place where it was found; the place of an archive as a whole is empty. */
export function archiveRepairs(findings: readonly Finding[]): readonly Repair[] {
  const firsts = new Map(findings.toReversed().map((finding) => [finding.code, finding]));
  return [...firsts.values()].toReversed().flatMap(({ code, entry }): readonly Repair[] => {
    const what = MENDS[code];
    return what === undefined ? [] : [{ code, path: entry ?? "", what }];
  });
}

export function rootRepair({ root }: Judgement): readonly Repair[] {
  if (root === "") return [];
  return [
    { code: "W_PKG_NESTED_ROOT", path: root, what: `the folder "${shown(root)}" around everything was taken off` },
  ];
}

/** Does a finding leave the names and contents of the files as they stand in the archive? */
export function leavesFilesAlone({ code }: Finding): boolean {
  return HARMLESS.has(code);
}

const HARMLESS: ReadonlySet<Code> = new Set<Code>(["W_ZIP_NAME_RESERVED", "W_ZIP_NAME_BIDI", "W_ZIP_NESTED_ARCHIVE"]);

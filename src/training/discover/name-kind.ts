import { isJunk } from "../../storage/archive/junk.js";
import type { Reason } from "./passed-over.js";

/** Packages by name: archives, PIF of AICC, and manifests without an archive. Foreign archives shall be refused with a word, not overlooked. */
const PACKAGE = /\.(?:zip|pif|xml|7z|rar|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|cab|ace|arj|lzh|lha|sit|sitx|iso)$/i;

/** Files that begin as zip archives do and are something else: office documents, books, programs. */
const OTHER_ZIP =
  /\.(?:docx|docm|dotx|xlsx|xlsm|xltx|xlsb|pptx|pptm|potx|ppsx|vsdx|od[tpsgf]|ott|epub|jar|war|ear|apk|xpi|crx|whl|nupkg|vsix|kmz|omanual|story|sketch|key|pages|numbers)$/i;

const PARTIAL = /\.(?:crdownload|part|partial|download|opdownload|tmp)$/i;

/** Of a list of packages. */
const LIST = /\.(?:txt|csv|tsv|json|ndjson|jsonl)$/i;

/** Why a file or folder of this name is passed over, whatever is in it; undefined: it isn't. */
export function reasonToPass(name: string, isFolder: boolean): Reason | undefined {
  if (name.startsWith("~$")) return "lock";
  if (isJunk(name)) return "junk";
  if (name.startsWith(".")) return "hidden";
  // Safari's partial downloads are folders; other folders may have any name.
  if (isFolder ? /\.download$/i.test(name) : PARTIAL.test(name)) return "partial";
  return undefined;
}

export function isPackageName(name: string): boolean {
  return PACKAGE.test(name);
}

export function isOtherZipName(name: string): boolean {
  return OTHER_ZIP.test(name);
}

export function isListName(name: string): boolean {
  return LIST.test(name);
}

import type { Entry } from "yauzl";
import type { Code } from "./codes.js";

interface Mode {
  readonly isFolder: boolean;
  readonly faults: readonly { readonly code: Code; readonly detail: string }[];
}

/** What kind of thing an entry says it is: by its unix mode, whoever wrote it (readers look at it anyway), and by DOS's attribute. */
export function checkMode(entry: Entry, name: string): Mode {
  const mode = entry.externalFileAttributes >>> 16;
  const kind = KINDS[mode & FORMAT];
  const faults: { code: Code; detail: string }[] = [];
  if (kind !== undefined) faults.push(kind);
  if ((mode & SET_ID) !== 0) faults.push({ code: "W_ZIP_MODE_BITS", detail: "it is marked setuid or setgid" });
  const isLink = kind?.code === "E_ZIP_SYMLINK";
  if (!isLink && hasLinkField(entry)) faults.push({ code: "E_ZIP_SYMLINK", detail: "an extra field makes it a link" });
  const isFolder =
    /[/\\]$/.test(name) || (mode & FORMAT) === FOLDER || (entry.externalFileAttributes & DOS_FOLDER) !== 0;
  return { isFolder, faults };
}

const FORMAT = 0o170000;
const FOLDER = 0o040000;
const SET_ID = 0o6000;
const DOS_FOLDER = 0x10;

const SPECIAL = (what: string) => ({ code: "E_ZIP_SPECIAL_FILE", detail: `it is ${what}` }) as const;

const KINDS: Readonly<Record<number, { readonly code: Code; readonly detail: string }>> = {
  [0o120000]: { code: "E_ZIP_SYMLINK", detail: "it is a symbolic link" },
  [0o020000]: SPECIAL("a character device"),
  [0o060000]: SPECIAL("a block device"),
  [0o140000]: SPECIAL("a socket"),
  [0o010000]: { code: "W_ZIP_MODE_BITS", detail: "it is marked as a pipe" },
};

/**
 * The two extra fields that carry the goal of a hard or symbolic link: PKWARE's for UNIX (APPNOTE 4.5.7: two times, two ids, then
 * the goal) and ASi's (checksum, mode, size or device, two ids, then the goal).
 */
function hasLinkField({ extraFields }: Entry): boolean {
  return extraFields.some(({ id, data }) => (id === 0x000d && data.length > 12) || (id === 0x756e && data.length > 14));
}

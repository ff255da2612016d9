/** The folders of an export, those above others first. */
export const EXPORT_FOLDERS: readonly string[] = [
  ...["assets", "category", "guide", "media", "search", "tag", "wiki"],
  ...["item", "team", "user", "info", "wiki", "other"].map((namespace) => `wiki/${namespace}`),
];

const FOLDERS: ReadonlySet<string> = new Set(["", ...EXPORT_FOLDERS]);
/** No name that a file system takes for another: no dot at an end, no slash, no capital letter, none that is only dots. */
const NAME = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_]{1,10})$/;

/**
 * May an export have a file of this address? Nothing else is written or removed, whatever a title or a list on a disk says. Devices of Windows (`con.html`) end
 * with their hash, so that none comes up.
 */
export function isExportPath(path: string): boolean {
  const slash = path.lastIndexOf("/");
  return path.length <= LONGEST && FOLDERS.has(path.slice(0, Math.max(0, slash))) && NAME.test(path.slice(slash + 1));
}

const LONGEST = 200;

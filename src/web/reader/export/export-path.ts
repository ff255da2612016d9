/** The folders of pages, those above others first. */
const PAGE_FOLDERS: readonly string[] = [
  ...["category", "guide", "tag", "wiki"],
  ...["item", "team", "user", "info", "wiki", "other"].map((namespace) => `wiki/${namespace}`),
];

const FOLDERS: readonly string[] = ["assets", "media", "search", ...PAGE_FOLDERS];
const KNOWN: ReadonlySet<string> = new Set(["", ...FOLDERS]);
/** No name that a file system takes for another: no dot at an end, no slash, no capital letter, none that is only dots. */
const NAME = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_]{1,10})$/;
const TIME = /^(?:\d{8}T\d{6}Z|now)$/;
const COMPARED = /^changes\/(\d{8}T\d{6}Z)(\.html$|\/)/;

/** Is it the id of a time, which is the name of its folder? */
export function isTimeId(name: string): boolean {
  return TIME.test(name);
}

/** The folders of an export, those above others first. `compared`: the ids of times that it is compared with. */
export function foldersOf(compared: Iterable<string>): readonly string[] {
  const pairs = [...compared].flatMap((id) => [
    `changes/${id}`,
    ...PAGE_FOLDERS.map((folder) => `changes/${id}/${folder}`),
  ]);
  return [...FOLDERS, ...(pairs.length > 0 ? ["changes"] : []), ...pairs];
}

/** The id of the time that a page of an export compares with; undefined: it compares with none. */
export function comparedIn(path: string): string | undefined {
  return COMPARED.exec(path)?.[1];
}

/**
 * May an export have a file of this address? Nothing else is written or removed, whatever a title or a list on a disk says. Devices of Windows (`con.html`) end
 * with their hash, so that none comes up.
 */
export function isExportPath(path: string): boolean {
  if (path.length > LONGEST) return false;
  const [beginning, , end] = COMPARED.exec(path) ?? [];
  if (beginning === undefined) return isPlain(path, KNOWN);
  return end === ".html" || isPlain(path.slice(beginning.length), COMPARABLE);
}

function isPlain(path: string, folders: ReadonlySet<string>): boolean {
  const slash = path.lastIndexOf("/");
  return folders.has(path.slice(0, Math.max(0, slash))) && NAME.test(path.slice(slash + 1));
}

const COMPARABLE: ReadonlySet<string> = new Set(PAGE_FOLDERS);
const LONGEST = 240;

import type { FindingCollector } from "../finding-collector.js";
import type { FileIndex } from "../launch/file-index.js";
import { endingOf, folderOf, MANIFEST_NAMES, nameOf } from "../recognise/markers.js";

/** Names that a message shows. */
const SHOWN = 5;

/** Tells of files that nothing lists, all in one; they are kept, since many tools list the first page only (training modules, 3.1). */
export function tellOrphans(files: FileIndex, listed: ReadonlySet<string>, findings: FindingCollector): void {
  const orphans = files.paths.filter((path) => !listed.has(path) && !isExpected(path.slice(files.root.length)));
  if (orphans.length === 0) return;
  const names = orphans.slice(0, SHOWN).join(", ");
  const more = orphans.length > SHOWN ? ` and ${orphans.length - SHOWN} more` : "";
  findings.add("W_MAN_ORPHAN_FILE", orphans[0] ?? null, `${orphans.length} not listed: ${names}${more}`);
}

/** Schemas belong to a package and are listed by nobody. */
const SCHEMAS: ReadonlySet<string> = new Set(["xsd", "dtd"]);
/** Folders that are named for what pages load; tools leave their content off the list, and nobody forgets it there. */
const LOADED = /(?:^|\/)(?:img|imgs|images?|css|styles?|js|scripts?|fonts?|media|audio|video|sounds?)\//i;

function isExpected(path: string): boolean {
  return SCHEMAS.has(endingOf(path)) || MANIFEST_NAMES.has(nameOf(path).toLowerCase()) || LOADED.test(folderOf(path));
}

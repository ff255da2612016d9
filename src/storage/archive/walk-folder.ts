import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { checkNames } from "./check-names.js";
import { checkPath } from "./check-path.js";
import type { FindingList } from "./finding-list.js";
import { isArchiveName, isJunk } from "./junk.js";
import type { ArchiveLimits } from "./limits.js";

/** A file or folder below a folder. */
export interface FoundFile {
  /** As Files has it. */
  readonly path: string;
  readonly spelling: string;
  /** Where it lies on the disk. */
  readonly place: string;
  readonly isFolder: boolean;
  readonly isJunk: boolean;
  /** Of the thing itself, never of what a link leads to. */
  readonly stats: Stats;
}

/** Everything below a folder, checked by the rules for archives; follows no link, and ends at the limit of entries. */
export async function walkFolder(
  folder: string,
  limits: ArchiveLimits,
  findings: FindingList,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const open: (FoundFile | null)[] = [null];
  for (let above = open.pop(); above !== undefined; above = open.pop()) {
    const place = above?.place ?? folder;
    for (const raw of (await readdir(place, { encoding: "buffer" })).sort(Buffer.compare)) {
      const name = raw.toString("utf8");
      if (!Buffer.from(name).equals(raw)) {
        findings.add("E_ZIP_PATH_INVALID", { path: name }, "its name is not UTF-8");
        continue;
      }
      const file = await look(join(place, name), above === null ? name : `${above.spelling}/${name}`, limits, findings);
      found.push(file);
      if (found.length > limits.entries) {
        findings.add("E_ZIP_ENTRY_COUNT", null, `it has more than ${limits.entries} files and folders`);
        return found;
      }
      if (file.isFolder && Buffer.byteLength(file.spelling) <= limits.pathBytes) open.push(file);
    }
  }
  checkNames(found, findings);
  checkSizes(found, limits, findings);
  return found;
}

async function look(place: string, name: string, limits: ArchiveLimits, findings: FindingList): Promise<FoundFile> {
  const stats = await lstat(place);
  const { path, spelling, faults } = checkPath(name, limits);
  const file: FoundFile = { path, spelling, place, isFolder: stats.isDirectory(), isJunk: isJunk(path), stats };
  for (const { code, detail } of faults) findings.add(code, file, detail);
  if (stats.isSymbolicLink()) findings.add("E_ZIP_SYMLINK", file, "it is a symbolic link");
  else if (!stats.isFile() && !file.isFolder) {
    findings.add("E_ZIP_SPECIAL_FILE", file, "it is a pipe, a socket or a device");
  }
  if (file.isJunk) findings.add("W_ZIP_MAC_JUNK", file, "a file manager left it");
  else if (!file.isFolder && isArchiveName(path)) {
    findings.add("W_ZIP_NESTED_ARCHIVE", file, "it is an archive by its name, and is not opened");
  }
  return file;
}

function checkSizes(found: readonly FoundFile[], limits: ArchiveLimits, findings: FindingList): void {
  const files = found.filter(({ stats }) => stats.isFile());
  if (files.length === 0) findings.add("E_ZIP_EMPTY", null, "it has no files");
  for (const file of files) {
    const { size } = file.stats;
    if (size > limits.entryBytes) {
      findings.add("E_ZIP_TOTAL_SIZE", file, `it has ${size} bytes, the limit is ${limits.entryBytes}`);
    }
  }
  const total = files.reduce((sum, { stats }) => sum + stats.size, 0);
  if (total > limits.totalBytes) {
    findings.add("E_ZIP_TOTAL_SIZE", null, `its files have ${total} bytes, the limit is ${limits.totalBytes}`);
  }
}

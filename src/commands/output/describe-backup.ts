import type { SnapshotIndex } from "../../storage/repository/format.js";
import type { BackupSummary } from "../../backup/night/backup-summary.js";
import { clockTime, count } from "./words.js";

/** A backup in one line. */
export function describeBackup({ index, bytes, duration, extracted, failures }: BackupSummary): string {
  const { snapshot, kind, complete, counts } = index;
  const news = [
    [counts.new, "new"],
    [counts.changed, "changed"],
    [counts.deleted, "deleted"],
  ] as const;
  const told = news
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${number.toLocaleString("en-US")} ${what}`);
  const media = `${count(counts.media, "media file")}${counts.newMedia === 0 ? "" : ` (${counts.newMedia.toLocaleString("en-US")} new)`}`;
  return (
    `Snapshot ${snapshot} of ${extracted.site.name}: ${kind}, ${complete ? "complete" : `INCOMPLETE (${count(failures.length, "failure")})`}; ` +
    `${count(counts.present, "item")} (${told.length === 0 ? "nothing changed" : told.join(", ")}), ${media}; ` +
    `${size(bytes)} in ${filesOf(index)}, ${clockTime(duration / 1000)}.`
  );
}

function filesOf({ archives }: SnapshotIndex): string {
  const main = archives.at(-1)?.name ?? "";
  return archives.length === 1 ? main : `${main} and ${count(archives.length - 1, "part")}`;
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** `4.2 MB`. */
export function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

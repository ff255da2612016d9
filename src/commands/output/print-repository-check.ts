import type {
  Hit,
  RepositoryCheck,
  ShortMedium,
  SnapshotCheck,
} from "../../backup/verify/repository-check.js";
import { size } from "./describe-backup.js";
import { describeSalvage } from "./describe-salvage.js";
import type { Output } from "./output.js";
import { count, quoted } from "./words.js";

/** What is named one by one; `--json` has all. */
const NAMED = 50;

/** Tells how it stands with a repository. */
export function printRepositoryCheck(folder: string, check: RepositoryCheck, exitCode: number, output: Output): void {
  const { problems, hits, snapshots, notes } = check;
  for (const problem of problems) output.event("damage", { of: "file", ...problem });
  for (const hit of hits) output.event("damage", { of: "content", ...hit });
  for (const snapshot of snapshots) output.event("snapshot", snapshot);
  for (const medium of check.short) output.event("cut", medium);
  for (const note of notes) output.note(note);
  named(problems, output, ({ file, detail }) => `damaged: ${detail.includes(file) ? "" : `${file}: `}${detail}`);
  named(hits, output, describeHit);
  const cut = check.short.filter(({ confirmed }) => !confirmed);
  named(cut, output, describeShort);
  for (const line of summaryOf(folder, check)) output.say(line);
  for (const line of summaryOfShort(folder, check.short.length - cut.length, cut.length)) output.say(line);
  const { thoroughness, hashed } = check;
  const whole = snapshots.filter((snapshot) => snapshot.whole).length;
  output.event("summary", {
    exitCode,
    folder,
    thoroughness,
    hashed,
    problems: problems.length,
    hits: hits.length,
    cut: cut.length,
    snapshots: snapshots.length,
    whole,
  });
}

function named<T>(all: readonly T[], output: Output, describe: (one: T) => string): void {
  for (const one of all.slice(0, NAMED)) output.say(describe(one));
  if (all.length > NAMED) output.say(`… and ${all.length - NAMED} more, all of them with --json`);
}

function describeHit({ kind, name, title, items, archive, reason, repaired, snapshots }: Hit): string {
  const what =
    kind === "media"
      ? `${items.length === 0 ? "a medium" : items.join(", ")} (sha256 ${name})`
      : `${name} ${quoted(title ?? "")}`;
  const [first, last] = [snapshots[0], snapshots.at(-1)];
  const where = snapshots.length === 1 ? first : `${count(snapshots.length, "snapshot")} from ${first} to ${last}`;
  const state = repaired ? "damaged, and put right by a repair archive" : "lost";
  return `${state}: ${what} in ${archive}, as ${where} has it: ${reason}`;
}

function describeShort({ items, sha256, format, toldSize }: ShortMedium): string {
  const what = items.length === 0 ? "a medium" : items.join(", ");
  const lack =
    format === null ? `are fewer than the ${toldSize} that the site told` : `stop before the end of the ${format} file`;
  return `cut short: ${what} (sha256 ${sha256}): the bytes ${lack}`;
}

function summaryOfShort(folder: string, confirmed: number, cut: number): readonly string[] {
  return [
    ...(cut === 0
      ? []
      : [
          `Cut short in the youngest snapshot: ${count(cut, "media file")}, stored as they came. \`guideferry backup SITE --to ${folder}\` asks the site for them again.`,
        ]),
    ...(confirmed === 0
      ? []
      : [
          `As the site itself has them, ${count(confirmed, "media file")} stop before the end of their format or are fewer than it tells (--json names them).`,
        ]),
  ];
}

const HOW = {
  bytes: "every file hashed",
  sample: "a sample read",
  structure: "names and sizes only",
} as const;

function summaryOf(
  folder: string,
  { thoroughness, hashed, snapshots, damaged, hits }: RepositoryCheck,
): readonly string[] {
  const hit = snapshots.filter(({ whole }) => !whole);
  const looked = `${HOW[thoroughness.kind]} (${count(hashed.files, "file")}, ${size(hashed.bytes)}; ${count(hashed.contents, "content")} by themselves)`;
  const head = `Repository ${folder}: ${looked}.`;
  if (!damaged)
    return [
      `${head} ${snapshots.length === 1 ? "Its one snapshot is" : `All ${count(snapshots.length, "snapshot")} are`} whole.`,
    ];
  const whole = snapshots.filter((snapshot) => snapshot.whole).map(({ snapshot }) => snapshot);
  const lost = hits.some(({ repaired }) => !repaired);
  return [
    head,
    ...hit.slice(-NAMED).map(describeSnapshot),
    snapshots.length === 0
      ? "It has no snapshot."
      : `Whole: ${whole.length} of ${count(snapshots.length, "snapshot")}${whole.length === 0 ? "" : `, the last one ${whole.at(-1)}`}.`,
    ...(lost || hit.length > 0
      ? [
          "What to do: `guideferry repair REPO SITE` fetches again what the site still has, and takes what other archives hold.",
        ]
      : []),
  ];
}

function describeSnapshot({ snapshot, items, media, unreadable, salvage }: SnapshotCheck): string {
  if (unreadable !== null && salvage !== null)
    return `Hit: ${snapshot} can't be read to its end. \`guideferry restore\` takes what is left of its rows: ${describeSalvage(salvage)}`;
  if (unreadable !== null) return `Hit: ${snapshot} can't be read, and nothing else tells what it held.`;
  if (items === null || media === null) return `Hit: ${snapshot} needs a file that is damaged or missing.`;
  return `Hit: ${snapshot} lacks ${count(items, "item")} and ${`${media} of its media`}; the rest of it can be restored.`;
}

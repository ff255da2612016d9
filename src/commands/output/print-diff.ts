import { EXIT } from "../../errors.js";
import type { ItemDifference, MediaDifference } from "../../pipeline/backup/past/diff-snapshots.js";
import type { FieldChange } from "../../pipeline/backup/past/field-changes.js";
import { size } from "./describe-backup.js";
import type { Output } from "./output.js";
import { count, quoted } from "./words.js";

/** Fields that are named of one item, and characters of a value; `--json` has all. */
const FIELDS = 12;
const SHOWN = 60;

/** Tells differences as they are found. */
export interface DiffPrinter {
  print(difference: ItemDifference): void;
  end(media: MediaDifference): void;
}

const SIGNS = { new: "+", changed: "~", deleted: "-" } as const;

export function createDiffPrinter(output: Output, from: string, to: string): DiffPrinter {
  const counts = { new: 0, changed: 0, deleted: 0 };
  output.say(`From ${from} to ${to}:`);
  return {
    print: (difference) => {
      const { what, key, title, changes, text } = difference;
      counts[what] += 1;
      output.event("difference", difference);
      output.say(`${SIGNS[what]} ${key} ${quoted(title)}`);
      if (text !== null) output.say(text.trimEnd());
      else for (const line of describeChanges(changes)) output.say(`    ${line}`);
    },
    end: (media) => {
      output.say(`${counts.new} new, ${counts.changed} changed, ${counts.deleted} deleted; ${describeMedia(media)}.`);
      output.event("summary", { exitCode: EXIT.ok, from, to, ...counts, media });
    },
  };
}

/** `title: "Old" → "New"` */
export function describeChanges(changes: readonly FieldChange[]): readonly string[] {
  const lines = changes.slice(0, FIELDS).map(({ path, before, after }) => {
    if (before === undefined) return `${path}: added`;
    if (after === undefined) return `${path}: removed`;
    return `${path}: ${shown(before)} → ${shown(after)}`;
  });
  return changes.length > FIELDS ? [...lines, `… and ${count(changes.length - FIELDS, "more field")}`] : lines;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function describeMedia({ new: fresh, gone }: MediaDifference): string {
  return `media: ${fresh.contents} new (${size(fresh.bytes)}), ${gone.contents} gone (${size(gone.bytes)})`;
}

import { EXIT } from "../../core/errors.js";
import type { ItemDifference, MediaDifference } from "../../backup/past/diff-snapshots.js";
import type { FieldChange } from "../../backup/past/field-changes.js";
import { aroundDifference } from "../../core/util/around-difference.js";
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
    const [from, to] = aroundDifference(jsonOf(before), jsonOf(after), SHOWN);
    return `${path}: ${from} → ${to}`;
  });
  return changes.length > FIELDS ? [...lines, `… and ${count(changes.length - FIELDS, "more field")}`] : lines;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}

function describeMedia({ new: fresh, gone }: MediaDifference): string {
  return `media: ${fresh.contents} new (${size(fresh.bytes)}), ${gone.contents} gone (${size(gone.bytes)})`;
}

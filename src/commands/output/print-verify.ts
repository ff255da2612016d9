import type { Difference, VerifySummary } from "../../sync/verify/verify.js";
import { aroundDifference } from "../../core/util/around-difference.js";
import type { Output } from "./output.js";
import { count } from "./words.js";

/** Characters of a value that are shown to a person, around the first difference; `--json` has all. */
const SHOWN = 120;

/** Differences that a person is shown one by one; `--json` has all. */
const NAMED = 50;

/** The same of notes. */
const NOTED = 10;

const WHAT_NOW =
  "What somebody changed at the target since stays as long as the source does not change it too (then --on-conflict decides): " +
  "take it over at the source, or undo it at the target.";

/** Tells differences, and what is only worth a note, as they are found. */
export interface DifferencePrinter {
  print(difference: Difference): void;
  /** A text that came back as it was sent, and that the target shows otherwise than it should. */
  printNote(note: Difference): void;
  /** Says how many were not shown. */
  end(): void;
}

export function createDifferencePrinter(output: Output): DifferencePrinter {
  let [found, noted] = [0, 0];
  return {
    print: (difference) => {
      output.event("difference", difference);
      found += 1;
      if (found <= NAMED) output.say(describeDifference("different", difference));
    },
    printNote: (note) => {
      output.event("note", { message: `${note.key}, ${note.path}: ${SHOWN_OTHERWISE}`, ...note });
      noted += 1;
      if (noted <= NOTED) output.say(describeDifference("note", note));
    },
    end: () => {
      if (found > NAMED) output.say(`… and ${count(found - NAMED, "more difference")}; all of them with --json`);
      if (noted > NOTED) output.say(`… and ${count(noted - NOTED, "more note")}; all of them with --json`);
    },
  };
}

/** `Read back and compared: 12 items, 840 fields; no difference but 31 that the report names.`, and what else was looked at. */
export function describeVerify(summary: VerifySummary): readonly string[] {
  const { items, listed, fields, adopted, refused, report } = summary;
  const untouched = adopted === 0 ? "" : ` Not compared, since there before: ${count(adopted, "item")}.`;
  const left = refused === 0 ? "" : ` Not compared, since the site would refuse them: ${count(refused, "item")}.`;
  return [
    `Read back and compared: ${count(items, "item")}, ${count(fields, "field")}; ${describeDifferences(summary)}.${untouched}${left}`,
    describeLooks(summary),
    ...(summary.noted === 0 ? [] : [`Notes: ${count(summary.noted, "text")} ${SHOWN_OTHERWISE}.`]),
    ...(listed === undefined
      ? []
      : [
          `Compared was what this run wrote; ${count(listed, "other item")} the target lists (all are read back with --verify full).`,
        ]),
    ...(summary.differences === 0 ? [] : [WHAT_NOW]),
    ...(report === undefined
      ? []
      : [`The proof is in ${report.file}: ${count(report.items, "item")}, root ${report.root}`]),
  ];
}

/** Texts as a reader sees them, and where they lead. */
function describeLooks({ rendered, unrendered, references, unfollowed }: VerifySummary): string {
  const without = unrendered === 0 ? "" : `, ${unrendered} more without HTML`;
  const open = unfollowed === 0 ? "" : `, ${unfollowed} more that no call gives`;
  return `Also compared as they are shown: ${count(rendered, "text")}${without}. Followed: ${count(references, "reference")}${open}.`;
}

function describeDifferences({ differences, explained }: VerifySummary): string {
  if (differences === 0)
    return explained === 0 ? "no difference" : `no difference but ${explained} that the report names`;
  const named = explained === 0 ? "" : `, and ${explained} that it names`;
  return `${count(differences, "difference")} that the report does not name${named}`;
}

const SHOWN_OTHERWISE = "came back as sent, and the target shows it otherwise than expected";

function describeDifference(what: "different" | "note", { key, at, path, expected, actual }: Difference): string {
  const where = `${key}${at === null ? "" : ` (there: ${at})`}${path === "" ? "" : `, ${path}`}`;
  const [wanted, got] = aroundDifference(jsonOf(expected), jsonOf(actual), SHOWN);
  return `${what}: ${where}\n  should be ${wanted}\n  but is    ${got}`;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}

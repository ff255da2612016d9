import { type FileHandle, open } from "node:fs/promises";
import type { ExitCode } from "../../core/errors.js";
import type { UndoSummary } from "../../sync/undo/undo.js";
import type { Refusal, UndoCounts, UndoPlan } from "../../sync/undo/undo-job.js";
import { indented } from "./describe.js";
import type { Output } from "./output.js";
import { printable } from "./printable.js";
import { count, quoted } from "./words.js";

/** What stays as it is, named one by one on the screen; the file has all. */
const NAMED = 40;

/** Tells of an undo: what stays, what will be done, and what was. */
export interface UndoPrinter {
  refusal(refusal: Refusal): Promise<void>;
  planned(plan: UndoPlan): void;
  end(summary: UndoSummary, isRehearsal: boolean, exitCode: ExitCode): Promise<void>;
  /** What it said so far, to be kept. */
  words(): readonly string[];
  /** May be called twice. */
  close(): Promise<void>;
}

/** `file`: where the list of what stays goes; asked for when there is something to list. */
export function createUndoPrinter(output: Output, file: () => string): UndoPrinter {
  const list = listIn(file);
  const words: string[] = [];
  const say = (line: string): void => {
    words.push(line);
    output.say(line);
  };
  let named: string[] = [];
  let isPlanned = false;
  return {
    refusal: async (refusal) => {
      const line = lineOf(refusal);
      await list.add(line);
      output.event("refusal", { ...refusal, during: isPlanned ? "undo" : "look" });
      if (!isPlanned && named.length < NAMED) named.push(line);
      if (isPlanned) output.warn(`Not undone: ${line}`);
    },
    planned: ({ target, run, counts }) => {
      isPlanned = true;
      const when = run.started === null ? "" : `, started ${new Date(run.started * 1000).toISOString()}`;
      say(`Run ${run.id} (${run.command ?? "unknown"}${when}) at ${target.name}, ${target.root}:`);
      for (const line of describeCounts(counts)) say(`  ${line}`);
      if (counts.refused > 0) say(`${count(counts.refused, "thing")} can't be undone and will stay:`);
      for (const line of named) say(`  ${indented(line)}`);
      if (counts.refused > named.length) say(`  … and ${counts.refused - named.length} more in ${list.path()}`);
      output.event("plan", { run: run.id, target: target.root, counts });
      named = [];
    },
    end: async (summary, isRehearsal, exitCode) => {
      await list.close();
      output.close();
      for (const line of describeEnd(summary, isRehearsal)) say(line);
      if (list.path() !== undefined) say(`What stays is listed in ${list.path()}.`);
      output.event("summary", { exitCode, ...summary, dryRun: isRehearsal, report: list.path() });
    },
    words: () => words,
    close: () => list.close(),
  };
}

function lineOf({ item, thing, id, title, message }: Refusal): string {
  const what = thing === item ? item : `${item}, ${thing}`;
  const where = id === null ? "" : ` (${id} there)`;
  return `${what}${title === "" ? "" : ` ${quoted(title)}`}${where}: ${message}`;
}

function describeCounts({ delete: deleted, putBack, makeAgain, nothing }: UndoCounts): readonly string[] {
  const lines = [
    { number: deleted, words: "it made: to be deleted" },
    { number: putBack, words: "it changed: to become as before" },
    { number: makeAgain, words: "it deleted: to be brought back" },
    { number: nothing, words: "are as before already" },
  ];
  const told = lines
    .filter(({ number }) => number > 0)
    .map(({ number, words }) => `${count(number, "thing")} ${words}`);
  return told.length === 0 ? ["nothing of it can be undone"] : told;
}

function describeEnd({ run, failed, left, writes }: UndoSummary, isRehearsal: boolean): readonly string[] {
  if (run === null) return ["There is nothing to undo."];
  if (isRehearsal) return ["Nothing was changed: this was a rehearsal."];
  const done =
    left === 0
      ? `Run ${run} is undone.`
      : `Run ${run} is undone but for ${count(left, "thing")}, which ${left === 1 ? "stays" : "stay"}.`;
  return [
    ...(failed === 0 ? [] : [`${count(failed, "item")} failed; the same command tries again.`]),
    `${done} ${count(writes, "write")} sent.`,
  ];
}

interface List {
  add(line: string): Promise<void>;
  /** undefined: nothing was listed. */
  path(): string | undefined;
  close(): Promise<void>;
}

/** A file of lines that is made with its first one. */
function listIn(file: () => string): List {
  let path: string | undefined;
  let opened: Promise<FileHandle> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    add: async (line) => {
      path ??= file();
      opened ??= open(path, "w", 0o600);
      const handle = await opened;
      last = last.then(() => handle.write(`${printable(line.replaceAll("\n", " "))}\n`));
      await last;
    },
    path: () => path,
    close: async () => {
      await last;
      const handle = await opened;
      opened = undefined;
      await handle?.close();
    },
  };
}

import { inspect } from "node:util";
import { EXIT, type ExitCode, FerryError, messageOf, StalePlanError, StatusError } from "../core/errors.js";

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "done: every item that was chosen is there; what the service does not support is in the report",
  unexpected: "an unexpected failure: a defect of guideferry",
  usage: "wrong usage or configuration",
  someFailed:
    "finished, but an item failed, was left out or waits for a decision (`guideferry retry`), or a package is refused",
  stopped: "stopped before the end; the same command resumes",
  signInRefused: "a site refused the sign-in",
  differences: "verify found differences, or something is damaged",
  planHasChanges: "the plan has changes (only with --detailed-exitcode)",
  safetyLimit: "a safety brake stopped the run",
  unreachable: "a site can't be reached",
  notFound: "the workspace or repository, what is asked of it, or a file or folder that is named was not found",
  locked: "another run holds the workspace or the repository",
  losses: "all that could go is there, but not what the service does not support (only with --strict)",
  hangUp: "ended by the signal HUP",
  interrupted: "ended by the signal INT (Ctrl-C)",
  terminated: "ended by the signal TERM",
};

export type ExitName = keyof typeof EXIT;

export const COMMON_EXITS: readonly ExitName[] = ["ok", "unexpected", "usage", "hangUp", "interrupted", "terminated"];

export const RUN_EXITS: readonly ExitName[] = [
  "someFailed",
  "stopped",
  "signInRefused",
  "safetyLimit",
  "unreachable",
  "notFound",
  "locked",
];

/**
 * Lines of the help: the number and what it means, in the order of numbers; `done` is what 0 means
 * to a command that moves nothing.
 */
export function exitLines(names: readonly ExitName[], done: string = EXIT_MEANINGS.ok): readonly string[] {
  const meanings = { ...EXIT_MEANINGS, ok: done };
  const rows = names.map((name): readonly [ExitCode, string] => [EXIT[name], meanings[name]]);
  return rows.toSorted(([a], [b]) => a - b).map(([code, meaning]) => `${String(code).padStart(3)}  ${meaning}`);
}

const OWN_MEANINGS: Readonly<Record<string, Partial<Readonly<Record<ExitName, string>>>>> = {
  plan: { ok: "planned: nothing was written to the target", planHasChanges: "planned: the target would be changed" },
  extract: {
    ok: "done: everything that the account may read is in the workspace",
    someFailed: "finished, but some items could not be read, or lack media",
  },
  backup: {
    ok: "done: the snapshot is written, and whole",
    someFailed: "the snapshot is written, but lacks what failed; the next backup tries that first",
  },
  restore: { someFailed: "finished, but not all is as in the snapshot: some of it failed, or was left as edited" },
  undo: {
    ok: "done: everything of the run is undone",
    someFailed: "undone but for what stays or failed, which is named",
  },
  verify: { ok: "done: nothing that was chosen is missing, and nothing differs but what the loss ledger names" },
  "import-training": {
    ok: "done: every package is at the site",
    someFailed: "finished, but packages failed, were refused or passed over, or nobody can tell of them",
  },
};

export function meaningOf(code: number | null, command?: string): string {
  const entry = Object.entries(EXIT).find(([, known]) => known === code);
  if (entry === undefined) return "unknown";
  const name = entry[0] as ExitName;
  return OWN_MEANINGS[command ?? ""]?.[name] ?? EXIT_MEANINGS[name];
}

const GOES_ON: ReadonlySet<ExitCode> = new Set([
  EXIT.stopped,
  EXIT.signInRefused,
  EXIT.safetyLimit,
  EXIT.unreachable,
  EXIT.hangUp,
  EXIT.interrupted,
  EXIT.terminated,
]);

/**
 * Does the same command line, given again, go on after an error that ended it with this code? What
 * has moved meanwhile needs another one.
 */
export function isResumable(error: unknown, exitCode: ExitCode): boolean {
  return GOES_ON.has(exitCode) && !(error instanceof StalePlanError);
}

interface Explanation {
  readonly text: string;
  /** The stack trace; null without `--debug`. */
  readonly trace: string | null;
  readonly exitCode: ExitCode;
}

export function explainError(error: unknown, debug: boolean): Explanation {
  return { text: wordsFor(error, debug), trace: debug ? inspect(error) : null, exitCode: exitCodeOf(error) };
}

/**
 * What a run ends with that an error ended. An error that would be one item's fault, such as a 403,
 * has the code of a run that got to its end with failures; when it ends the run (the site can't
 * even say who it is), the run was stopped instead.
 */
export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof FerryError)) return EXIT.unexpected;
  if (error.exitCode !== EXIT.someFailed) return error.exitCode;
  const siteIsDown = error instanceof StatusError && (error.status >= 500 || error.status === 429);
  return siteIsDown ? EXIT.unreachable : EXIT.stopped;
}

function wordsFor(error: unknown, debug: boolean): string {
  const message = messageOf(error);
  if (error instanceof FerryError) return message;
  const next = debug ? "with what follows" : "after running it again with --debug, which shows where it happened";
  return (
    `Unexpected failure: ${message}\nThis is a defect of guideferry, or of something it relies on. What was done so far ` +
    `is kept. Please report it ${next}.`
  );
}

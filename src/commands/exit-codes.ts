import { inspect } from "node:util";
import { EXIT, type ExitCode, FerryError, messageOf, StalePlanError, StatusError } from "../core/errors.js";

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "done: every chosen item is loaded; what the service does not support is in the report",
  unexpected: "an unexpected failure: a defect of guideferry",
  usage: "wrong usage or configuration",
  someFailed:
    "finished, but an item failed, was left out or needs a decision (`guideferry retry`), or a package was refused",
  stopped: "stopped before the end; run the same command again to continue",
  signInRefused: "the site refused the sign-in",
  differences: "verify found differences, or data is damaged",
  planHasChanges: "the plan has changes (only with --detailed-exitcode)",
  safetyLimit: "a safety limit stopped the run",
  unreachable: "the site cannot be reached",
  notFound: "not found: the workspace, the repository, a requested item, or a named file or folder",
  locked: "another run uses the workspace or the repository",
  losses: "done, but content that the service does not support was lost (only with --strict)",
  leaseLost: "another worker of the fleet took the task over, or the lease was not renewed in time (only in a fleet)",
  hangUp: "stopped by the signal HUP",
  interrupted: "stopped by the signal INT (Ctrl-C)",
  terminated: "stopped by the signal TERM",
};

export type ExitName = keyof typeof EXIT;

const NAMES = Object.keys(EXIT) as readonly ExitName[];

const COMMON_EXITS: readonly ExitName[] = ["ok", "unexpected", "usage", "hangUp", "interrupted", "terminated"];

export const RUN_EXITS: readonly ExitName[] = [
  "someFailed",
  "stopped",
  "signInRefused",
  "safetyLimit",
  "unreachable",
  "notFound",
  "locked",
];

/** The exit codes of a command with their meanings, by number. */
export function exitRows({ exits, done = EXIT_MEANINGS.ok }: Exits): readonly (readonly [ExitCode, string])[] {
  const meanings = { ...EXIT_MEANINGS, ok: done };
  const rows = [...COMMON_EXITS, ...exits].map((name) => [EXIT[name], meanings[name]] as const);
  return rows.toSorted(([a], [b]) => a - b);
}

interface Exits {
  readonly exits: readonly ExitName[];
  /** The meaning of 0, if the command loads no items. */
  readonly done?: string;
}

const OWN_MEANINGS: Readonly<Record<string, Partial<Readonly<Record<ExitName, string>>>>> = {
  plan: { ok: "planned: nothing was written to the target", planHasChanges: "planned: a run would change the target" },
  extract: {
    ok: "done: everything that the account may read is in the workspace",
    someFailed: "finished, but some items or their media could not be read",
  },
  backup: {
    ok: "done: the snapshot is written and complete",
    someFailed: "the snapshot is written without the items that failed; the next backup reads these first",
  },
  restore: {
    someFailed: "finished, but differs from the snapshot: some items failed, or edited items were left as they are",
  },
  undo: {
    ok: "done: the run is undone completely",
    someFailed: "undone, apart from the items that stay or failed; these are listed",
  },
  verify: { ok: "done: no chosen item is missing, and all differences are in the loss ledger" },
  "import-training": {
    ok: "done: every package is on the site",
    someFailed: "finished, but packages failed, were refused or skipped, or have an unknown state",
  },
};

/** The name of an exit code. */
export function outcomeOf(code: ExitCode): ExitName {
  return NAMES.find((name) => EXIT[name] === code) ?? "unexpected";
}

export function meaningOf(code: number | null, command?: string): string {
  const name = NAMES.find((known) => EXIT[known] === code);
  if (name === undefined) return "unknown";
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

/** Does the same command line continue after this error? A stale plan needs a new plan. */
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
 * The exit code of a run that an error ended. An error of one item, such as a 403, has the code of
 * a finished run with failures; where such an error ends the run (the site's own details cannot be
 * read), the run was stopped instead.
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
  const next = debug ? "with the lines below" : "with the output of the same command with --debug";
  return (
    `Unexpected failure: ${message}\nThis is a defect of guideferry, or of a library that it uses. The work done so far ` +
    `is kept. Please report it ${next}.`
  );
}

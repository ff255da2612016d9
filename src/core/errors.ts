/** Exit codes: a part of the public interface. */
export const EXIT = {
  /** Every chosen item is on the target; values that no call takes are in the loss ledger. */
  ok: 0,
  /** An unexpected failure: a defect of guideferry. */
  unexpected: 1,
  usage: 2,
  /** Finished, but an item failed or was left out. */
  someFailed: 3,
  /** Stopped before the end; the same command resumes. */
  stopped: 4,
  signInRefused: 5,
  /** Verify found differences, or data is damaged. */
  differences: 6,
  /** The plan has changes (only with --detailed-exitcode). */
  planHasChanges: 7,
  /** A safety limit or the circuit breaker stopped the run. */
  safetyLimit: 8,
  unreachable: 9,
  notFound: 10,
  /** Another run holds the workspace or the repository. */
  locked: 11,
  losses: 12,
  /** A fleet: another worker may continue the task, so this process writes nothing more. */
  leaseLost: 75,
  /** Ended by SIGHUP, SIGINT, SIGTERM: 128 + the signal's number. */
  hangUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** The exit codes of the commands, which results and errors carry too. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What an error of guideferry carries beside its message. */
export interface ErrorFacts {
  /** May the same call be repeated unchanged? Retry reads only this. */
  readonly retriable?: boolean;
  readonly exitCode?: ExitCode;
  /** The host of media that failed, where it is not the site itself. */
  readonly mediaHost?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The base of every error of guideferry. Any other class is a defect. A message says what happened,
 * to which item, where, and what to do now.
 */
export class FerryError extends Error {
  override readonly name: string = "FerryError";
  readonly retriable: boolean;
  readonly exitCode: ExitCode;
  readonly mediaHost: string | undefined;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.retriable = facts.retriable ?? false;
    this.exitCode = facts.exitCode ?? EXIT.unexpected;
    this.mediaHost = facts.mediaHost ?? (facts.cause instanceof FerryError ? facts.cause.mediaHost : undefined);
  }
}

/** Wrong flags, environment, configuration or location. */
export class UsageError extends FerryError {
  override readonly name = "UsageError";
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: EXIT.usage, ...facts });
  }
}

/** No answer, or a broken one: network, time-out, truncated or invalid body. */
export class ConnectionError extends FerryError {
  override readonly name = "ConnectionError";
  /** True if the site surely never received the request: then a create may be sent again. */
  readonly unsent: boolean;
  constructor(message: string, facts: ErrorFacts & { readonly unsent?: boolean } = {}) {
    super(message, { retriable: true, exitCode: EXIT.unreachable, ...facts });
    this.unsent = facts.unsent ?? false;
  }
}

/** The site answered with a status that the caller did not expect. */
export class StatusError extends FerryError {
  override readonly name = "StatusError";
  readonly status: number;
  /** The parsed JSON or the text; on 409 the current resource (specification, Errors). */
  readonly body: unknown;
  constructor(message: string, facts: ErrorFacts & { readonly status: number; readonly body?: unknown }) {
    super(message, { exitCode: facts.status === 401 ? EXIT.signInRefused : EXIT.someFailed, ...facts });
    this.status = facts.status;
    this.body = facts.body;
  }
}

/**
 * An address in content was refused: it is in guideferry's own network, or has a forbidden scheme.
 * That content is lost; the run goes on.
 */
export class RefusedAddressError extends FerryError {
  override readonly name = "RefusedAddressError";
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: EXIT.someFailed, ...facts });
  }
}

/** A site refused or ended the sign-in. It ends the run. */
export class SignInError extends FerryError {
  override readonly name = "SignInError";
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: EXIT.signInRefused, ...facts });
  }
}

/** A remote edit since the last write: 409 with other content. */
export class ConflictError extends FerryError {
  override readonly name = "ConflictError";
  /** The current resource on the site, from the 409. */
  readonly current: unknown;
  readonly texts: ClashTexts | undefined;
  constructor(message: string, facts: ErrorFacts & { readonly current: unknown; readonly texts?: ClashTexts }) {
    super(message, { exitCode: EXIT.someFailed, ...facts });
    this.current = facts.current;
    this.texts = facts.texts;
  }
}

/** The three versions of a text that two sides edited; null: unknown. */
export interface ClashTexts {
  readonly base: string | null;
  readonly theirs: string | null;
  readonly ours: string | null;
}

/** The workspace is missing, of another source, of a newer format, damaged or locked. */
export class WorkspaceError extends FerryError {
  override readonly name = "WorkspaceError";
}

/** What is wrong or unusual in an archive. */
export interface ArchiveFinding {
  /** `E_ZIP_CRC` refuses the archive, `W_ZIP_GAP` only warns: docs/reference/issue-codes.md. */
  readonly code: string;
  /** The entry's name as printable text; null: the archive as a whole. */
  readonly entry: string | null;
  readonly detail: string;
  /** What a person can do about it, one sentence. */
  readonly remedy: string;
}

/** An archive, or a folder read as one, was refused, or can't be read or written. */
export class ArchiveError extends FerryError {
  override readonly name = "ArchiveError";
  /** Empty if the disk failed, not the archive. */
  readonly findings: readonly ArchiveFinding[];
  constructor(message: string, facts: ErrorFacts & { readonly findings?: readonly ArchiveFinding[] } = {}) {
    super(message, { exitCode: EXIT.someFailed, ...facts });
    this.findings = facts.findings ?? [];
  }
}

/** A safety limit, or the circuit breaker after too many failures. */
export class SafetyLimitError extends FerryError {
  override readonly name = "SafetyLimitError";
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: EXIT.safetyLimit, ...facts });
  }
}

/** The state behind a plan changed: the same command fails again. */
export class StalePlanError extends SafetyLimitError {}

/** A signal or the end of the sign-in stopped the run. Everything done so far is kept. */
export class StoppedError extends FerryError {
  override readonly name = "StoppedError";
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: EXIT.stopped, ...facts });
  }
}

/** A document of a package can't be read: a failure of this item. */
export class DocumentError extends FerryError {
  override readonly name = "DocumentError";

  /** `message`: what is wrong, with file, line and column. */
  constructor(message: string) {
    super(message, { exitCode: EXIT.someFailed });
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

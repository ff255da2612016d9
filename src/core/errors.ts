/** Exit codes: a part of the public interface. */
export const EXIT = {
  /** Every chosen item is there; what the service has no way to take is in the loss ledger. */
  ok: 0,
  /** A failure nobody foresaw: a defect of guideferry. */
  unexpected: 1,
  usage: 2,
  /** Finished, but something that could go failed or was left out. */
  someFailed: 3,
  /** Stopped before the end; the same command resumes. */
  stopped: 4,
  signInRefused: 5,
  /** Verify found differences, or something is damaged. */
  differences: 6,
  /** The plan has changes (only with --detailed-exitcode). */
  planHasChanges: 7,
  /** A safety brake stopped the run. */
  safetyLimit: 8,
  unreachable: 9,
  /** The workspace, archive, repository or snapshot was not found. */
  notFound: 10,
  /** Another run holds the workspace or the repository. */
  locked: 11,
  /** Losses under --strict. */
  losses: 12,
  /** Ended by SIGHUP, SIGINT, SIGTERM: 128 + the signal's number. */
  hangUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What an error knows about itself beside its message. */
export interface ErrorFacts {
  /** May the same call be tried again, unchanged? Retry loops read this and nothing else. */
  readonly retriable?: boolean;
  readonly exitCode?: ExitCode;
  /** The host of media that failed, where it is not the site itself. */
  readonly mediaHost?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The base of every error that guideferry makes. Any other class is a defect. A message says what
 * happened, to which item, where, and what to do now.
 */
export class FerryError extends Error {
  override readonly name: string = "FerryError";
  readonly retriable: boolean;
  readonly exitCode: ExitCode;
  /** See ErrorFacts. */
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
  /** Did the site surely never see the request? Then a create may be sent again. */
  readonly unsent: boolean;
  constructor(message: string, facts: ErrorFacts & { readonly unsent?: boolean } = {}) {
    super(message, { retriable: true, exitCode: EXIT.unreachable, ...facts });
    this.unsent = facts.unsent ?? false;
  }
}

/** The site answered with a status that the caller did not ask to see. */
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
 * An address in content was not asked: it leads into the network that guideferry runs in, or over
 * another scheme. The content there is lost; no run fails for it.
 */
export class RefusedAddressError extends FerryError {
  override readonly name = "RefusedAddressError";
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: EXIT.someFailed, ...facts });
  }
}

/** A site refused or ended the sign-in. It ends a run and is no item's fault. */
export class SignInError extends FerryError {
  override readonly name = "SignInError";
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: EXIT.signInRefused, ...facts });
  }
}

/** A remote edit since our last write: 409 with other content than ours. */
export class ConflictError extends FerryError {
  override readonly name = "ConflictError";
  /** The current resource at the site, as the 409 carried it. */
  readonly current: unknown;
  readonly texts: ClashTexts | undefined;
  constructor(message: string, facts: ErrorFacts & { readonly current: unknown; readonly texts?: ClashTexts }) {
    super(message, { exitCode: EXIT.someFailed, ...facts });
    this.current = facts.current;
    this.texts = facts.texts;
  }
}

/** The whole texts of a clash. */
export interface ClashTexts {
  readonly base: string | null;
  readonly theirs: string | null;
  readonly ours: string | null;
}

/** The workspace is missing, of another source, of a newer format, damaged or locked. */
export class WorkspaceError extends FerryError {
  override readonly name = "WorkspaceError";
}

/** One thing that the archive guard found. */
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
  /** Empty when the disk, not the archive, is at fault. */
  readonly findings: readonly ArchiveFinding[];
  constructor(message: string, facts: ErrorFacts & { readonly findings?: readonly ArchiveFinding[] } = {}) {
    super(message, { exitCode: EXIT.someFailed, ...facts });
    this.findings = facts.findings ?? [];
  }
}

/** A safety brake: going on would do harm, or a run goes wrong as a whole. */
export class SafetyLimitError extends FerryError {
  override readonly name = "BrakeError";
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: EXIT.safetyLimit, ...facts });
  }
}

/** The state that a plan was made of changed: the same command fails again. */
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

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

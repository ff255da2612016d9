import type { Readable } from "node:stream";
import type { ExitCode } from "../core/errors.js";
import type { PauseState } from "../service/http/pause.js";
import type { Redact } from "../service/http/secret.js";
import type { Credentials } from "../service/http/sign-in.js";
import type { ExitName } from "./exit-codes.js";
import type { Environment, Side } from "./options/credential-names.js";
import type { OptionName, Settings } from "./options/table.js";
import type { Output } from "./output/output.js";

/** One command: what the help says of it, what it takes, and what it does. */
export interface Command {
  /** One word, or two: `training check`. */
  readonly name: string;
  /** One line, for the list of commands. */
  readonly about: string;
  readonly arguments: readonly CommandArgument[];
  readonly description: string;
  readonly examples: readonly string[];
  readonly options: readonly OptionName[];
  readonly signsIn: readonly Side[];
  readonly exits: readonly ExitName[];
  /** What exit code 0 means, where it is not about items at a site. */
  readonly done?: string;
  /** Given again, the same command line goes on where a stopped run ended. */
  readonly resumable?: true;
  /** It may take hours: the lines of its log carry the time, as those of resumable commands do. */
  readonly long?: true;
  /** It writes the configuration: what a broken or older one says is of no use to it. */
  readonly writesConfig?: true;
  /**
   * Its result on stdout is content, not words about it: words, and with `--json` the objects, go
   * to stderr.
   */
  readonly contentOnStdout?: (flags: Readonly<Record<"json" | "csv" | "nginx", boolean>>) => boolean;
  /**
   * Loads its libraries by itself, so that the others start fast. Errors end it; the code tells how
   * it went otherwise.
   */
  run(call: CommandCall): Promise<ExitCode>;
}

export interface CommandArgument {
  readonly name: string;
  readonly about: string;
  readonly optional?: true;
  /** The words that it can be. */
  readonly choices?: readonly string[];
  /** One or more; at most one argument of a command is such. */
  readonly many?: true;
}

export interface CommandCall {
  readonly arguments: readonly string[];
  readonly settings: Settings;
  readonly options: readonly OptionName[];
  readonly given: ReadonlySet<OptionName>;
  /** The sign-in of one site; throws UsageError when half of it is there. */
  readonly credentials: (side: Side) => Credentials;
  readonly output: Output;
  readonly stdin: () => Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly environment: Environment;
  readonly version: string;
  /**
   * Also takes these secrets out of everything that is printed from now on: a site's, with those
   * that a login brings.
   */
  readonly hide: (redact: Redact) => void;
  /** Removes all secrets known so far from a text that is stored. */
  readonly redact: Redact;
  /**
   * The command line that goes on, given again, where this one was stopped; null: there is none.
   */
  readonly again: string | null;
  /** Set by `--ui`; absent: the run can't be paused. */
  readonly pause?: PauseState | undefined;
  /** See Control. */
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

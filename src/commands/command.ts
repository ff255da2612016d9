import type { Readable } from "node:stream";
import type { ExitCode } from "../core/errors.js";
import type { Bandwidth } from "../core/util/bandwidth.js";
import type { PauseState } from "../service/http/pause.js";
import type { Redact } from "../service/http/secret.js";
import type { Credentials } from "../service/http/sign-in.js";
import type { StackOptions } from "../service/http/stack.js";
import type { ObserveRequest } from "../service/http/transport.js";
import { type ExitName, outcomeOf } from "./exit-codes.js";
import type { RunNotes } from "./monitoring/run-facts.js";
import type { Environment, Side } from "./options/credential-names.js";
import type { Flags } from "./options/settings.js";
import type { OptionName, OptionTexts, Settings } from "./options/table.js";
import type { Output } from "./output/output.js";

/** The headings of the list of commands, in its order. */
export const COMMAND_GROUPS = [
  "Get started",
  "Move content",
  "Back up and restore",
  "Examine runs and backups",
  "Training packages",
  "Many machines",
  "Tools",
] as const;
type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** One command: its help, its arguments and options, and its work. */
export interface Command {
  /** One word, or two: `training check`. */
  readonly name: string;
  /** Its heading in the list of commands. */
  readonly group: CommandGroup;
  /** `guideferry` alone says what it does; of the other commands it prints the names only. */
  readonly main?: true;
  /** One line of at most 58 characters, for the list of commands. */
  readonly about: string;
  readonly arguments: readonly CommandArgument[];
  readonly description: string;
  readonly examples: readonly string[];
  readonly options: readonly OptionName[];
  readonly optionTexts?: OptionTexts;
  readonly signsIn: readonly Side[];
  readonly exits: readonly ExitName[];
  /** The meaning of exit code 0, if the command loads no items. */
  readonly done?: string;
  /** The same command line continues a stopped run. */
  readonly resumable?: true;
  /** It may take hours: its log lines carry the time, as those of resumable commands do. */
  readonly long?: true;
  /** Milliseconds that it gets to finish after the first signal; default: 30 s. */
  readonly finishWithin?: (settings: Settings) => number;
  /** It writes the configuration, and so ignores an existing one. */
  readonly writesConfig?: true;
  /** Its result on stdout is content: messages, and with `--json` the objects, go to stderr. */
  readonly contentOnStdout?: (flags: Readonly<Record<"json" | "csv" | "nginx", boolean>>) => boolean;
  /**
   * Imports its libraries itself, so that other commands start fast. An error ends the command. A
   * command that is also a function of the library returns its result.
   */
  run(call: CommandCall): Promise<ExitCode | ResultEnd>;
}

/** A command that a fleet may run. */
export interface FleetVerb {
  readonly command: Command;
  /** Its arguments. No other run may use the same site or repository meanwhile. */
  readonly places: readonly ("site" | "repository" | "package")[];
}

export interface CommandArgument {
  readonly name: string;
  readonly about: string;
  readonly optional?: true;
  /** The values that it takes. */
  readonly choices?: readonly string[];
  /**
   * What the configuration fills it with, where the command line does not name it. `compared`: the
   * source, or a repository if there is no target. `content`: a repository, else a workspace.
   * `site`: the site of --as, or the only one.
   */
  readonly from?: "source" | "target" | "workspace" | "repository" | "compared" | "content" | "site";
  /** It changes or deletes what is there: only a dry run takes it from the configuration. */
  readonly onlyDryRun?: true;
  /** One or more; at most one argument of a command. */
  readonly many?: true;
}

export interface CommandCall {
  readonly arguments: readonly string[];
  /** Whose site each argument is, where the configuration gave them. Default: nobody knows. */
  readonly sides?: readonly Side[] | undefined;
  readonly settings: Settings;
  readonly options: readonly OptionName[];
  readonly given: ReadonlySet<OptionName>;
  /** The flags as texts, for a command that passes them on; absent: there is no command line. */
  readonly flags?: Flags;
  /** The sign-in of one site. Throws UsageError for an e-mail address without password. */
  readonly credentials: (side: Side) => Credentials;
  readonly output: Output;
  readonly stdin: () => Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly environment: Environment;
  readonly version: string;
  /** From now on also removes these secrets from the output: a site's, and those of a login. */
  readonly hide: (redact: Redact) => void;
  /** Removes all known secrets from a text that is stored. */
  readonly redact: Redact;
  /** The command line that continues this run after a stop; null: none does. */
  readonly again: string | null;
  /** Takes facts of the run for its notifications, metrics and log; absent: nobody wants them. */
  readonly monitor?: RunNotes | undefined;
  /** Told of each request; absent: nobody wants to know. */
  readonly observe?: ObserveRequest | undefined;
  /** Shared by all transfers of files of this run; absent: no limit. */
  readonly bandwidth?: Bandwidth | undefined;
  /** Of a run for a task of a fleet, for the connections of sites; absent: it is none. */
  readonly fleet?: Pick<StackOptions, "gate" | "budget"> | undefined;
  /** Set by `--ui`; absent: the run can't be paused. */
  readonly pause?: PauseState | undefined;
  /** See Control. */
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

/** How a command ended, in every result of the library and in the object `summary` of `--json`. */
export interface ResultEnd {
  /** The exit code of the command. */
  readonly exitCode: ExitCode;
  /** The same as a word: `ok`, or for example `someFailed`. */
  readonly outcome: ExitName;
}

/** What is known at the end of every run on a workspace. */
export interface RunEnd extends ResultEnd {
  /** The id of the run in the log of its workspace: `20261120T220000-a1b2c3`. */
  readonly runId: string;
  /** The absolute path of the workspace. */
  readonly workspace: string;
  /** Seconds from the start of the run to its end, its report included. */
  readonly elapsedSeconds: number;
  /** The path of the run's report as a page; null: it has none (a plan, or nothing to do). */
  readonly htmlReport: string | null;
  /** The path of the same report for programs; null: it has none. */
  readonly jsonReport: string | null;
}

/** The result of a command; prints it as the object `summary`. */
export function tellEnd<Facts extends object>(output: Output, facts: Facts, exitCode: ExitCode): Facts & ResultEnd {
  const result = { exitCode, outcome: outcomeOf(exitCode), ...facts };
  output.event("summary", result);
  return result;
}

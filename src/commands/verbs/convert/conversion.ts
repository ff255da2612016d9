import type { ConvertOptions } from "../../../../transforms/convert/convert.js";
import {
  formatOfFile,
  SOURCE_FORMATS,
  type SourceFormat,
  TARGET_FORMATS,
  type TargetFormat,
} from "../../../../transforms/convert/formats.js";
import { UsageError } from "../../../errors.js";
import type { Settings } from "../../options/table.js";

/** What is converted from where to where. */
export interface Conversion {
  /** undefined: stdin. */
  readonly input: string | undefined;
  /** undefined: stdout. */
  readonly output: string | undefined;
  /** How the input is called in messages. */
  readonly name: string;
  readonly options: ConvertOptions & Required<Pick<ConvertOptions, "context">>;
}

/** Stands for stdin, and for stdout. */
const STREAM = "-";

const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\//i;

/** Reads what a command line asks for, with formats by the files' endings where it names none. Throws UsageError. */
export function conversionOf(argument: string, settings: Settings): Conversion {
  const { from, to, output, line, origin, ndjson } = settings;
  if (ADDRESS.test(argument)) {
    throw new UsageError(
      `${argument} is an address, and a file is needed: fetch it first, as with curl, and convert - .`,
    );
  }
  const fromEnding = ndjson ? undefined : formatOfFile(argument, SOURCE_FORMATS);
  const toEnding = ndjson || output === null ? undefined : formatOfFile(output, TARGET_FORMATS);
  return {
    input: argument === STREAM ? undefined : argument,
    output: output === STREAM ? undefined : (output ?? undefined),
    name: argument === STREAM ? "stdin" : argument,
    options: {
      from: from ?? fromEnding ?? unnamed(argument, ndjson),
      to: to ?? toEnding ?? unnamedTarget(output, ndjson),
      context: line ? "line" : "page",
      ...(origin === null ? {} : { origin }),
    },
  };
}

function unnamed(argument: string, ndjson: boolean): SourceFormat {
  const reason = ndjson ? "With --ndjson no ending says" : `Nothing about ${JSON.stringify(argument)} says`;
  throw new UsageError(`${reason} what is read. Name it: --from ${SOURCE_FORMATS.join("|")}.`);
}

function unnamedTarget(output: string | null, ndjson: boolean): TargetFormat {
  const reason = output === null || ndjson ? "Nothing says" : `The ending of ${JSON.stringify(output)} does not say`;
  throw new UsageError(`${reason} what to write. Name it: --to ${TARGET_FORMATS.join("|")}.`);
}

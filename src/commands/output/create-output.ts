import { humanOutput } from "./human-output.js";
import { jsonOutput } from "./json-output.js";
import type { Output, OutputOptions } from "./output.js";
import type { Writer } from "./writer.js";

/** An output over stdout and stderr, for people or for programs. */
export function createOutput(options: OutputOptions, out: Writer, error: Writer): Output {
  return options.json ? jsonOutput(options, out, error) : humanOutput(options, out, error);
}

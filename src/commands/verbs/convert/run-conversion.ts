import { EXIT, type ExitCode } from "../../../core/errors.js";
import type { CommandCall } from "../../command.js";
import { printIssues } from "../../output/print-issues.js";
import { count } from "../../output/words.js";
import { type Conversion, conversionOf, type DocumentConversion } from "./conversion.js";
import { convertLines, type Tally } from "./convert-lines.js";
import { type ConvertedFile, convertDocument, convertText, isItemJson } from "./convert-text.js";
import { readInput } from "./read-input.js";
import { splitLines } from "./split-lines.js";
import { refuseOutput, writeFileWhole } from "./write-output.js";
import { writeStream } from "./write-stream.js";

/** Converts what a command line names, to the exit code. Throws UsageError for what can't be read, converted or written. */
export async function runConversion(call: CommandCall): Promise<ExitCode> {
  const { settings, stdin, stdout, stop } = call;
  const conversion = conversionOf(call.arguments[0] ?? "", settings);
  const { input, output } = conversion;
  if (output !== undefined) await refuseOutput(output, input);
  const tally: Tally = { lines: 0, failed: 0, losses: 0 };
  const chunks = readInput(input, stdin, stop);
  const texts = isOfLines(conversion, settings)
    ? convertLines(splitLines(chunks), conversion, tally)
    : convertWhole(chunks, conversion, call, tally);
  await (output === undefined ? writeStream(stdout, texts) : writeFileWhole(output, texts));
  if (tally.failed > 0) {
    const all = count(tally.lines, "line");
    call.output.warn(`${tally.failed} of ${all} could not be converted; each has an object with "error" in its place.`);
    return EXIT.someFailed;
  }
  return settings.strict && tally.losses > 0 ? EXIT.losses : EXIT.ok;
}

function isOfLines(
  conversion: Conversion | DocumentConversion,
  { ndjson }: CommandCall["settings"],
): conversion is Conversion {
  return ndjson && "options" in conversion;
}

/** One text, held whole. Its issues are told before it is written, so that they are seen when nobody takes it. */
async function* convertWhole(
  chunks: AsyncIterable<Buffer>,
  conversion: Conversion | DocumentConversion,
  { output, settings }: CommandCall,
  tally: Tally,
): AsyncGenerator<string> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  const bytes = Buffer.concat(all);
  const { text, issues, source } = await converted(bytes, conversion);
  tally.losses = issues.filter(({ level }) => level !== "note").length;
  printIssues(issues, { name: conversion.name, source }, output, settings);
  yield text;
}

function converted(bytes: Buffer, conversion: Conversion | DocumentConversion): ConvertedFile | Promise<ConvertedFile> {
  if ("document" in conversion) return convertDocument(bytes, conversion);
  const { name, orDocument } = conversion;
  return orDocument !== undefined && isItemJson(bytes)
    ? convertDocument(bytes, { name, document: orDocument })
    : convertText(bytes, conversion);
}

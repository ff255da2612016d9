import { PassThrough } from "node:stream";
import type { Output, OutputOptions } from "../../../../src/commands/output/output.js";
import { createOutput } from "../../../../src/commands/output/output.js";
import { createWriter } from "../../../../src/commands/output/writer.js";
import type { ProgressEvent } from "../../../../src/sync/control.js";

const PLAIN: OutputOptions = { json: false, quiet: false, verbose: false, progress: true, dated: false };
export const EVENT: ProgressEvent = { stage: "extract", done: 1, total: 3, failed: 0 };

/** What an output prints, with `secret` as the secret. */
export function printed(
  options: Partial<OutputOptions>,
  use: (output: Output) => void,
  { terminal = false, environment = {} }: { terminal?: boolean; environment?: Record<string, string> } = {},
): { readonly out: string; readonly error: string } {
  const streams = [new PassThrough(), new PassThrough()].map((stream) => Object.assign(stream, { isTTY: terminal }));
  const [out, error] = streams.map((stream) =>
    createWriter(stream, (text) => text.replaceAll("secret", "[secret]"), environment),
  );
  if (out === undefined || error === undefined) throw new Error("two streams, two writers");
  const output = createOutput({ ...PLAIN, ...options }, out, error);
  use(output);
  output.close();
  const text = streams.map(readAll);
  return { out: text[0] ?? "", error: text[1] ?? "" };
}

/** Something of each sort. */
export function everything(output: Output): void {
  output.say("a result with a secret");
  output.table(["kind", "count"], [["guide", 12]]);
  output.event("summary", { text: "secret" });
  output.note("a note");
  output.warn("a warning");
  output.request("GET secret");
  output.progress(EVENT);
  output.fail("a failure", 3);
}

/** From Node 26 on, a read gives one chunk, not all of them. */
function readAll(stream: PassThrough): string {
  let text = "";
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) text += String(chunk);
  return text;
}

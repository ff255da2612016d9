import { createStack } from "../../../src/service/http/stack.js";
import { createOriginBudget } from "../../../src/storage/workspace/origin-budget.js";

// Asks a site for as much as the rate allows. Arguments: its port, starts a second, milliseconds, a
// folder for what is shared with others.

const [port, rate, milliseconds, base = ""] = process.argv.slice(2);
const starts: number[] = [];
const stack = createStack({
  onStart: (startedAt) => starts.push(startedAt),
  root: `http://127.0.0.1:${port}/api/2.0`,
  credentials: { kind: "none" },
  variables: "GUIDEFERRY_SOURCE",
  concurrency: 64,
  rate: Number(rate),
  environment: {},
  ...(base === "" ? {} : { budget: createOriginBudget({ base, warn: (text) => process.stderr.write(`${text}\n`) }) }),
});
const end = new AbortController();
setTimeout(() => end.abort(new Error("over")), Number(milliseconds));
const ask = async (): Promise<void> => {
  while (!end.signal.aborted) await stack.client.get("site", {}, end.signal);
};
await Promise.allSettled(Array.from({ length: 64 }, ask));
await stack.close();
process.send?.(starts, () => process.exit(0));

import { corpora } from "./corpus.js";
import { measure } from "./measure.js";
import { operationsOn } from "./operations.js";
import { type Row, tableOf } from "./table.js";

/**
 * `npm run bench -- convert [WORD]` measures the operations whose names have the given word in
 * them, or all.
 */
export function benchConversions(wanted: string): void {
  for (const corpus of corpora()) {
    const size = Math.round(Buffer.byteLength(corpus.wiki) / 1000);
    process.stdout.write(`${corpus.name}: ${size} kB of wiki text\n\n`);
    const operations = operationsOn(corpus).filter(({ name }) => name.includes(wanted));
    const rows = operations.map((operation): Row => ({ operation: operation.name, speeds: measure(operation) }));
    process.stdout.write(`${tableOf(rows)}\n\n`);
  }
}

/**
 * JSON with a line for each value, two blanks a level. Numbers and texts stay as they are written, which reading and writing them anew would not do
 * (`12345678901234567890`, `1.0`). `text` has to be JSON.
 */
export function laidOut(text: string): string {
  let out = "";
  let depth = 0;
  let before = "";
  for (const [token] of text.matchAll(TOKENS)) {
    const closes = token === "}" || token === "]";
    if (closes) depth -= 1;
    if (startsLine(before, closes)) out += `\n${"  ".repeat(depth)}`;
    out += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth += 1;
    before = token;
  }
  return `${out}\n`;
}

/** An empty list or object stays in its line. */
function startsLine(before: string, closes: boolean): boolean {
  const opened = before === "{" || before === "[";
  return closes ? !opened : opened || before === ",";
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** What the library prints while it works: it knows no other way to answer than `console.log`. */
export function printedLines(work: () => void): readonly string[] {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: unknown) => void lines.push(String(line));
  try {
    work();
  } finally {
    console.log = log;
  }
  return lines;
}

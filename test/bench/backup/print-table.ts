/** A Markdown table; numbers stand to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((cells) => cells[at]?.length ?? 0)));
  const rule = widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  const lines = [head, rule, ...rows].map((cells) => {
    const padded = widths.map((width, at) =>
      at === 0 ? (cells[at] ?? "").padEnd(width) : (cells[at] ?? "").padStart(width),
    );
    return `| ${padded.join(" | ")} |`;
  });
  process.stdout.write(`${lines.join("\n")}\n\n`);
}

export function seconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} s`;
}

export function megabytes(bytes: number | undefined): string {
  if (bytes === undefined) return "";
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** How many times one thing is another; empty where there is no other. */
export function times(value: number, other: number | undefined): string {
  return other === undefined || other === 0 ? "" : `×${(value / other).toFixed(2)}`;
}

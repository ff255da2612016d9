import { writeFile } from "node:fs/promises";
import { printable } from "../output/printable.js";
import type { Session } from "./session.js";

/** Leaves what a run said at its end in its folder, for whoever looks later and for its page; returns where. */
export async function keepWords({ call, workspace }: Session, lines: readonly string[]): Promise<string> {
  const file = workspace.reportFile("summary.txt");
  await writeFile(file, `${printable(call.redact(lines.join("\n")))}\n`, { mode: 0o600 });
  return file;
}

/** What a run without a source reads from, by its command. */
const READ_FROM: Readonly<Record<string, string>> = { "import-training": "Training packages" };

/** What stands in the place of a source's name, where the workspace knows none. */
export function noSource(command: string): string {
  return READ_FROM[command] ?? "Nothing was read yet";
}

/** One package that a list names. */
export interface ListEntry {
  /** `list.csv:12`, `list.json, entry 3`: where it stands, for messages. */
  readonly where: string;
  /** A path, or an address; as written, without white space around it. Never empty. */
  readonly text: string;
  /** The module that it shall be a new version of; null: not told. */
  readonly module: string | null;
}

/** What a list says; it is used only where `faults` is empty. */
export interface ReadList {
  readonly entries: readonly ListEntry[];
  /** Each with file and line. */
  readonly faults: readonly string[];
}

/** Names of columns and keys that hold the package; the first one with a value counts. */
const PACKAGE_KEYS = ["path", "file", "package", "url", "source"] as const;

/** Does one of these names the package? Letter case and white space don't count. */
export function hasPackageKey(names: readonly string[]): boolean {
  const lower = new Set(names.map(keyOf));
  return PACKAGE_KEYS.some((name) => lower.has(name));
}

/** The entry that named values make; a string is what is wrong with them, without the place. */
export function entryOf(values: ReadonlyMap<string, unknown>, where: string): ListEntry | string {
  const text = PACKAGE_KEYS.map((name) => textOf(values.get(name))).find((value) => value !== "");
  if (text === undefined) return `it names no package: one of ${PACKAGE_KEYS.join(", ")} must have a value`;
  const module = textOf(values.get("module"));
  return { where, text, module: module === "" ? null : module };
}

export function keyOf(name: string): string {
  return name.trim().toLowerCase();
}

function textOf(value: unknown): string {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" ? value.trim() : "";
}

import type { Key } from "../core/model/key.js";
import type { Workspace } from "../storage/workspace/workspace.js";

type Items = Pick<Workspace, "items">;

/**
 * The item that remembers complete extracts. What changes stands in its entry (`revision`), not in its file: to remember is no new
 * content.
 */
export const EXTRACT_RECORD: Key = "record/extract";

/** What extracts of everything leave for the next one. */
export interface ExtractMemory {
  /** UNIX seconds at which the last complete one began; lists without tokens are asked for what changed since. Null: there was none. */
  readonly since: number | null;
  /** Complete ones until now, see `extract-turns.ts`. */
  readonly nights: number;
  /** When the one began that is not complete yet; null: the last one is. */
  readonly begun: number | null;
}

/** What is remembered in a workspace. An older guideferry wrote `since` only. */
export function extractMemory({ items }: Items): ExtractMemory {
  const [, since, nights, begun] = /^(\d*)(?:\/(\d+)\/(\d*))?$/.exec(items.entry(EXTRACT_RECORD)?.revision ?? "") ?? [];
  return { since: numberOr(since, null), nights: numberOr(nights, 0), begun: numberOr(begun, null) };
}

/** An extract of everything begins. Gives when it began first, if it was broken off since. */
export async function rememberBegin(workspace: Items, startedAt: number): Promise<number> {
  const { since, nights, begun } = extractMemory(workspace);
  if (begun !== null) return begun;
  await remember(workspace, { since, nights, begun: startedAt }, since ?? startedAt);
  return startedAt;
}

/** An extract of everything is complete. */
export async function rememberCompleteExtract(workspace: Items, startedAt: number): Promise<void> {
  const { nights } = extractMemory(workspace);
  await remember(workspace, { since: startedAt, nights: nights + 1, begun: null }, startedAt);
}

async function remember({ items }: Items, memory: ExtractMemory, readAt: number): Promise<void> {
  if (items.entry(EXTRACT_RECORD) === undefined) await items.put(OWN_RECORD);
  const revision = `${memory.since ?? ""}/${memory.nights}/${memory.begun ?? ""}`;
  items.compared(EXTRACT_RECORD, { revision, readAt });
}

const OWN_RECORD = {
  key: EXTRACT_RECORD,
  kind: "record",
  revision: "",
  raw: null,
  media: [],
  translations: [],
  issues: [],
  body: { path: "extract", query: {}, status: 200, readAt: 0, answer: null },
} as const;

function numberOr<T>(digits: string | undefined, fallback: T): number | T {
  return digits === undefined || digits === "" ? fallback : Number(digits);
}

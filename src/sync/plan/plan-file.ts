import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { UsageError } from "../../core/errors.js";
import { keySchema } from "../../core/model/identity.js";
import { issueSchema } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import { objectIn } from "../../core/util/json.js";
import { jsonText } from "../../core/util/printable-text.js";
import { replaceAtomically } from "../../storage/archive/atomic-file.js";
import { diskError, onDisk } from "../../storage/archive/disk-error.js";
import type { ItemEntry } from "../../storage/workspace/item-store.js";
import type { LoadJob } from "../load/load-job.js";
import type { PlannedItem } from "../load/planned-item.js";
import { TRANSFORMED } from "../load/transform-preview.js";
import type { LargePlan } from "./plan.js";

/** Raised by a change that an older guideferry would apply wrongly. */
const PLAN_VERSION = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const headSchema = z.strictObject({
  guideferry: z.string(),
  /** ISO 8601, UTC. */
  madeAt: z.string(),
  workspace: z.strictObject({ directory: z.string(), root: z.string(), siteId: z.string().nullable() }),
  /** What was extracted first: a site by its API root, documents by their path; null: nothing. */
  read: z.union([z.strictObject({ site: z.string() }), z.strictObject({ documents: z.string() })]).nullable(),
  target: z.strictObject({ root: z.string(), siteId: z.string().nullable() }),
  choices: z.record(z.string(), z.unknown()),
  transforms: z.array(z.strictObject({ name: z.string(), digest: sha256 })),
  counts: z.record(z.string(), z.number()),
  requests: z.number(),
  /** Over key and digest of every chosen item. */
  sourceHash: sha256,
  /** Over the places on the target that are written or must not exist. */
  targetHash: sha256,
});
export type PlanHead = Readonly<z.infer<typeof headSchema>>;

const firstLineSchema = z.strictObject({ guideferryPlan: z.number(), head: headSchema, sources: z.tuple([]) });

const partSchema = z.tuple([keySchema, z.string()]);

const rowSchema = z.strictObject({
  key: keySchema,
  title: z.string(),
  action: z.enum(["create", "change", "leave", "refuse", "adopt", "delete", "gone"]),
  because: z.string().nullable(),
  operations: z.array(
    z.strictObject({
      id: z.string(),
      item: keySchema,
      hash: z.string(),
      label: z.string(),
      creates: z.boolean(),
      requests: z.number().int().nonnegative(),
    }),
  ),
  places: z.array(z.strictObject({ key: keySchema, id: z.string(), token: z.string().nullable() })),
  edited: z.array(keySchema),
  requests: z.number().int().nonnegative(),
  issues: z.array(issueSchema),
});
export type PlanRow = Readonly<z.infer<typeof rowSchema>>;

const ITEMS_LINE = '],"items":[';
const lastLine = (digest: string): string => `],"digest":"${digest}"}`;

export interface PlanFile {
  readonly path: string;
  readonly head: PlanHead;
  /** Of its content. The ledger records it when the plan is applied. */
  readonly digest: string;
}

export interface PlanReader {
  part?(key: Key, digest: string): void;
  row?(row: PlanRow): void;
}

/**
 * Reads a plan line by line. Throws UsageError when it is damaged, edited, or of another version,
 * and ArchiveError when the disk fails.
 */
export async function readPlanFile(path: string, reader: PlanReader = {}): Promise<PlanFile> {
  const hash = createHash("sha256");
  const state: ParseContext = { path, list: "none", head: undefined, digest: undefined };
  try {
    const input = createReadStream(path, "utf8");
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (state.digest !== undefined) throw damaged(path, "it has content after its last line");
      if (state.list === "items" && line.startsWith(END)) state.digest = endOf(path, line, hash.digest("hex"));
      else {
        hash.update(`${line}\n`);
        readLine(state, line, reader);
      }
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EISDIR") throw strange(path, "it is a folder");
    throw diskError(error, `reading ${path}`);
  }
  const { head, digest } = state;
  if (head === undefined || digest === undefined) throw damaged(path, "its last line is missing");
  return { path, head, digest };
}

interface ParseContext {
  readonly path: string;
  list: "none" | "sources" | "items";
  head: PlanHead | undefined;
  digest: string | undefined;
}

const END = '],"digest":';

function endOf(path: string, line: string, digest: string): string {
  if (line === lastLine(digest)) return digest;
  throw damaged(path, "its content does not match the digest in its last line");
}

function readLine(state: ParseContext, line: string, reader: PlanReader): void {
  if (state.list === "none") {
    state.head = headIn(state.path, line);
    state.list = "sources";
  } else if (line === ITEMS_LINE) {
    if (state.list === "items") throw damaged(state.path, "its lists are in the wrong order");
    state.list = "items";
  } else if (state.list === "sources") {
    const [key, digest] = parsed(state.path, partSchema, line);
    reader.part?.(key, digest);
  } else {
    reader.row?.(parsed(state.path, rowSchema, line));
  }
}

function headIn(path: string, line: string): PlanHead {
  const json = firstIn(path, `${line}]}`);
  const version = objectIn(json)["guideferryPlan"];
  if (version === undefined) throw strange(path, NO_PLAN);
  if (version !== PLAN_VERSION) {
    throw new UsageError(
      `${path} is a plan of version ${JSON.stringify(version)}, and this guideferry applies version ${PLAN_VERSION}. Make a new plan: guideferry plan … -o ${path}`,
    );
  }
  const head = firstLineSchema.safeParse(json);
  if (!head.success) throw damaged(path, "its first line is not the first line of a plan");
  return head.data.head;
}

function parsed<T>(path: string, schema: z.ZodType<T>, line: string): T {
  const result = schema.safeParse(jsonIn(path, line.endsWith(",") ? line.slice(0, -1) : line));
  if (result.success) return result.data;
  throw damaged(path, `one line is not a line of a plan: ${line.slice(0, 80)}`);
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw damaged(path, "one line is not complete JSON");
  }
}

const NO_PLAN = "it does not begin like a plan";

function firstIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw strange(path, NO_PLAN);
  }
}

/**
 * The file was never a plan and may be valuable, so the message does not suggest to overwrite it.
 */
function strange(path: string, why: string): UsageError {
  return new UsageError(
    `${path} is not a plan that can be applied: ${why}. Nothing was written. Check the path: a plan is a file that guideferry plan … -o FILE wrote.`,
  );
}

function damaged(path: string, why: string): UsageError {
  return new UsageError(
    `${path} is not a plan that can be applied: ${why}. It is damaged, or somebody edited it. Nothing was written. Make a new plan: guideferry plan … -o ${path}`,
  );
}

type PlanMaking = Omit<PlanHead, "workspace" | "target" | "counts" | "requests" | "sourceHash" | "targetHash">;

/**
 * Writes a plan with mode 0600, completely or not at all. Throws ArchiveError when the disk fails.
 */
export function writePlanFile(file: string, plan: LargePlan, making: PlanMaking): Promise<void> {
  return writeTextFile(file, linesOf(plan, making), (digest) => `${lastLine(digest)}\n`);
}

function* linesOf(plan: LargePlan, making: PlanMaking): Generator<string> {
  const { job, counts, requests } = plan;
  const { root, siteId } = job.source;
  const head: PlanHead = {
    ...making,
    workspace: { directory: job.workspace.directory, root, siteId },
    target: { root: job.survey.identity.root, siteId: job.survey.identity.siteId },
    counts,
    requests,
    sourceHash: hashOf(sourceLines(plan)),
    targetHash: hashOf(placeLines(plan)),
  };
  const first = jsonText({ guideferryPlan: PLAN_VERSION, head });
  yield `${first.slice(0, -1)},"sources":[\n`;
  yield* separated(sourceLines(plan));
  yield `${ITEMS_LINE}\n`;
  yield* separated(itemLines(plan));
}

function* sourceLines({ job }: LargePlan): Generator<string> {
  for (const { key, digest } of partsOf(job)) yield jsonText([key, digest]);
}

function* placeLines(plan: LargePlan): Generator<string> {
  for (const { places } of plan.items()) for (const place of places) yield jsonText(place);
}

function* itemLines(plan: LargePlan): Generator<string> {
  for (const item of plan.items()) yield jsonText(rowOf(item));
}

function rowOf({ steps: _steps, kinds: _kinds, ...row }: PlannedItem): object {
  return row;
}

function* separated(lines: Iterable<string>): Generator<string> {
  let isFirst = true;
  for (const line of lines) {
    yield isFirst ? line : `,\n${line}`;
    isFirst = false;
  }
  if (!isFirst) yield "\n";
}

function hashOf(lines: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const line of lines) hash.update(`${line}\n`);
  return hash.digest("hex");
}

type Part = Pick<ItemEntry, "key" | "digest" | "title">;

function* partsOf(job: Pick<LoadJob, "workspace" | "options">): Generator<Part> {
  for (const { key, kind, state, digest, title } of job.workspace.items.entries()) {
    if (kind === "record" || state === "gone") continue;
    const isChosen = job.options.selected?.has(key) ?? true;
    if (isChosen || !TRANSFORMED.includes(kind)) yield { key, digest, title };
  }
}

export interface Moved {
  readonly key: Key;
  readonly title: string;
  /** `changed`, `is new`, `was deleted`. */
  readonly how: string;
}

/** `known`: the digest in the plan; `planned`: all its keys. */
export function* movedAtSource(
  job: Pick<LoadJob, "workspace" | "options">,
  known: (key: Key) => string | undefined,
  planned: Iterable<Key>,
): Generator<Moved> {
  for (const { key, digest, title } of partsOf(job)) {
    const before = known(key);
    if (before !== digest) yield { key, title, how: before === undefined ? "is new" : "changed" };
  }
  const { items } = job.workspace;
  for (const key of planned) {
    const entry = items.entry(key);
    if (entry === undefined || entry.state === "gone") yield { key, title: entry?.title ?? key, how: "was deleted" };
  }
}

const PIECE = 64 * 1024;

/**
 * Writes a text with mode 0600, completely or not at all. `end` makes the last line from the
 * sha256. Throws ArchiveError when the disk fails.
 */
export async function writeTextFile(
  file: string,
  pieces: Iterable<string>,
  end: (digest: string) => string = () => "",
): Promise<void> {
  const doing = `writing ${file}`;
  await replaceAtomically(file, doing, async (temporary) => {
    const handle = await onDisk(doing, open(temporary, "wx", 0o600));
    const hash = createHash("sha256");
    const write = async (text: string): Promise<void> => {
      hash.update(text);
      await onDisk(doing, handle.appendFile(text));
    };
    try {
      let waiting = "";
      for (const piece of pieces) {
        waiting += piece;
        if (waiting.length < PIECE) continue;
        await write(waiting);
        waiting = "";
      }
      await write(waiting);
      await onDisk(doing, handle.appendFile(end(hash.digest("hex"))));
      await onDisk(doing, handle.sync());
    } finally {
      await handle.close();
    }
  });
}

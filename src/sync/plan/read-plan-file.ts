import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { z } from "zod";
import { diskError } from "../../storage/archive/disk-error.js";
import { UsageError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import {
  firstLineSchema,
  ITEMS_LINE,
  lastLine,
  PLAN_VERSION,
  type PlanHead,
  type PlanRow,
  partSchema,
  rowSchema,
} from "./plan-file.js";

/** A plan that was read whole, and is as it was written. */
export interface PlanFile {
  readonly path: string;
  readonly head: PlanHead;
  /** Of its content; known to the target's ledger once it is applied. */
  readonly digest: string;
}

/** Takes what a plan holds, in the order of the file. */
export interface PlanReader {
  part?(key: Key, digest: string): void;
  row?(row: PlanRow): void;
}

/**
 * Reads a plan, a line at a time, and gives its rows to whoever takes them. Throws UsageError when it is damaged, was edited, or is of
 * another version, and ArchiveError when the disk refuses.
 */
export async function readPlanFile(path: string, reader: PlanReader = {}): Promise<PlanFile> {
  const hash = createHash("sha256");
  const state: Reading = { path, list: "none", head: undefined, digest: undefined };
  try {
    const input = createReadStream(path, "utf8");
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (state.digest !== undefined) throw damaged(path, "there is something behind its end");
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
  if (head === undefined || digest === undefined) throw damaged(path, "its end is missing");
  return { path, head, digest };
}

interface Reading {
  readonly path: string;
  list: "none" | "sources" | "items";
  head: PlanHead | undefined;
  digest: string | undefined;
}

const END = '],"digest":';

function endOf(path: string, line: string, digest: string): string {
  if (line === lastLine(digest)) return digest;
  throw damaged(path, "its content is not that of the digest at its end");
}

function readLine(state: Reading, line: string, reader: PlanReader): void {
  if (state.list === "none") {
    state.head = headIn(state.path, line);
    state.list = "sources";
  } else if (line === ITEMS_LINE) {
    if (state.list === "items") throw damaged(state.path, "its lists are mixed up");
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
  const version: unknown = typeof json === "object" && json !== null ? Reflect.get(json, "guideferryPlan") : undefined;
  if (version === undefined) throw strange(path, OTHERWISE);
  if (version !== PLAN_VERSION) {
    throw new UsageError(
      `${path} is a plan of version ${JSON.stringify(version)}, and this guideferry carries out version ${PLAN_VERSION}. Make a new plan: guideferry plan … -o ${path}`,
    );
  }
  const head = firstLineSchema.safeParse(json);
  if (!head.success) throw damaged(path, "its first line is not that of a plan");
  return head.data.head;
}

function parsed<T>(path: string, schema: z.ZodType<T>, line: string): T {
  const result = schema.safeParse(jsonIn(path, line.endsWith(",") ? line.slice(0, -1) : line));
  if (result.success) return result.data;
  throw damaged(path, `a line of it is not that of a plan: ${line.slice(0, 80)}`);
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw damaged(path, "a line of it is no JSON, or not all of it");
  }
}

const OTHERWISE = "it does not begin as a plan does";

function firstIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw strange(path, OTHERWISE);
  }
}

/** It was never one, and may be worth more than one: nobody is told to write over it. */
function strange(path: string, why: string): UsageError {
  return new UsageError(
    `${path} is no plan that can be carried out: ${why}. Nothing was written. Check the path: a plan is the file that guideferry plan … -o FILE wrote.`,
  );
}

function damaged(path: string, why: string): UsageError {
  return new UsageError(
    `${path} is no plan that can be carried out: ${why}. It is damaged, or was edited by hand. Nothing was written. Make a new plan: guideferry plan … -o ${path}`,
  );
}

import { readFile } from "node:fs/promises";
import { z } from "zod";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import { siteSchema } from "../../core/model/identity.js";
import { storageError } from "../storage-error.js";
import type { Layout } from "./layout.js";
import { writeDurably } from "./layout.js";

/** Raised by every change that an older guideferry would misread; see docs/design/workspace.md. */
const FORMAT = 1;

const stampSchema = z.object({
  format: z.literal(FORMAT),
  madeBy: z.string(),
  /** ISO time. */
  created: z.string(),
  source: siteSchema.nullable(),
});
const anyFormatSchema = z.object({ format: z.number(), madeBy: z.string().optional() });

export type Stamp = Readonly<z.infer<typeof stampSchema>>;

export function newStamp(madeBy: string): Stamp {
  return { format: FORMAT, madeBy, created: new Date().toISOString(), source: null };
}

/** Returns the text of the file. */
export async function writeStamp(layout: Layout, stamp: Stamp): Promise<string> {
  const text = `${JSON.stringify(stamp, null, 2)}\n`;
  await writeDurably(layout, layout.stamp, text);
  return text;
}

/** Throws WorkspaceError: unreadable (exit 10 when missing), newer format (2), damaged (6). */
export async function readStamp(layout: Layout): Promise<Stamp> {
  const json = parse(await readText(layout.stamp), layout.stamp);
  const { format, madeBy } = checked(anyFormatSchema, json, layout.stamp);
  if (format > FORMAT) {
    throw new WorkspaceError(
      `The workspace ${layout.directory} has format ${format}, written by ${madeBy ?? "a newer guideferry"}; this guideferry reads formats up to ${FORMAT}. ` +
        "Nothing was changed. Install the newer guideferry, or use another --workspace.",
      { exitCode: EXIT.usage },
    );
  }
  return checked(stampSchema, json, layout.stamp);
}

/** Are these the same site? An empty site does not report its id. */
export function isSameSite(one: SiteRef, other: SiteRef): boolean {
  return one.root === other.root && (one.siteId === other.siteId || one.siteId === null || other.siteId === null);
}

type SiteRef = Pick<SiteIdentity, "root" | "siteId">;

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw storageError(error, `reading ${file}`);
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(file, error);
  }
}

function checked<T>(schema: z.ZodType<T>, json: unknown, file: string): T {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw damaged(file, parsed.error);
  return parsed.data;
}

function damaged(file: string, cause: unknown): WorkspaceError {
  return new WorkspaceError(
    `${file} is damaged: it does not have the content of a workspace.json. Restore it from a copy of the workspace, or use another --workspace.`,
    { cause, exitCode: EXIT.differences },
  );
}

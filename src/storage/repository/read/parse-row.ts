import type { z } from "zod";
import { damage } from "./damage.js";

/** The row of a line. `where`: for messages. Throws ArchiveError (exit 6). */
export function parseRow<Row>(line: Buffer, schema: z.ZodType<Row>, where: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(line.toString("utf8"));
  } catch (cause) {
    throw damage(`${where} is no JSON.`, cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damage(`${where} is damaged: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}.`);
}

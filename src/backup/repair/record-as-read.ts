import { createHash } from "node:crypto";

/** Seconds between an answer and the note of it. */
const DELAY = 5;

/**
 * A record says when it was read. Its stored text with the time that makes its bytes those of the sha256, where its answer is the same; undefined:
 * the answer is another one. `read`: UNIX seconds at which it was compared with the site.
 */
export function recordAsRead(text: string, sha256: string, read: readonly number[]): string | undefined {
  const item: unknown = JSON.parse(text);
  if (!isObject(item) || !isObject(item["body"])) return undefined;
  for (const time of read) {
    for (let back = 0; back <= DELAY; back += 1) {
      const body = { ...item["body"], readAt: time - back };
      const candidate = `${JSON.stringify({ ...item, body })}\n`;
      if (createHash("sha256").update(candidate).digest("hex") === sha256) return candidate;
    }
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

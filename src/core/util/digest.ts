import { createHash } from "node:crypto";
import { canonicalJson } from "./canonical-json.js";

/** sha256 over the canonical JSON of a value, in lower-case hexadecimal. */
export function digest(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

import type { Issue } from "../../../src/core/model/issue.js";
import type { MediaUse } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { answerOf, type JsonCursor, type ParseContext } from "../../../src/service/wire/json-cursor.js";
import { MediaUses } from "../../../src/service/wire/media.js";

/** A reading whose issues a test can look at. */
export function collecting(key: Key = "guide/12"): { readonly reading: ParseContext; readonly issues: Issue[] } {
  const issues: Issue[] = [];
  const reading: ParseContext = {
    key,
    endpoint: `GET ${key}`,
    origin: "https://site.example",
    report: (issue) => issues.push(issue),
  };
  return { reading, issues };
}

/** Reads one answer, with what it found odd. */
export function readWithIssues<T>(
  json: unknown,
  read: (place: JsonCursor, uses: MediaUses) => T,
): { readonly value: T; readonly issues: Issue[]; readonly uses: readonly MediaUse[] } {
  const { reading, issues } = collecting();
  const uses = new MediaUses();
  return { value: read(answerOf(json, reading), uses), issues, uses: uses.list() };
}

import { expect, it } from "vitest";
import type { DrillResult } from "../../../src/commands/backup/drill.js";
import { describeDrill } from "../../../src/commands/backup/drill.js";

const RESULT: DrillResult = {
  restorable: true,
  items: 74,
  fields: 2000,
  equal: 1999,
  refused: 0,
  records: 0,
  losses: {},
  bytesLost: [],
  failures: [],
};

function described(more: Partial<DrillResult>): string {
  return describeDrill("20261120T030000Z", { ...RESULT, ...more });
}

it.each([
  [{}, "restorable: yes, 2026-11-20T03:00:00Z, 74 items, 99.95 % of 2,000 fields, losses: none"],
  [{ refused: 5 }, "restorable: mostly, 2026-11-20T03:00:00Z, 74 items, 5 refused, 99.95 %"],
  [{ restorable: false, refused: 5 }, "restorable: NO, "],
  [{ records: 207 }, "losses: none, 207 records kept, which no API call can write"],
  [{ records: 1, losses: { comments: 3 } }, "3 × comments, 1 record kept, which no API call can write"],
])("says of %j what it comes to", (more, line) => {
  expect(described(more)).toContain(line);
});

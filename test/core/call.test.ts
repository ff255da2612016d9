import { expect, it } from "vitest";
import { parseCall } from "../../src/core/model/call.js";
import type { Item } from "../../src/core/model/item.js";
import { planItem } from "../../src/service/target/plan.js";
import { guideItem, step, wikiItem } from "./../helpers/items.js";

const PERSON = { id: 5, name: "Mara", uniqueName: "mara" };
const ITEMS: readonly Item[] = [
  wikiItem("CATEGORY", "Looms", { parent: "Machines", tags: ["wood"] }),
  wikiItem("WIKI", "Warp", { pageTitle: "All of it" }),
  guideItem(12, {
    public: true,
    steps: [step(34), step(35)],
    tags: ["wool"],
    author: PERSON,
    flags: ["GUIDE_IN_PROGRESS"],
  }),
];

function plannedCalls() {
  const loaded = { operations: new Map(), written: new Map() };
  const options = {
    people: () => ({ userOf: () => 1, teamOf: () => 2 }),
    mediaIn: () => [],
    output: {},
    onExisting: "adopt",
  };
  return ITEMS.flatMap((item) => planItem(item, loaded, options as never)).map(({ call }) => call);
}

it("what a ledger keeps of a call is read back as it was", () => {
  const calls = plannedCalls();
  expect(new Set(calls.map(({ verb }) => verb)).size).toBeGreaterThanOrEqual(7);
  for (const call of calls) expect(parseCall(JSON.parse(JSON.stringify(call)))).toEqual(call);
});

it("and what is no call of this version, or lacks a field, is none", () => {
  for (const call of plannedCalls()) {
    expect(parseCall({ ...call, verb: `${call.verb}-twice` })).toBeUndefined();
    expect(parseCall({ verb: call.verb })).toBeUndefined();
  }
  for (const value of [undefined, null, "save-guide", {}, { verb: "constructor" }])
    expect(parseCall(value)).toBeUndefined();
});

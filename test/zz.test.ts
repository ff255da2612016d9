import { test } from "vitest";
import { SAMPLE_SITE } from "../src/commands/verbs/sample-site.js";
import { snapshotOf } from "./helpers/vandalised-site.js";
test("x", async () => {
  const site = await snapshotOf(() => undefined, { site: SAMPLE_SITE });
  const find = () => site.sandbox.state().guides.concat(site.sandbox.state().wikis).filter((one) => JSON.stringify(one).includes("Wren-40-parts-list.pdf|the parts list"));
  console.log(find().map((g) => [g["guideid"], g["title"], g["namespace"]]));
  const g = find()[0];
  if (g?.["guideid"] !== undefined) site.sandbox.edit.guide(Number(g["guideid"]), { introduction: "x", title: "y" });
  else site.sandbox.edit.wiki(g?.["namespace"] as never, String(g?.["title"]), { contents: "x", display_title: "q" });
  const done = await site.restore();
  console.log(JSON.stringify({ ...done, loaded: 0, verified: 0, target: 0 }), site.writes());
  console.log(JSON.stringify(find()).match(/.{60}parts-list.pdf.the/g));
});

import { existsSync } from "node:fs";
import { describe } from "vitest";
import { testSource } from "../../core/contracts/source.js";
import { REAL_SITE, SAMPLE_SITE, startSite } from "../../sync/extract-site.js";

async function sourceUnderTest(site: string, dialect: "dozuki" | "ifixit") {
  const { sandbox, source } = await startSite({ site, dialect });
  return { source, writes: () => sandbox.recorded.filter(({ method }) => method !== "GET").length };
}

testSource("a Dozuki site", () => sourceUnderTest(SAMPLE_SITE, "dozuki"));
testSource("an iFixit site", () => sourceUnderTest(SAMPLE_SITE, "ifixit"));

if (!existsSync(REAL_SITE)) console.warn(`Skipped: the real guides are not at ${REAL_SITE}`);
describe("with real guides", { tags: ["shared"] }, () => {
  testSource("a Dozuki site", async () => {
    const { sandbox, source } = await startSite({ site: REAL_SITE });
    // The contract wants a page of another namespace too.
    sandbox.edit.createWiki({ namespace: "WIKI", title: "About", contents: "Text." });
    return { source, writes: () => sandbox.recorded.filter(({ method }) => method !== "GET").length };
  });
});

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { inspectArchive } from "../../../src/storage/archive/inspect.js";
import { workOf } from "../../helpers/cpu-time.js";

const FOLDER = fileURLToPath(new URL("../../../../shared/data/training/", import.meta.url));

interface Judged {
  readonly file: string;
  readonly zip?: "accept" | "warn" | "refuse";
  readonly zipCodes?: readonly string[];
}

/** Told of a name that stands in an extra field only, since some programs read another one. */
const STRICTER: ReadonlySet<string> = new Set(["invalid/jszip/winrar_utf8_in_name.zip"]);

/** For all of them: 20 s on a fast machine. */
const MOST_WORK = 4000;

function archives(): readonly Judged[] {
  const { files } = JSON.parse(readFileSync(`${FOLDER}index.json`, "utf8")) as { readonly files: readonly Judged[] };
  return files.filter(({ zip }) => zip !== undefined);
}

it("every archive of the collection is judged as its index says, for all of its reasons", {
  tags: ["shared"],
}, async () => {
  const all = archives();
  expect(all.length).toBeGreaterThan(200);
  const work = await workOf(() => judge(all), MOST_WORK);
  expect(work).toBeLessThan(MOST_WORK);
});

async function judge(all: readonly Judged[]): Promise<void> {
  for (const { file, zip, zipCodes = [] } of all) {
    const { findings, isRefused } = await inspectArchive(FOLDER + file);
    const verdict = isRefused ? "refuse" : findings.length > 0 ? "warn" : "accept";
    expect([file, verdict]).toEqual([file, STRICTER.has(file) ? "warn" : zip]);
    const found = new Set(findings.map(({ code }): string => code));
    expect([file, zipCodes.filter((code) => !found.has(code))]).toEqual([file, []]);
  }
}

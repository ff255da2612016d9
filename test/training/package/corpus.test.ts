import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { runBuilt } from "../../helpers/built-code.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { collection, type Listed, placeOf } from "./helpers/collection.js";

/**
 * The specification's budget for each file, and for a process that looks at all of them: 5 s on a
 * machine that reads and writes 220 kB of JSON in 5 ms, so that a slow one has more.
 */
const MOST_WORK = 1000;
const MOST_BYTES = 256 * 1024 * 1024;

const VERDICTS: Readonly<Record<Listed["importer"], string>> = {
  accept: "accept",
  "parse-ok": "accept",
  "accept-with-warning": "accept-with-warning",
  "parse-with-warning": "accept-with-warning",
  refuse: "refuse",
};

/**
 * It names the same two absent schema files as invalid/syn-schemalocation-xsd-missing.zip, and the
 * index asks for the warning there and for none here.
 */
const CONTRADICTED = "valid/jcputney-scorm12-PrerequisitesTest_SCORM12.zip";

interface Told {
  readonly verdict: string;
  readonly codes: readonly string[];
  readonly work: number;
  /** The package's identity, where it was accepted. */
  readonly digest: string | null;
}

interface Answer {
  readonly told: readonly Told[];
  /** The most memory that the process ever held, in bytes. */
  readonly memory: number;
}

it("every file of the collection is judged as its index says, with all the codes that it lists, within its time and memory, and nothing is written", {
  tags: ["shared"],
}, async () => {
  const files = collection();
  expect(files.length).toBeGreaterThan(300);
  const home = await temporaryFolder();
  const before = treeOf(files);
  const { told, memory } = JSON.parse((await runBuilt(script(files), { home }).output) ?? "") as Answer;
  expect(told.length).toBe(files.length);
  const different = files.flatMap((listed, at) => differenceOf(listed, told[at]));
  expect(different).toEqual([`${CONTRADICTED}: accept-with-warning for accept; not told: -; told: W_MAN_XSD_MISSING`]);
  expect(files.filter((_, at) => !((told[at]?.work ?? Number.NaN) < MOST_WORK))).toEqual([]);
  expect(memory).toBeLessThan(MOST_BYTES);
  expect(readdirSync(home)).toEqual([]);
  expect(treeOf(files)).toEqual(before);
  const identified = files.filter((_, at) => typeof told[at]?.digest === "string");
  expect(identified).toEqual(files.filter(({ importer }) => importer.startsWith("accept")));
});

/**
 * One process for all: processor time of each and the peak are its own, whatever works beside it.
 */
function script(files: readonly Listed[]): string {
  return `
    import { readFileSync } from "node:fs";
    import { preparePackage } from "./src/training/package/normalise-package.js";
    const text = JSON.stringify(Array.from({ length: 5_000 }, (_, at) => ({ at, name: "row " + at, parts: [at] })));
    function timeSince(before) {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }
    function unit() {
      const before = process.cpuUsage();
      JSON.stringify(JSON.parse(text));
      return timeSince(before);
    }
    const told = [];
    for (const path of ${JSON.stringify(files.map(placeOf))}) {
      const before = process.cpuUsage();
      const { checked, normalised, close } = await preparePackage(path);
      await close();
      const time = timeSince(before);
      const codes = [...new Set(checked.findings.map(({ code }) => code))];
      told.push({ verdict: checked.verdict, codes, work: time < 500 ? 0 : time / unit(), digest: normalised?.digest ?? null });
    }
    const memory = Number(readFileSync("/proc/self/status", "utf8").split("VmHWM:")[1]?.split("kB")[0] ?? Number.NaN) * 1024;
    console.log(JSON.stringify({ told, memory }));
  `;
}

function differenceOf({ file, importer, codes, zipCodes = [] }: Listed, told: Told | undefined): readonly string[] {
  const found = new Set(told?.codes);
  const untold = [...new Set([...codes, ...zipCodes])].filter((one) => !found.has(one));
  if (told?.verdict === VERDICTS[importer] && untold.length === 0) return [];
  return [
    `${file}: ${String(told?.verdict)} for ${importer}; not told: ${untold.join(" ") || "-"}; told: ${[...found].join(" ") || "-"}`,
  ];
}

function treeOf(files: readonly Listed[]): readonly string[] {
  const folders = new Set(files.map((listed) => dirname(placeOf(listed))));
  return [...folders].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`)).toSorted();
}

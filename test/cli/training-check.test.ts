import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readRows } from "../../src/core/util/csv.js";
import { runCli } from "../helpers/run-cli.js";
import { runHere } from "../helpers/run-here.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { scormManifest } from "../helpers/training-packages.js";
import { objectsOf } from "../helpers/training-site.js";
import { scorm, shelfIn } from "../training/import/helpers/packages.js";

const SAMPLES = fileURLToPath(new URL("../../samples/training", import.meta.url));

it("tells of the sample packages what their README says", async () => {
  const { code, stdout, stderr } = await runCli(["training", "check", SAMPLES]);
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^prepare: 3 of 3$/m)]);
  expect(stdout).toMatch(/^accepted \S+loom-safety \(scorm12\)/m);
  expect(stdout).toMatch(/^accepted \S+shuttle-care \(cmi5\)/m);
  expect(stdout).toMatch(/^refused {2}\S+missing-page .*\n {2}E_MAN_LAUNCH_MISSING .*\n {4}Add the file/m);
  expect(stdout).toMatch(/^3 packages: 2 accepted, 0 with warnings, 1 refused\.$/m);
  const listed = await runHere(["training", "check", join(SAMPLES, "packages.csv"), SAMPLES, "--json", "--quiet"]);
  expect(objectsOf(listed.stdout).map(({ standard }) => standard)).toEqual(["scorm12", "cmi5", "scorm12"]);
  // The list was named itself: that it is no package is nothing to tell.
  expect(listed.stderr).not.toContain("packages.csv");
});

/**
 * A good package, one with a warning, one that is refused, and one whose name and title a terminal
 * would obey.
 */
async function folder(): Promise<string> {
  const directory = await temporaryFolder();
  const shelf = shelfIn(directory);
  await shelf.put("a good.zip", scorm("Ladders, at work"));
  await shelf.put("b-orphan.zip", { ...scorm("Ropes"), "left.html": "<p>" });
  await shelf.put("c-broken.zip", { "imsmanifest.xml": scormManifest() });
  await shelf.put("d\u001b[31m\u202e\n.zip", scorm("=cmd|&#x202e;|x"));
  await shelf.putText("e-cut.zip", "PK\u0003\u0004 cut off");
  return directory;
}
const VERDICTS = ["accept", "accept-with-warning", "refuse", "accept-with-warning", "refuse"];

it("prints with --json one object a package on stdout and nothing else, and what it does on stderr", async () => {
  const directory = await folder();
  const { code, stdout, stderr } = await runCli(["training", "check", directory, "--json"]);
  expect(code).toBe(3);
  const lines = objectsOf(stdout);
  expect(lines.map(({ verdict }) => verdict)).toEqual(VERDICTS);
  expect(lines.map(({ file }) => file)).toContain(join(directory, "d\u001b[31m\u202e\n.zip"));
  expect(lines[1]).toMatchObject({ file: join(directory, "b-orphan.zip"), codes: ["W_MAN_ORPHAN_FILE"] });
  expect(lines[2]).toMatchObject({ codes: expect.arrayContaining(["E_MAN_LAUNCH_MISSING"]), standard: "scorm12" });
  expect(lines[4]).toMatchObject({ codes: [expect.stringMatching(/^E_ZIP_/)], standard: null, title: null });
  expect(objectsOf(stderr).at(-1)).toEqual({
    type: "summary",
    exitCode: 3,
    packages: 5,
    accept: 1,
    "accept-with-warning": 2,
    refuse: 2,
  });
  // Nothing that a terminal obeys or nobody sees, in either stream.
  expect(stdout + stderr).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|[^\P{Cc}\n]/u);
});

it("prints with --csv lines that are read back as they are, and leaves a report that only its owner reads", async () => {
  const directory = await folder();
  const report = join(await temporaryFolder(), "a", "report");
  const { code, stdout } = await runHere(["training", "check", directory, "--csv", "--report", report, "--quiet"]);
  expect(code).toBe(3);
  const [head, ...rows] = readRows(stdout).rows.map(({ fields }) => fields);
  expect(head?.slice(0, 5)).toEqual(["file", "verdict", "codes", "standard", "title"]);
  expect(rows.map((cells) => [cells.length, cells[1]])).toEqual(VERDICTS.map((verdict) => [head?.length, verdict]));
  expect(rows[0]?.slice(3, 5)).toEqual(["scorm12", "Ladders, at work"]);
  expect(rows[3]?.[4]).toMatch(/^'=cmd/);
  for (const name of ["packages.ndjson", "packages.csv", "packages.html"])
    expect((await stat(join(report, name))).mode & 0o777, name).toBe(0o600);
});

it("ends with 0 where none is refused", async () => {
  const directory = await temporaryFolder();
  const shelf = shelfIn(directory);
  for (let at = 0; at < 30; at += 1) await shelf.put(`${at}.zip`, scorm(`Course ${at}`));
  const { code, stderr } = await runCli(["training", "check", directory, "--csv"]);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/30 packages: 30 accepted/)]);
  const strict = await runHere(["training", "check", join(directory, "1.zip"), "--max-package-files", "1"]);
  expect([strict.code, strict.stdout]).toEqual([3, expect.stringContaining("E_ZIP_ENTRY_COUNT")]);
});

it.each([
  [["/nowhere/at/all"], 10, "There is no file or folder /nowhere/at/all."],
  [["FOLDER"], 2, "No training package was found in /"],
  [[""], 2, "One of the PACKAGE or PATH arguments is empty."],
  [["FOLDER", "--json", "--csv"], 2, "two formats of the same output"],
  [["http://packages.example/a.zip?sig=planted"], 2, "fetches packages only over https"],
])("refuses %j with %d", async (words, code, message) => {
  const directory = await temporaryFolder();
  const result = await runHere(["training", "check", ...words.map((word) => (word === "FOLDER" ? directory : word))]);
  expect([result.code, result.stdout]).toEqual([code, ""]);
  expect(result.stderr).toContain(message);
  expect(result.stderr).not.toContain("planted");
});

it("tells of an address that nobody may fetch as of a package that is refused", async () => {
  const { code, stdout } = await runHere(["training", "check", "https://127.0.0.1:9/a.zip?sig=planted", "--csv"]);
  expect([code, stdout]).toEqual([
    3,
    expect.stringMatching(/^https:\/\/127\.0\.0\.1:9\/a\.zip,refuse,E_PKG_UNREADABLE/m),
  ]);
  expect(stdout).not.toContain("planted");
});

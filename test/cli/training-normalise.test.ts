import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runCli } from "../helpers/run-cli.js";
import { runHere } from "../helpers/run-here.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { scormManifest } from "../helpers/training-packages.js";
import { objectsOf } from "../helpers/training-site.js";
import { scorm, shelfIn } from "../training/import/helpers/packages.js";

const SAMPLES = fileURLToPath(new URL("../../samples/training", import.meta.url));

it("writes packages anew, shows each repair, and leaves existing files", async () => {
  const directory = await temporaryFolder();
  const shelf = shelfIn(directory);
  const good = scorm("Ladders");
  await shelf.put("wrapped.zip", Object.fromEntries(Object.entries(good).map(([path, text]) => [`in/${path}`, text])));
  await shelf.put("broken.zip", { "imsmanifest.xml": scormManifest() });
  const words = ["training", "normalise", "wrapped.zip", "broken.zip", "-o", "out"];
  const first = await runCli(words, { directory });
  expect([first.code, first.stderr]).toEqual([3, expect.not.stringContaining("warning")]);
  expect(first.stdout).toMatch(/^ {2}written: \S+\/out\/wrapped\.zip$/m);
  expect(first.stdout).toMatch(/^ {2}repaired \(\S+\) \S/m);
  expect(first.stdout).toMatch(/^refused {2}broken\.zip .*\n {2}E_MAN_LAUNCH_MISSING/m);
  expect(first.stdout).toContain(`2 packages: 1 written, 0 unchanged, 1 not written. Folder: ${directory}/out.`);

  const written = await readFile(join(directory, "out/wrapped.zip"));
  const again = await runCli([...words, "--json"], { directory });
  expect(objectsOf(again.stdout).filter(({ type }) => type === "package")).toMatchObject([
    { outcome: "unchanged", file: "wrapped.zip", digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { outcome: "refused", file: "broken.zip", digest: null, archive: null },
  ]);
  const checked = await runCli(["training", "check", "out/wrapped.zip", "--json", "--quiet"], { directory });
  expect(objectsOf(checked.stdout)).toMatchObject([{ verdict: "accept", codes: [] }]);

  await writeFile(join(directory, "out/wrapped.zip"), "somebody else's");
  const inTheWay = await runHere([
    "training",
    "normalise",
    join(directory, "wrapped.zip"),
    "-o",
    join(directory, "out"),
  ]);
  expect([inTheWay.code, inTheWay.stderr]).toEqual([
    3,
    expect.stringMatching(/warning: .* exists already and differs\..* --force/),
  ]);
  expect(await readFile(join(directory, "out/wrapped.zip"), "utf8")).toBe("somebody else's");
  const forced = ["training", "normalise", join(directory, "wrapped.zip"), "-o", join(directory, "out"), "--force"];
  expect((await runHere(forced)).code).toBe(0);
  expect(await readFile(join(directory, "out/wrapped.zip"))).toEqual(written);
});

it("refuses to begin where it cannot write", async () => {
  const directory = await temporaryFolder();
  await writeFile(join(directory, "file"), "");
  const words = ["training", "normalise", join(SAMPLES, "loom-safety")];
  const nowhere = await runHere(words);
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining("--output DIR")]);
  const onFile = await runHere([...words, "-o", join(directory, "file")]);
  expect([onFile.code, onFile.stderr]).toEqual([2, expect.stringContaining("is a file where a folder is needed")]);
  expect(await readFile(join(directory, "file"), "utf8")).toBe("");
  await mkdir(join(directory, "packages"));
  await shelfIn(join(directory, "packages")).put("ladders.zip", scorm("Ladders"));
  for (const output of ["packages", "packages/out"]) {
    const inside = ["training", "normalise", join(directory, "packages"), "-o", join(directory, output)];
    const { code, stderr } = await runHere(inside);
    expect([code, stderr]).toEqual([2, expect.stringContaining("the next run would read the output of this one")]);
  }
});

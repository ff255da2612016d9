import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ArchiveError } from "../../../src/core/errors.js";
import { openPackageReport } from "../../../src/training/report/package-report.js";
import { reportLine } from "../../../src/training/report/report-line.js";
import { mountSmallDisk } from "../../helpers/small-disk.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { checked, HOSTILE, imported, refused, warned } from "./packages.js";

describe("the files of a report", () => {
  it("lie side by side, for their owner alone, and hold every package", async () => {
    const folder = join(await temporaryFolder(), "report/new");
    const report = await openPackageReport(folder, "check");
    const rows = HOSTILE.map(
      (title, at) => [checked, refused, warned][at % 3]?.({ title, file: `${title}.zip` }) ?? checked(),
    );
    await Promise.all(rows.map((row) => report.add(row)));
    await report.close();
    await report.close();
    expect((await readdir(folder)).sort()).toEqual(["packages.csv", "packages.html", "packages.ndjson"]);
    for (const path of Object.values(report.files)) expect((await stat(path)).mode & 0o777).toBe(0o600);
    const lines = (await readFile(report.files.lines, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(rows.map(reportLine));
    expect((await readFile(report.files.csv, "utf8")).split("\r\n")).toHaveLength(rows.length + 2);
    expect(await readFile(report.files.html, "utf8")).toContain(`${rows.length} packages`);
  });

  it("take the place of those of the last run, and close their mode", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "packages.csv"), "old ".repeat(10_000), { mode: 0o644 });
    const report = await openPackageReport(folder, "import");
    await report.add(imported());
    await report.close();
    const csv = await readFile(report.files.csv, "utf8");
    expect(csv).toMatch(/^file,.*notes\r\ncourses\/fire\.zip,.*\r\n$/s);
    expect((await stat(report.files.csv)).mode & 0o777).toBe(0o600);
  });

  it("hold many thousand packages in their order", async () => {
    const report = await openPackageReport(await temporaryFolder(), "check");
    const many = 20_000;
    for (let at = 0; at < many; at += 1)
      await report.add(at % 2 === 0 ? checked({ file: `${at}.zip` }) : refused({ file: `${at}.zip` }));
    await report.close();
    const lines = (await readFile(report.files.lines, "utf8")).trimEnd().split("\n");
    expect(lines.every((line, at) => line.startsWith(`{"file":"${at}.zip"`))).toBe(true);
    const page = await readFile(report.files.html, "utf8");
    expect(page.match(/<tr><th scope="row"><bdi>/g)).toHaveLength(many);
    expect(page.indexOf("19999.zip")).toBeLessThan(page.indexOf(">0.zip"));
  });

  it("that the disk has no room for end with the reason, and every later call does too", {
    tags: ["mount"],
  }, async () => {
    const folder = join(await temporaryFolder(), "small");
    mountSmallDisk(folder, 1);
    const report = await openPackageReport(folder, "check");
    const many = async () => {
      for (let at = 0; at < 20_000; at += 1) await report.add(refused());
    };
    await expect(many()).rejects.toThrow(/the disk is full/);
    await expect(report.close()).rejects.toThrow(/the disk is full/);
  });

  it("cannot be made below a file", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    await expect(openPackageReport(join(folder, "file/below"), "check")).rejects.toThrow(ArchiveError);
  });
});

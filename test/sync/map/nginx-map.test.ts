import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import { nginxMap } from "../../../src/sync/map/map-files.js";
import type { AddressMap } from "../../../src/sync/map/moved-things.js";
import { type MapSite, movedThing } from "../../../src/sync/map/moved-things.js";
import { encodeTitle } from "../../../transforms/wiki/namespaces.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { readNginx } from "./helpers/nginx-reader.js";

const OLD: MapSite = { origin: "https://old.example", root: "https://old.example/api/2.0", hosts: ["old.example"] };
const NEW: MapSite = { origin: "https://new.example", root: "https://new.example/api/2.0", hosts: [] };

/** Key at the source and id at the target. */
function mapOf(pairs: readonly (readonly [Key, string])[], source: MapSite = OLD): AddressMap {
  const things = pairs.flatMap(
    ([key, id]) => movedThing({ key, id, title: "A title", adopted: false, item: key, itemId: id }, source, NEW) ?? [],
  );
  return { source, target: NEW, things: () => things.values() };
}

function fileOf(...pairs: readonly (readonly [Key, string])[]): string {
  return [...nginxMap(mapOf(pairs))].join("");
}

const leads = (file: string, address: string): string => readNginx(file).value("$guideferry_new", address);

const HOSTILE = [
  'He said "no"; } server {',
  "$request_uri $" + "{host} $",
  "a\\b\\z",
  "line\nbreak\r\n}",
  "# no comment",
  "~^.*",
  "!x",
  "default",
  "*.x",
  "'; return 302 https://evil.example; #",
  "织機 ü",
  "100%",
  "%2e%2e",
  "x|[y](z)*+?^",
] as const;

describe("a map for nginx", () => {
  it("leads every way to write the address of an old guide to the new one, and no other", () => {
    const file = fileOf(["guide/12", "901"], ["guide/2", "12"]);
    const ways = [
      "/Guide/-/12",
      "/Guide/Oil+the+Reed/12",
      "/guide/12",
      "/Teardown/x/12?lang=de",
      "/Gu%C3%ADa/x/12/",
      "/Guide/A%2FB/12",
      "/Guide/2020/12",
      "/Guide/x/0012",
    ];
    for (const way of ways) expect([way, leads(file, way)]).toEqual([way, "https://new.example/Guide/-/901"]);
    expect(leads(file, "/Guide/12/2")).toBe("https://new.example/Guide/-/12");
    for (const other of ["/", "/Guide/x/120", "/Guide/edit", "/Guides/x/12", "/x/Guide/y/12"])
      expect([other, leads(file, other)]).toEqual([other, ""]);
  });

  it("leads pages by their titles, with blanks or underscores, in any letter case", () => {
    const file = fileOf(
      ["category/Hand Looms", "Looms by hand"],
      ["wiki/ITEM/A/B c", "ITEM/A/B c"],
      ["wiki/USER/7", "USER/9"],
    );
    for (const way of ["/c/Hand_Looms", "/Device/Hand%20Looms", "/Topic/hand_LOOMS/", "/category/Hand_Looms?x"])
      expect([way, leads(file, way)]).toEqual([way, "https://new.example/c/Looms_by_hand"]);
    expect(leads(file, "/Item/A%2FB_c")).toBe("https://new.example/Item/A%2FB_c");
    expect(leads(file, "/User/7/anna")).toBe("https://new.example/User/9");
    expect(["/c/Hand", "/Info/Hand_Looms", "/User/77"].map((way) => leads(file, way))).toEqual(["", "", ""]);
  });

  it("tells titles apart that differ by letter case alone, which nginx takes for one", () => {
    const file = fileOf(["category/Looms", "One"], ["category/looms", "Two"], ["category/Plain", "Plain"]);
    expect(["/c/Looms", "/c/looms", "/c/LOOMS"].map((way) => leads(file, way))).toEqual([
      "https://new.example/c/One",
      "https://new.example/c/Two",
      "",
    ]);
  });

  it.each(HOSTILE)("takes the title %j for a title", (title) => {
    const file = fileOf([`wiki/INFO/${title}`, `INFO/new ${title}`], ["guide/1", "2"]);
    expect(leads(file, `/Info/${encodeTitle(title)}`)).toBe(`https://new.example/Info/${encodeTitle(`new ${title}`)}`);
    expect(leads(file, "/Guide/-/1")).toBe("https://new.example/Guide/-/2");
  });

  it("is read by nginx for any titles, and each leads to its own page", () => {
    const titles = fc.uniqueArray(
      fc.oneof(
        fc.constantFrom(...HOSTILE),
        fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
        fc.constantFrom("Looms", "looms", "LOOMS", "a b", "A_b"),
      ),
      { minLength: 1, maxLength: 8, selector: (title) => title.replaceAll("_", " ").trim().replace(/\/+/g, "/") },
    );
    fc.assert(
      fc.property(titles, (all) => {
        const pairs = all.map((title, at): readonly [Key, string] => [`category/${title}`, `Page ${at}`]);
        const file = readNginx(fileOf(...pairs));
        for (const [at, title] of all.entries()) {
          const spelt = title.replaceAll("_", " ");
          const parts = spelt.split("/");
          const isAddress =
            spelt.trim() === spelt && parts.every((part) => !/^\.{0,2}$/.test(part)) && !spelt.includes("\0");
          if (isAddress)
            expect(file.value("$guideferry_new", `/c/${encodeTitle(title)}`)).toBe(`https://new.example/c/Page_${at}`);
        }
      }),
    );
  });

  it("names what nginx cannot be told, leaves out what stands where it stood, and has room for the longest title", () => {
    const long = "織".repeat(300);
    const file = fileOf(["category/..", "Up"], [`category/${"x".repeat(5000)}`, "Long"], [`category/${long}`, "Wide"]);
    expect(file).toContain("# nginx cannot match an address of this page: category%2F..\n");
    expect(file).toContain("# nginx cannot match an address of this page: category%2Fxxx");
    const shadows = fileOf(["category//_Looms", "Shadow"], ["category/Looms", "Looms"], ["category/ Looms", "Shadow"]);
    expect(leads(shadows, "/c/Looms")).toBe("https://new.example/c/Looms");
    expect(leads(file, `/c/${encodeTitle(long)}`)).toBe("https://new.example/c/Wide");
    const same = [...nginxMap(mapOf([["guide/1", "1"]], { ...OLD, origin: NEW.origin }))].join("");
    expect(leads(same, "/Guide/-/1")).toBe("");
  });

  it("gives media and steps no line: they have no page of their own", () => {
    const file = fileOf(["image/5", "6"], ["document/abc", "7"], ["step/8", "9"]);
    expect(file).toMatch(/map \$guideferry_page \$guideferry_new \{\n {4}default "";\n\}\n$/);
  });

  it("is accepted by a real nginx", { tags: ["nginx"] }, async () => {
    const folder = await temporaryFolder();
    const pairs = HOSTILE.map((title, at): readonly [Key, string] => [`category/${title}`, `Page ${at}`]);
    writeFileSync(join(folder, "map.conf"), fileOf(...pairs, ["category/Looms", "x"], ["category/looms", "y"]));
    const server = "server { listen 127.0.0.1:1; if ($guideferry_new) { return 301 $guideferry_new; } }";
    const settings = `pid ${folder}/pid; error_log stderr; events {} http { access_log off; include ${folder}/map.conf; ${server} }`;
    writeFileSync(join(folder, "nginx.conf"), settings);
    const { stderr } = spawnSync("nginx", ["-t", "-p", folder, "-c", join(folder, "nginx.conf")], {
      encoding: "utf8",
    });
    // Where it may not open its own folders it ends with 1 behind that.
    expect(stderr).toContain("syntax is ok");
  });
});

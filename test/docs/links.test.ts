import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = execFileSync(
  "find",
  [".", "-name", "node_modules", "-prune", "-o", "-name", "dist", "-prune", "-o", "-name", "*.md", "-print"],
  {
    cwd: ROOT,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((path) => path !== "" && !path.startsWith("./samples/texts/"))
  .map((path) => path.slice(2));

it("finds the pages", () => {
  expect(PAGES).toContain("README.md");
  expect(PAGES.length).toBeGreaterThan(40);
});

it.each(PAGES)("every link and picture of %s leads somewhere", (name) => {
  const links = [...withoutCode(readFileSync(join(ROOT, name), "utf8")).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, link = ""]) => link,
  );
  expect(links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(name, link))).toEqual([]);
});

/** Of the examples in CONTRIBUTING.md, and a word that stands for any. */
const NO_MODULES = /titles\.ts|prefix-titles\.ts|GROUP\.ts/;

it.each(PAGES)("every module that %s names exists", (name) => {
  const page = readFileSync(join(ROOT, name), "utf8");
  const paths = [...page.matchAll(/`((?:[\w.-]+\/)+[\w-]+\.tsx?)`/g)].map(([, path = ""]) => path);
  const places = [dirname(name), ".", "src", "transforms"];
  const missing = paths.filter(
    (path) => !NO_MODULES.test(path) && !places.some((place) => existsSync(join(ROOT, place, path))),
  );
  expect(missing).toEqual([]);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || (statSync(file).isFile() && anchorsOf(readFileSync(file, "utf8")).has(anchor));
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCode(page).matchAll(/^#+ (.+)$/gm)) {
    const plain = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    let anchor = plain;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${plain}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

function withoutCode(page: string): string {
  return page
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "")
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ""));
}

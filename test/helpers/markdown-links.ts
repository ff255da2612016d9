import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The relative links and pictures of a page that lead to no file, or to no heading of one.
 *
 * @param root folder of the pages: the checkout, or the unpacked tarball
 * @param page path below it
 */
export function deadLinks(root: string, page: string): readonly string[] {
  const links = withoutCode(readFileSync(join(root, page), "utf8")).matchAll(/\]\(([^)\s]+)\)/g);
  return [...links]
    .map(([, link = ""]) => link)
    .filter((link) => !/^https?:/.test(link) && !leadsSomewhere(root, page, link));
}

function leadsSomewhere(root: string, page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? join(root, page) : join(root, dirname(page), path);
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

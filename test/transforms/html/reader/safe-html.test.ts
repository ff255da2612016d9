import { expect, it } from "vitest";
import { readerHtml } from "../../../../transforms/html/reader/reader-html.js";
import type { ReaderLinks } from "../../../../transforms/html/reader/reader-links.js";
import { node, safeHtml, words } from "../../../../transforms/html/reader/safe-html.js";
import { sourceFiles } from "../../../helpers/source-files.js";
import { faultsIn } from "./is-safe.js";
import { LINKS } from "./links.js";

it("takes out what a handler of its own should not have written", () => {
  const content = [
    node("script", [words("harm()")]),
    node("p", [words("x")], { onClick: "harm()", style: "x", id: "main", className: ["embed", "site-header"] }),
    node("a", [words("y")], { href: "javascript:harm()", target: "_blank" }),
    node("img", [], { src: "//evil.invalid/x.png", srcSet: "x", alt: "" }),
    node("svg", [node("a", [words("z")], { href: "/etc/hosts" })]),
    node("h3", [], { id: "main" }),
  ];
  expect(safeHtml(content)).toBe('<p class="embed">x</p><a>y</a><img alt=""><a>z</a><h3></h3>');
});

it.each([
  "javascript:harm()",
  "//evil.invalid/x",
  "/etc/hosts",
  "\\\\evil.invalid\\x",
  "../x:y",
  "data:text/html,x",
  '"><script>',
])("leaves out an address that a look-up should not have answered: %s", (address) => {
  const file = { title: "x", width: null, height: null };
  const links: ReaderLinks = {
    ...LINKS,
    page: () => ({ address, title: "x" }),
    medium: (key) => ({ ...file, address, shown: key.startsWith("image/") ? "image" : "video" }),
    tag: () => ({ address, title: "x" }),
  };
  const html = readerHtml("[guide|1|x] [document|2]\n\n[image|3]\n\n[video|4]\n\n[guidelist|tags=a]", { links });
  expect(faultsIn(html)).toEqual([]);
  expect(html).not.toMatch(/(?:href|src)=/);
});

it("is made nowhere else, and put into pages in one place", () => {
  const files = sourceFiles("src", "transforms");
  const makers = files.filter(({ text }) => /\bas SafeHtml\b|<SafeHtml>/.test(text));
  expect(makers.map(({ path }) => path)).toEqual(["transforms/html/reader/safe-html.ts"]);
  const takers = files.filter(({ text }) => /dangerouslySetInnerHTML|\bhono\/html\b|\braw\(/.test(text));
  expect(takers.map(({ path }) => path)).toEqual([
    "src/web/components/page-frame.tsx",
    "src/web/components/untrusted-text.tsx",
  ]);
});

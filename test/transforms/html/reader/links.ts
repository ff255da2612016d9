import type { Key } from "../../../../src/core/model/key.js";
import type { ReaderLinks, ReaderMedium, ReaderPage } from "../../../../transforms/html/reader/reader-links.js";

const FILE = { width: null, height: null } as const;

const MEDIA: ReadonlyMap<string, ReaderMedium> = new Map<Key, ReaderMedium>([
  ["image/5", { address: "../media/55.jpg", shown: "image", title: "loom.jpg", width: 800, height: 600 }],
  ["image/6", { ...FILE, address: "../media/66.png", shown: "image", title: "six.png", caption: 'A "loom"' }],
  ["image/8", { ...FILE, address: "../media/88.bin", shown: "download", title: "drawing.svg" }],
  ["video/7", { address: "../media/77.mp4", shown: "video", title: "film.mp4", width: 640, height: 480 }],
  ["document/9", { ...FILE, address: "../media/99.pdf", shown: "pdf", title: "plan.pdf" }],
  ["document/10", { ...FILE, address: "../media/aa.xlsx", shown: "download", title: "parts.xlsx" }],
]);

const PAGES: ReadonlyMap<string, ReaderPage> = new Map<Key, ReaderPage>([
  ["guide/12", { address: "12.html", title: "Warp the loom" }],
  ["category/Hand Looms", { address: "../category/hand-looms-1234abcd.html", title: "Hand looms" }],
  ["wiki/ITEM/Shuttle", { address: "../wiki/item/shuttle-1234abcd.html", title: "Shuttle" }],
  ["wiki/WIKI/Care", { address: "../wiki/wiki/care-1234abcd.html", title: "Care" }],
]);

/** One item of each kind, as a guide's page sees them. */
export const LINKS: ReaderLinks = {
  site: { origin: "https://site.example", hosts: ["site.example", "old.example"] },
  page: (key) => PAGES.get(key),
  medium: (key) => MEDIA.get(key),
  tag: (tag) => (tag === "loom" ? { address: "../tag/loom-1234abcd.html", title: "loom" } : undefined),
  mediaKey: (address) => (address.startsWith("https://cdn.example/five") ? "image/5" : undefined),
};

/** The same archive, of documents that never had a site. */
export const NO_SITE: ReaderLinks = { ...LINKS, site: { origin: "", hosts: [] } };

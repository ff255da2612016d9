import { endingOf, nameOf } from "./markers.js";

/** What an archive without a manifest seems to be, as a detail that helps. */
export function withoutManifest(paths: readonly string[]): string {
  return GUESSES.find(({ fits }) => fits(paths))?.detail ?? NOTHING_KNOWN;
}

const NOTHING_KNOWN = "no imsmanifest.xml, cmi5.xml, tincan.xml or AICC course files are in it";

const WEB_PAGES: ReadonlySet<string> = new Set([
  "story.html",
  "story_html5.html",
  "index.html",
  "index.htm",
  "presentation.html",
  "index_lms.html",
]);

interface Guess {
  readonly detail: string;
  fits(paths: readonly string[]): boolean;
}

/** The first that fits (training modules, 2.1 rows 5 and 6). */
const GUESSES: readonly Guess[] = [
  {
    detail:
      "it holds nothing but an archive: it is perhaps a packed package, which has to be given by itself; archives inside are never opened",
    fits: (paths) => paths.length === 1 && endingOf(paths[0] ?? "") === "zip",
  },
  {
    detail: "it has a start page and no manifest: the course was perhaps published for the web, and not for an LMS",
    fits: (paths) => paths.some((path) => WEB_PAGES.has(nameOf(path).toLowerCase())),
  },
  {
    detail:
      "it holds packed archives and no manifest: if they are packages, give each by itself; archives inside are never opened",
    fits: (paths) => paths.some((path) => endingOf(path) === "zip"),
  },
];

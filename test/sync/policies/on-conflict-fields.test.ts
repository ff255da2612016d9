import { type Conflict, testConflicts } from "../../helpers/conflicts.js";
import type { Pair } from "../../helpers/small-sites.js";

const CONFLICTS: Readonly<Record<string, Conflict>> = {
  "one field of a guide": {
    theirs: ({ target }) => target.edit.guide(1, { summary: "Theirs." }),
    ours: ({ source }) => source.edit.guide(1, { summary: "Ours." }),
    seen: (pair) => pair.guide("Warp")["summary"],
    stays: "Theirs.",
    over: "Ours.",
    merged: "Theirs.",
    listed: ["summary"],
  },
  "two fields of a guide": {
    theirs: ({ target }) => target.edit.guide(1, { summary: "Theirs." }),
    ours: ({ source }) => source.edit.guide(1, { conclusion: "Ours." }),
    seen: (pair) => [pair.guide("Warp")["summary"], pair.guide("Warp")["conclusion"]],
    stays: ["Theirs.", ""],
    over: ["", "Ours."],
    merged: ["Theirs.", "Ours."],
    listed: ["summary"],
  },
  "a page": {
    theirs: ({ target }) => target.edit.wiki("WIKI", "Sheds", { contents: "Theirs." }),
    ours: ({ source }) => source.edit.wiki("WIKI", "Sheds", { contents: "Ours." }),
    seen: pageOf,
    stays: "Theirs.",
    over: "Ours.",
    merged: "Theirs.",
    listed: ["contents"],
  },
  "flags that both added": {
    theirs: (pair) => setFlag(pair, "target", "GUIDE_MISSING_IMAGES"),
    ours: (pair) => setFlag(pair, "source", "GUIDE_STARRED"),
    seen: (pair) => OURS_AND_THEIRS.filter((flag) => (pair.guide("Warp")["flags"] as readonly string[]).includes(flag)),
    stays: ["GUIDE_MISSING_IMAGES"],
    over: ["GUIDE_STARRED"],
    merged: ["GUIDE_MISSING_IMAGES", "GUIDE_STARRED"],
    listed: ["flags"],
  },
  "visibility, where they changed a text": {
    theirs: ({ target }) => target.edit.guide(1, { summary: "Theirs." }),
    ours: ({ source }) => source.edit.setPublic(1, false),
    seen: (pair) => [pair.guide("Warp")["public"], pair.guide("Warp")["summary"]],
    stays: [true, "Theirs."],
    over: [false, "Theirs."],
    merged: [false, "Theirs."],
    listed: ["summary"],
    listedOver: ["summary"],
  },
};

const OURS_AND_THEIRS = ["GUIDE_MISSING_IMAGES", "GUIDE_STARRED"];

function pageOf(pair: Pair): unknown {
  return pair.target.state().wikis.find(({ title }) => title === "Sheds")?.["contents"];
}

function setFlag(pair: Pair, side: "source" | "target", flag: string): void {
  const flags = pair[side].state().guides.find(({ guideid }) => guideid === 1)?.["flags"] as readonly string[];
  pair[side].edit.setGuideFlags(1, [...flags, flag]);
}

testConflicts(CONFLICTS);

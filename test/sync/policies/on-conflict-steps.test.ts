import { type Conflict, lineBody, linesAt, stepAt, testConflicts } from "../../helpers/conflicts.js";
import { type Pair, stepIds } from "../../helpers/small-sites.js";

const CONFLICTS: Readonly<Record<string, Conflict>> = {
  "a line of a step": {
    theirs: (pair) => pair.target.edit.step(1, stepAt(pair, "target", 0), lineBody("Theirs.")),
    ours: (pair) => pair.source.edit.step(1, stepAt(pair, "source", 0), lineBody("Ours.")),
    seen: (pair) => linesAt(pair)[0],
    stays: "Theirs.",
    over: "Ours.",
    merged: "Theirs.",
    listed: ["step/1.lines"],
  },
  "title and line of a step": {
    theirs: (pair) => pair.target.edit.step(1, stepAt(pair, "target", 0), { title: "Theirs" }),
    ours: (pair) => pair.source.edit.step(1, stepAt(pair, "source", 0), lineBody("Ours.")),
    seen: (pair) => [(pair.guide("Warp").steps[0] as unknown as { title: string }).title, linesAt(pair)[0]],
    stays: ["Theirs", "First."],
    over: ["", "Ours."],
    merged: ["Theirs", "Ours."],
    listed: ["step/1.title"],
  },
  "the order of steps": {
    theirs: (pair) => reorder(pair, "target", [2, 0, 1]),
    ours: (pair) => reorder(pair, "source", [1, 0, 2]),
    seen: (pair) => linesAt(pair),
    stays: ["Third.", "First.", "Second."],
    over: ["Second.", "First.", "Third."],
    merged: ["Third.", "First.", "Second."],
    listed: ["steps.order"],
  },
  "a step that we removed and they edited": {
    theirs: (pair) => pair.target.edit.step(1, stepAt(pair, "target", 1), lineBody("Theirs.")),
    ours: (pair) => pair.source.edit.deleteStep(1, stepAt(pair, "source", 1)),
    seen: (pair) => linesAt(pair),
    stays: ["First.", "Theirs.", "Third."],
    over: ["First.", "Third."],
    merged: ["First.", "Theirs.", "Third."],
    listed: ["steps.others"],
  },
  "a step that they removed and we edited": {
    theirs: (pair) => pair.target.edit.deleteStep(1, stepAt(pair, "target", 1)),
    ours: (pair) => pair.source.edit.step(1, stepAt(pair, "source", 1), lineBody("Ours.")),
    seen: (pair) => linesAt(pair),
    stays: ["First.", "Third."],
    over: ["First.", "Ours.", "Third."],
    merged: ["First.", "Third."],
    listed: ["step/2"],
  },
};

function reorder(pair: Pair, side: "source" | "target", places: readonly number[]): void {
  const steps = stepIds(pair[side], 1);
  pair[side].edit.orderSteps(
    1,
    places.map((place) => steps[place] ?? 0),
  );
}

testConflicts(CONFLICTS);

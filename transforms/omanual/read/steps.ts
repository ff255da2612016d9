import { elementsIn, textIn } from "../../xml/walk.js";
import type { XmlElement } from "../../xml/xml-document.js";
import type { ManualLine, ManualMedia, ManualStep } from "../manual.js";
import { entriesOf, type Fields, fieldsOf, names } from "./fields.js";
import { readMedia } from "./media.js";
import { numberIn } from "./number-in.js";
import { placeOf, type Reading, report } from "./reading.js";
import { readText } from "./text.js";

/** The steps in the order of their numbers, which begin at 0 or 1; one without a number stays behind its neighbour. */
export function readSteps(fields: Fields): readonly ManualStep[] {
  const { reading } = fields;
  const steps = fields
    .children("steps")
    .flatMap((list) => entriesOf(list, "steps", STEPS, reading))
    .map((element, index) => readStep(element, `steps[${index}]`, reading));
  const ranks = new Map<ManualStep, number>();
  let rank = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    rank = step.number ?? rank;
    ranks.set(step, rank);
  }
  reportTwins(steps, reading);
  return steps.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0) || 0);
}

const STEPS = names("step");
const STEP = names(
  "number",
  "orderby",
  "title",
  "lines",
  "line",
  "media",
  "images",
  "stepid",
  "id",
  "guideid",
  "revisionid",
);

function readStep(element: XmlElement, path: string, reading: Reading): ManualStep {
  const fields = fieldsOf(element, path, STEP, reading);
  const { fact } = fields;
  return {
    id: fact("stepid") ?? fact("id"),
    guideId: fact("guideid"),
    number: numberIn(fact("number") ?? fact("orderby"), "number", fields),
    title: fact("title") ?? "",
    lines: readLines(fields),
    media: readStepMedia(fields),
    at: placeOf(element),
  };
}

/** Of all containers, one after the other (omanual 2), then those that stand in none. */
function readLines({ children, path, reading }: Fields): readonly ManualLine[] {
  const contained = children("lines").flatMap((list) => entriesOf(list, `${path}.lines`, LINES, reading));
  return [...contained, ...children("line")].map((element, index) =>
    readLine(element, `${path}.lines[${index}]`, reading),
  );
}

const LINES = names("line");

/** The line's own elements are its text, so only its attributes are fields; but a server may print fields as children. */
function readLine(element: XmlElement, path: string, reading: Reading): ManualLine {
  const printed = elementsIn(element).some(({ name }) => LINE.has(name));
  const fields = fieldsOf(printed ? element : { ...element, children: [] }, path, LINE, reading);
  const { fact, child } = fields;
  const text = child("text_rendered") ?? child("text") ?? (printed ? { ...element, children: [] } : element);
  return {
    bullet: fact("bullet"),
    level: numberIn(fact("level"), "level", fields),
    text: readText(text, fact("text_raw"), `${path}.text`, reading),
  };
}

const LINE = names("bullet", "level", "text", "text_raw", "text_rendered", "lineid", "bullet_styleid");

function readStepMedia(fields: Fields): ManualMedia | null {
  const element = fields.child("media") ?? fields.child("images");
  if (element === null) return null;
  const media = readMedia(element, `${fields.path}.media`, fields.reading);
  if (media === null && (elementsIn(element).length > 0 || textIn(element).trim() !== "")) {
    const what = `<${element.name}> shows nothing that can be read: an image, video or embed was expected`;
    report(
      fields.reading,
      { code: "media-empty", level: "loss", path: `${fields.path}.media` },
      placeOf(element),
      what,
    );
  }
  return media;
}

function reportTwins(steps: readonly ManualStep[], reading: Reading): void {
  const seen = new Set<number>();
  for (const [index, { number, at }] of steps.entries()) {
    if (number === null) continue;
    const what = `step number ${number} is there a second time; both are kept, in the order in which they stand`;
    if (seen.has(number))
      report(reading, { code: "step-number-twice", level: "note", path: `steps[${index}]` }, at, what);
    seen.add(number);
  }
}

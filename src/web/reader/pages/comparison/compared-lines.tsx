import type { JSX } from "hono/jsx/jsx-runtime";
import { readerComparison } from "../../../../../transforms/html/reader/compare/reader-comparison.js";
import type { SafeHtml } from "../../../../../transforms/html/reader/safe-html.js";
import type { Line } from "../../../../core/model/guide.js";
import { SafeText } from "../../../components/safe-html.js";
import { bulletName, LineList } from "../step-lines.js";
import type { ComparedSide } from "./compared-side.js";
import { Marked, type MarkKind, markOf } from "./marks.js";
import { type Pair, paired } from "./paired.js";

/** A line of a step at one side. */
interface ShownLine {
  readonly line: Line;
  readonly html: SafeHtml;
  /** Its bullet or its indentation is another one at the other side: how it is here, in words; empty: both are the same. */
  readonly set: string;
  readonly kind: MarkKind;
}

/** The lines of both sides, each with what differs from the line beside it. */
export function linePairs(
  sides: readonly [ComparedSide, ComparedSide],
  before: readonly Line[],
  after: readonly Line[],
): readonly [readonly ShownLine[], readonly ShownLine[]] {
  const pairs = paired(before, after, ({ text }) => text);
  return [
    pairs.flatMap((pair) => shownLine(sides, pair, "old")),
    pairs.flatMap((pair) => shownLine(sides, pair, "new")),
  ];
}

function shownLine(
  [old, now]: readonly [ComparedSide, ComparedSide],
  { before, after }: Pair<Line>,
  side: "old" | "new",
): readonly ShownLine[] {
  const [line, other] = side === "old" ? [before, after] : [after, before];
  if (line === undefined) return [];
  const compared = readerComparison(old.text(before?.text ?? ""), now.text(after?.text ?? ""));
  return [
    {
      line,
      html: side === "old" ? compared.before : compared.after,
      set: other === undefined ? "" : settingWords(line, other),
      kind: markOf(side),
    },
  ];
}

function settingWords(line: Line, other: Line): string {
  const bullet = line.bullet === other.bullet ? [] : [`bullet: ${bulletName(line)}`];
  const level = line.level === other.level ? [] : [`indented ${line.level} times`];
  return [...bullet, ...level].join(", ");
}

export function LinesOfSide({ lines }: { readonly lines: readonly ShownLine[] }): JSX.Element {
  return <LineList lines={lines.map((shown) => ({ ...shown, ...shown.line }))} words={wordsOf} />;
}

function wordsOf({ html, set, kind }: ShownLine): JSX.Element {
  return (
    <>
      <SafeText html={html} inline />
      {set !== "" && (
        <span class="setting">
          {" "}
          <Marked kind={kind}>{set}</Marked>
        </span>
      )}
    </>
  );
}

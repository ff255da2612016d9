import type { JSX } from "hono/jsx/jsx-runtime";
import type { Part } from "../../../../core/model/guide.js";
import { numberWords } from "../../../components/numbers.js";
import { WordsDiff } from "../changed-field.js";
import { MarkChip, markOf } from "./marks.js";
import { type Pair, paired } from "./paired.js";
import { Nothing, Sides } from "./sides.js";

export interface ComparedPartsProps {
  readonly before: readonly Part[];
  readonly after: readonly Part[];
}

/** Parts or tools, each old beside new. */
export function ComparedParts({ before, after }: ComparedPartsProps): JSX.Element {
  const pairs = paired(before, after, ({ name }) => name, true);
  return <Sides old={<Parts pairs={pairs} side="old" />} now={<Parts pairs={pairs} side="new" />} />;
}

interface PartsProps {
  readonly pairs: readonly Pair<Part>[];
  readonly side: "old" | "new";
}

function Parts({ pairs, side }: PartsProps): JSX.Element {
  if (pairs.every((pair) => (side === "old" ? pair.before : pair.after) === undefined)) return <Nothing />;
  return (
    <ul class="names">
      {pairs.map(({ before, after }) => {
        if ((side === "old" ? before : after) === undefined) return null;
        const isSingle = before === undefined || after === undefined;
        return (
          <li>
            <WordsDiff before={partWords(before)} after={partWords(after)} side={side} />
            {isSingle && <MarkChip kind={markOf(side)} />}
          </li>
        );
      })}
    </ul>
  );
}

/** `2 × Cotton yarn (hank), optional: Two colours.` */
function partWords(part: Part | undefined): string {
  if (part === undefined) return "";
  const { name, quantity, type, notes, url, optional } = part;
  const count = quantity === null || quantity === 1 ? "" : `${numberWords(quantity)} × `;
  const words = `${count}${name}${type === "" ? "" : ` (${type})`}${optional === true ? ", optional" : ""}`;
  return `${words}${notes === "" ? "" : `: ${notes}`}${url === null || url === "" ? "" : ` ${url}`}`;
}

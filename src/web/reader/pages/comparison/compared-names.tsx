import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../../components/foreign.js";
import { Marked, markOf } from "./marks.js";
import { type Pair, paired } from "./paired.js";
import { Nothing, Sides } from "./sides.js";

export interface ComparedNamesProps {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Tags, flags and the like: those that only one side has are marked. */
export function ComparedNames({ before, after }: ComparedNamesProps): JSX.Element {
  const pairs = paired(before, after, (name) => name, false);
  return <Sides old={<Names pairs={pairs} side="old" />} now={<Names pairs={pairs} side="new" />} />;
}

interface NamesProps {
  readonly pairs: readonly Pair<string>[];
  readonly side: "old" | "new";
}

function Names({ pairs, side }: NamesProps): JSX.Element {
  const own = pairs.flatMap(({ before, after }) => {
    const name = side === "old" ? before : after;
    return name === undefined ? [] : [{ name, isSame: before !== undefined && after !== undefined }];
  });
  if (own.length === 0) return <Nothing />;
  return (
    <ul class="chips">
      {own.map(({ name, isSame }) => (
        <li class="chip">
          <Marked kind={isSame ? "same" : markOf(side)}>
            <Foreign text={name} />
          </Marked>
        </li>
      ))}
    </ul>
  );
}

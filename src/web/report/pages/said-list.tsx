import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../components/foreign.js";
import { numberWords } from "../../components/numbers.js";
import type { SaidBook } from "../said-book.js";

/** What a run said on its way, the newest first. */
export function SaidList({ said }: { readonly said: Pick<SaidBook, "count" | "last"> }): JSX.Element {
  const last = said.last();
  return (
    <>
      {said.count > last.length && (
        <p class="muted">
          The last {last.length} of {numberWords(said.count)}.
        </p>
      )}
      <ul class="said card">
        {last.map(({ at, level, text }) => (
          <li>
            <time datetime={new Date(at).toISOString()}>{new Date(at).toISOString().slice(11, 19)}</time>{" "}
            {level === "warning" && <strong class="warn">Warning: </strong>}
            <Foreign text={text} />
          </li>
        ))}
      </ul>
    </>
  );
}

import type { JSX } from "hono/jsx/jsx-runtime";
import { ForeignLines } from "../../components/foreign.js";
import type { RunReport } from "../run-report.js";

/** Longer than what any of them says. */
const LONGEST = 4000;

/** What is absent from a report, since it could not be read. */
export function Unread({ unread }: Pick<RunReport, "unread">): JSX.Element {
  return (
    <section class="card bad-edge" aria-labelledby="unread-title">
      <h2 id="unread-title">Not on this page</h2>
      <ul>
        {unread.map((words) => (
          <li>
            <ForeignLines text={words} longest={LONGEST} />
          </li>
        ))}
      </ul>
    </section>
  );
}

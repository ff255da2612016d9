import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../components/foreign.js";
import { tagPath } from "../page-path.js";
import { hrefTo, type PageScope } from "./scope.js";

/** The tags of an item, each leading to what else has it. */
export function Tags({
  scope,
  tags,
}: {
  readonly scope: PageScope;
  readonly tags: readonly string[];
}): JSX.Element | null {
  if (tags.length === 0) return null;
  return (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li>
          <a class="chip" href={hrefTo(scope, tagPath(tag))}>
            <Foreign text={tag} />
          </a>
        </li>
      ))}
    </ul>
  );
}

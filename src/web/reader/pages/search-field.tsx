import type { JSX } from "hono/jsx/jsx-runtime";
import { Icon } from "../../components/icon.js";
import type { PageScope } from "./scope.js";

export interface SearchFieldProps {
  readonly scope: PageScope;
  /** On the first page. Default: false. */
  readonly large?: boolean;
}

/** Where one searches. Finding needs scripts: they take `hidden` away, and put what they find into `#search-results`. */
export function SearchField({ scope, large = false }: SearchFieldProps): JSX.Element {
  return (
    <search class={large ? "search large" : "search"} data-root={scope.root} hidden>
      <label class="unseen" for="search">
        Search
      </label>
      <Icon name="search" />
      <input
        id="search"
        type="search"
        placeholder="Search guides and pages"
        autocomplete="off"
        spellcheck={false}
        aria-controls="search-results"
      />
      {/* The key that leads here. */}
      <span class="key" aria-hidden="true">
        /
      </span>
      <div id="search-results" hidden />
    </search>
  );
}

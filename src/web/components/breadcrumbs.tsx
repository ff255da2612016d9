import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";

export interface Crumb {
  readonly title: Child;
  /** Relative to the page. */
  readonly href: string;
}

/** The way from the top to a page; the page itself is not part of it. */
export function Breadcrumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }): JSX.Element | null {
  if (crumbs.length === 0) return null;
  return (
    <nav class="crumbs" aria-label="Where you are">
      <ol>
        {crumbs.map(({ title, href }) => (
          <li>
            <a href={href}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

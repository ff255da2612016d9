import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";

/** Whether something is at one side only: `went` at the old one, `came` at the new one. */
export type MarkKind = "went" | "came" | "same";

const SAID = { went: "[removed: ", came: "[added: " } as const;

/** Something that came or went: seen by its colour and line, heard by words. */
export function Marked({ kind, children }: { readonly kind: MarkKind; readonly children: Child }): JSX.Element {
  if (kind === "same") return <>{children}</>;
  const inside = (
    <>
      <span class="unseen">{SAID[kind]}</span>
      {children}
      <span class="unseen">]</span>
    </>
  );
  return kind === "went" ? <del class="went">{inside}</del> : <ins class="came">{inside}</ins>;
}

/** A word about something beside it: `Removed`, `New`. */
export function MarkChip({ kind }: { readonly kind: MarkKind }): JSX.Element | null {
  if (kind === "same") return null;
  return kind === "went" ? <span class="chip deleted">Removed</span> : <span class="chip new">New</span>;
}

/** The mark of what only one of the sides has. */
export function markOf(side: "old" | "new"): "went" | "came" {
  return side === "old" ? "went" : "came";
}

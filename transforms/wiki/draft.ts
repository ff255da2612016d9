import type { Head } from "./head.js";
import type { Field, Reference, Span, StepReference } from "./reference.js";
import type { SiteAddresses } from "./site-addresses.js";

/** `page`: introductions, conclusions, wikis, comments. `line`: a line of a step, which holds no blocks (wiki-syntax 1). */
export type TextContext = "page" | "line";

/** A reference while its text is read. */
export interface Draft extends Reference {
  end: number;
  readonly steps: StepReference[];
  readonly fields: Field[];
  label: number | null;
  close: Span | null;
}

/** A reference whose bracket is still open. */
export interface Open {
  readonly draft: Draft;
  /** Brackets inside the label that are still open and begin no reference. */
  plain: number;
  /** Where a `stepid` found here goes: to the nearest guide macro that is open, which under some reading it belongs to. */
  readonly guideSteps: StepReference[] | undefined;
}

/** What is known half-way through a text. */
export interface ScanState {
  readonly text: string;
  readonly site: SiteAddresses;
  /** Where the last `]`, `]]` and end of a code block stand: found once, since to look for each anew would take squared time. */
  readonly lastClose: number;
  readonly lastDoubleClose: number;
  readonly lastCodeEnd: number;
  readonly found: Draft[];
  /** Innermost last. */
  readonly open: Open[];
  /** Brackets outside of all references that are still open. */
  plain: number;
}

/** Begins a reference inside whatever is open. */
export function draftOf(state: ScanState, from: Head, start: number): Draft {
  const { form, kind, key, goal, head, origin, body } = from;
  const enclosed = state.open.length > 0 || state.plain > 0;
  const steps = [...from.steps];
  const fields: Field[] = [];
  return {
    start,
    end: body,
    form,
    kind,
    key,
    goal,
    steps,
    head,
    origin,
    body,
    fields,
    label: null,
    close: null,
    enclosed,
  };
}

/** Opens a reference, which holds what follows until its bracket closes. */
export function openDraft(state: ScanState, draft: Draft): void {
  const isGuide = draft.form === "macro" && draft.kind === "guide";
  const guideSteps = isGuide ? draft.steps : state.open.at(-1)?.guideSteps;
  state.open.push({ draft, plain: 0, guideSteps });
}

/** Ends a reference that never closes with the last of its parts. */
export function leaveOpen({ draft }: Open): void {
  const { body, label, fields, steps } = draft;
  draft.end = Math.max(body, label ?? 0, fields.at(-1)?.end ?? 0, steps.at(-1)?.end ?? 0);
}

import type { Open, ScanState } from "./draft.js";
import { numberKey, type StepReference } from "./reference.js";

// The only known parameters (wiki-syntax 7): every other field with an equals sign is a label.
const PARAMETER = /\|\s*(new_window|stepid|size|align|format|tags|type)\s*=([^|[\]]*)(?=[|\]])/iy;
const EMPTY = /\|\s*(?=[|\]])/y;
const STEP_ID = /^\s*(\d+)\s*$/;

/** Reads the field that a pipe begins: a parameter, the label, or nothing; says where to go on. */
export function readField(state: ScanState, at: number): number {
  const holder = state.open.at(-1);
  if (holder === undefined) return at + 1;
  return readParameter(state.text, at, holder) ?? readEmpty(state.text, at, holder) ?? readLabel(at, holder);
}

function readParameter(text: string, at: number, holder: Open): number | undefined {
  PARAMETER.lastIndex = at;
  const found = PARAMETER.exec(text);
  if (found === null) return undefined;
  const [whole, written = "", value = ""] = found;
  const name = written.toLowerCase();
  const end = at + whole.length;
  const digits = name === "stepid" ? STEP_ID.exec(value)?.[1] : undefined;
  if (digits !== undefined && holder.guideSteps !== undefined) {
    holder.guideSteps.push(stepOf(digits, at, whole, holder.plain > 0));
    return end;
  }
  return holder.plain > 0 ? undefined : addField(holder, name, at, end);
}

/** Inside a plain bracket the pipe stays when the step goes: without it, what stands before and after could become a macro. */
function stepOf(digits: string, at: number, whole: string, keepPipe: boolean): StepReference {
  const start = at + whole.lastIndexOf(digits);
  const id = { start, end: start + digits.length };
  return { key: numberKey("step", digits), id, start: keepPipe ? at + 1 : at, end: at + whole.length };
}

function readEmpty(text: string, at: number, holder: Open): number | undefined {
  EMPTY.lastIndex = at;
  const found = holder.draft.label === null && holder.plain === 0 ? EMPTY.exec(text) : null;
  return found === null ? undefined : addField(holder, "", at, at + found[0].length);
}

function addField({ draft }: Open, name: string, start: number, end: number): number {
  draft.fields.push({ name, start, end });
  return end;
}

/** Further fields join the label (advice of wiki-syntax 7). */
function readLabel(at: number, { draft, plain }: Open): number {
  if (plain === 0) draft.label ??= at + 1;
  return at + 1;
}

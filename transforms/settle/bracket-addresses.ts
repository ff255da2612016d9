import { link, text } from "../wiki/build-inlines.js";
import { type AddressSpan, bareAddressesIn } from "../wiki/parse/bare-address.js";
import type { Inline, Link } from "../wiki/tree.js";

/** Addresses between brackets that would run on into what follows, or that a marker would cut. */
export function bracketAddresses(inlines: readonly Inline[]): readonly Inline[] {
  return bracketed(inlines, (address, value, isLast) => isCut(address, value) || (!isLast && endsText(address, value)));
}

/** Addresses between brackets that a marker would cut. A guard between its marks would be a part of the address. */
export function bracketCutAddresses(inlines: readonly Inline[]): readonly Inline[] {
  return bracketed(inlines, isCut);
}

/** All addresses between brackets: for a macro's field, where each equals sign is guarded. */
export function bracketAllAddresses(inlines: readonly Inline[]): readonly Inline[] {
  return bracketed(inlines, () => true);
}

/** Whether an address in a text is one to put between brackets. */
type Wanted = (address: AddressSpan, value: string, isLast: boolean) => boolean;

function bracketed(inlines: readonly Inline[], wanted: Wanted): readonly Inline[] {
  return inlines.flatMap((inline, at): readonly Inline[] => {
    const isLast = at === inlines.length - 1;
    if (inline.type === "text") return withoutBare(inline.value, isLast, wanted);
    if (inline.type === "link") return [inline.kind === "bare" ? withBrackets(inline, wanted) : inline];
    return ["children" in inline ? { ...inline, children: bracketed(inline.children, wanted) } : inline];
  });
}

/** A text with the wanted addresses in it made links with brackets. */
function withoutBare(value: string, isLast: boolean, wanted: Wanted): readonly Inline[] {
  const inlines: Inline[] = [];
  let done = 0;
  for (const address of bareAddressesIn(value)) {
    if (!wanted(address, value, isLast)) continue;
    const { start, end } = address;
    inlines.push(text(value.slice(done, start)), addressLink(value.slice(start, end)));
    done = end;
  }
  return [...inlines, text(value.slice(done))].filter((inline) => inline.type !== "text" || inline.value !== "");
}

function withBrackets(bare: Link, wanted: Wanted): Link {
  const { target } = bare;
  const whole = { start: 0, end: target.length, run: target.length };
  return wanted(whole, target, false) ? addressLink(target) : bare;
}

const MARKER = /(['+~^,`])\1/;
const HALF_MARKER = /['+~^,`]$/;

/** Whether there is a marker in an address or behind it, or one half, whose other half may be what follows the text. */
function isCut({ start, run }: AddressSpan, value: string): boolean {
  const around = value.slice(start, run + 2);
  return MARKER.test(around) || (run === value.length && HALF_MARKER.test(around));
}

function endsText({ run }: AddressSpan, value: string): boolean {
  return run === value.length;
}

function addressLink(address: string): Link {
  return link("url", address, { label: [text(address)] });
}

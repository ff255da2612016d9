import type { Element, ElementContent, Properties } from "hast";
import type { Resolver } from "../resolver.js";

export interface PlainContext {
  readonly resolver: Resolver;
  /** Put before addresses that are relative to the site; empty when it is not known. */
  readonly origin: string;
  /** Whether an image may be a figure of its own: not inside of a paragraph, a heading or a label. */
  readonly figures: boolean;
}

/** A piece of HTML as a tree. */
export function plainElement(name: string, children: readonly ElementContent[], properties: Properties = {}): Element {
  return { type: "element", tagName: name, properties, children: [...children] };
}

export function plainWords(value: string): ElementContent {
  return { type: "text", value };
}

/** An address that leads somewhere from outside of the site. */
export function outsideAddress(address: string, { origin }: PlainContext): string {
  return /^\/(?!\/)/.test(address) ? origin + address : address;
}

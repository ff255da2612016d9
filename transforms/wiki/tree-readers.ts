import type { Link, Parameter } from "./tree.js";

/** The value of a parameter by its lower-case name: blanks around it are not part of it. undefined when it is not written. */
export function parameterOf(
  node: { readonly leading?: readonly Parameter[]; readonly parameters: readonly Parameter[] },
  name: string,
): string | undefined {
  const found = [...(node.leading ?? []), ...node.parameters].find((each) => each.name.trim().toLowerCase() === name);
  return found?.value.trim();
}

/** Whether a link asks for a new window. */
export function opensNewWindow(link: Link): boolean {
  return parameterOf(link, "new_window")?.toLowerCase() === "true";
}

/** The parts of a wiki link's target as they are written: `Topic:Mac mini#Section_Tools`. */
export interface WikiTarget {
  /** What stands before the first colon, or undefined: `Topic`. Only a known word is a namespace, see `NAMESPACE_WORDS`. */
  readonly prefix: string | undefined;
  /** With underscores as they are written. */
  readonly title: string;
  /** Without the hash. */
  readonly section: string | undefined;
}

/** Takes a wiki link's target apart. */
export function readWikiTarget(target: string): WikiTarget {
  const hash = target.indexOf("#");
  const named = hash < 0 ? target : target.slice(0, hash);
  const colon = named.indexOf(":");
  return {
    prefix: colon < 0 ? undefined : named.slice(0, colon).trim(),
    title: named.slice(colon + 1).trim(),
    section: hash < 0 ? undefined : target.slice(hash + 1).trim(),
  };
}

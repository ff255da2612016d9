/** Where a heading stands on the page, and how links find it. */
export interface PlaceInOutline {
  readonly level: number;
  readonly id: string;
}

/** Gives the headings of one text their places, in the order of the text. */
export type Outline = (level: number, name: string) => PlaceInOutline;

const DEEPEST = 6;

/**
 * Headings of a text below those of its page: the first has level `highest`, none is more than one deeper than the one before it, since people who hear a page
 * move in it by levels. A name that comes again gets a number.
 *
 * @param anchors stands before each name
 */
export function createOutline(highest: number, anchors: string): Outline {
  let above: readonly number[] = [];
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (level, name) => {
    above = [...above.filter((each) => each < level), level];
    let count = counts.get(name) ?? 0;
    let id: string;
    do {
      count += 1;
      id = anchors + (count === 1 ? name : `${name}-${count}`);
    } while (taken.has(id));
    counts.set(name, count);
    taken.add(id);
    return { level: Math.min(highest + above.length - 1, DEEPEST), id };
  };
}

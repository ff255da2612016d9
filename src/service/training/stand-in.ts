/** Gives each id of a site a number that stands for it, the same one wherever the id comes again. */
export type StandIn = (id: string) => number;

/** Stand-ins in the order of first sight, from 1. */
export function createStandIns(): StandIn {
  const known = new Map<string, number>();
  return (id) => {
    const number = known.get(id) ?? known.size + 1;
    known.set(id, number);
    return number;
  };
}

/** How large the measured site is, and how often what is compared takes turns. */
export interface Sizes {
  readonly guides: number;
  /** Pictures, spread over the guides. */
  readonly media: number;
  /** Of a picture, on average. */
  readonly mediaBytes: number;
  /** Nights with changes. */
  readonly changedNights: number;
  /** Snapshots of the repository that a guide is read from. */
  readonly yearNights: number;
  readonly rounds: number;
}

/** From the environment. Throws Error for what is no whole number from 1. */
export function sizesOf(environment: NodeJS.ProcessEnv): Sizes {
  const number = (name: string, usual: number): number => {
    const value = Number(environment[name] ?? usual);
    if (Number.isInteger(value) && value > 0) return value;
    throw new Error(`${name} is ${environment[name]}, expected a whole number from 1.`);
  };
  return {
    guides: number("GUIDES", 10_000),
    media: number("MEDIA", 30_000),
    mediaBytes: number("MEDIA_BYTES", 40_000),
    changedNights: number("CHANGED_NIGHTS", 7),
    yearNights: number("YEAR_NIGHTS", 365),
    rounds: number("ROUNDS", 3),
  };
}

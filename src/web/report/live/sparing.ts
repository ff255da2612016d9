/** Of all time, what a question may take: the run is what the machine is for. */
const SHARE = 0.02;

/** Asks only so often that asking takes at most 2 % of the time, and gives the last answer in between. `now`: milliseconds. */
export function sparing<T>(ask: () => T, now: () => number = () => performance.now()): () => T {
  let last: { readonly answer: T; readonly until: number } | undefined;
  return () => {
    const begun = now();
    if (last !== undefined && begun < last.until) return last.answer;
    const answer = ask();
    last = { answer, until: begun + (now() - begun) / SHARE };
    return answer;
  };
}

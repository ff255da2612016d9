/** The ids of a guide's steps that both sides agree on, with one that was just made, where it stands. */
export function withStep(agreed: readonly string[], there: readonly string[], id: string): readonly string[] {
  const before = there.slice(0, there.indexOf(id)).findLast((each) => agreed.includes(each));
  const at = before === undefined ? 0 : agreed.indexOf(before) + 1;
  return [...agreed.slice(0, at), id, ...agreed.slice(at)];
}

/**
 * With these a site says that it does not have a call, or a whole family of calls: not found, switched off, not implemented. It is no failure of
 * a run, and no later try changes it.
 */
export const NOT_AVAILABLE: readonly number[] = [404, 405, 501];

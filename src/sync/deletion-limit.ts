/** `--max-deletions`: how much may be deleted, or found deleted, in one run. */
export type DeletionLimit = { readonly share: number } | { readonly count: number };

export const DEFAULT_DELETION_LIMIT: DeletionLimit = { share: 0.1 };

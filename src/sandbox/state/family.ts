/** Families of endpoints that a site can have switched off (option `disabled`). */
export const FAMILY_NAMES = [
  "approvals",
  "badges",
  "comments",
  "collections",
  "completions",
  "external_training_modules",
  "favorites",
  "periodic_review",
  "quizzes",
  "releases",
  "search",
  "step_forms",
  "teams",
  "user_flags",
  "user_view_history",
  "users",
  "viewers",
  "work_log",
] as const;

export type FamilyName = (typeof FAMILY_NAMES)[number];

import { z } from "zod";
import { issueSchema } from "../../core/model/issue.js";
import { keySchema } from "../../core/model/shared.js";

/** Of the format; raised by whatever an older guideferry would carry out otherwise. */
export const PLAN_VERSION = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const headSchema = z.strictObject({
  /** The version of guideferry that made it. */
  guideferry: z.string(),
  /** ISO 8601, UTC. */
  madeAt: z.string(),
  workspace: z.strictObject({ directory: z.string(), root: z.string(), siteId: z.string().nullable() }),
  /** What was read into the workspace first: a site by its API root, documents by their path; null: the workspace was taken as it was. */
  read: z.union([z.strictObject({ site: z.string() }), z.strictObject({ documents: z.string() })]).nullable(),
  target: z.strictObject({ root: z.string(), siteId: z.string().nullable() }),
  /** Every option that changes what is read and written, as it would be given. */
  choices: z.record(z.string(), z.unknown()),
  /** What each transform is made of, in their order. */
  transforms: z.array(z.strictObject({ name: z.string(), digest: sha256 })),
  counts: z.record(z.string(), z.number()),
  requests: z.number(),
  /** Over key and digest of every item that takes part. */
  sourceHash: sha256,
  /** Over what stands at the target where something is written, and what is missing there. */
  targetHash: sha256,
});
export type PlanHead = Readonly<z.infer<typeof headSchema>>;

/** The first line, with the end that makes it one of JSON. */
export const firstLineSchema = z.strictObject({ guideferryPlan: z.number(), head: headSchema, sources: z.tuple([]) });

/** Key and digest of an item that takes part. */
export const partSchema = z.tuple([keySchema, z.string()]);

/** One planned item. */
export const rowSchema = z.strictObject({
  key: keySchema,
  title: z.string(),
  action: z.enum(["create", "change", "leave", "refuse", "adopt", "delete", "gone"]),
  because: z.string().nullable(),
  operations: z.array(
    z.strictObject({
      id: z.string(),
      item: keySchema,
      hash: z.string(),
      label: z.string(),
      creates: z.boolean(),
      requests: z.number().int().nonnegative(),
    }),
  ),
  places: z.array(z.strictObject({ key: keySchema, id: z.string(), token: z.string().nullable() })),
  edited: z.array(keySchema),
  requests: z.number().int().nonnegative(),
  issues: z.array(issueSchema),
});
export type PlanRow = Readonly<z.infer<typeof rowSchema>>;

/** The lines between the lists. */
export const ITEMS_LINE = '],"items":[';
export const lastLine = (digest: string): string => `],"digest":"${digest}"}`;

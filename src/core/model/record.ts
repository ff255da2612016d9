import { z } from "zod";

/** An answer of the service kept as it came, where no model is made of it. */
export const recordSchema = z.object({
  /** Relative to the API root: `tags`, `guides/releases`. */
  path: z.string(),
  query: z.record(z.string(), z.string()),
  status: z.number().int(),
  /** UNIX seconds at which it was read. */
  readAt: z.number(),
  /** The parsed JSON; several pages are joined into one array. */
  answer: z.unknown(),
});
export type ServiceRecord = Readonly<z.infer<typeof recordSchema>>;

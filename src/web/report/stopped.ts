import { z } from "zod";
import type { Run } from "../../storage/workspace/run-log.js";

/** Why a run was stopped before its end, as its summary keeps it. */
export const stoppedSchema = z.object({
  /** For people. */
  words: z.string(),
  /** The command line that goes on; null: there is none that does. */
  goOn: z.string().nullable(),
});
export type Stopped = Readonly<z.infer<typeof stoppedSchema>>;

/** null: it was not stopped, or broke off without a word. */
export function stoppedIn({ summary }: Run): Stopped | null {
  const { success, data } = stoppedSchema.safeParse(summary?.["stopped"]);
  return success ? data : null;
}

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { RunCourse } from "./run-watch.js";
import { stageTimeSchema } from "./stage-book.js";
import { timelineSchema } from "./timeline.js";

const courseSchema = z.object({ stages: z.array(stageTimeSchema).readonly(), timeline: timelineSchema });

/** Replaces the file; a reader sees the old or the new one. Not synced: a chart that is some seconds old is no loss. Throws what the system says. */
export function writeCourse(file: string, course: RunCourse): void {
  writeFileSync(`${file}.new`, JSON.stringify(course), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** null: there is none, or what is there is none of this version. */
export function readCourse(file: string): RunCourse | null {
  try {
    return courseSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

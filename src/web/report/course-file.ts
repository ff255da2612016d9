import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { WorkspaceError } from "../../core/errors.js";
import type { RunCourse } from "./run-watch.js";
import { stageTimeSchema } from "./stage-book.js";
import { timelineSchema } from "./timeline.js";

const courseSchema = z.object({ stages: z.array(stageTimeSchema).readonly(), timeline: timelineSchema });

/** Replaces the file; a reader sees the old or the new one. Not synced: a chart that is some seconds old is no loss. Throws what the system says. */
export function writeCourse(file: string, course: RunCourse): void {
  writeFileSync(`${file}.new`, JSON.stringify(course), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** null: there is none. Throws WorkspaceError when what is there is none of this version, and what the system says. */
export function readCourse(file: string): RunCourse | null {
  const text = textIn(file);
  if (text === null) return null;
  try {
    return courseSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new WorkspaceError(`${file} is damaged, or of another version of guideferry.`, { cause });
  }
}

/** null: there is no such file. Throws what the system says. */
export function textIn(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Flags for a process whose peak of memory a test measures: V8 collects as on a small machine. On a
 * large and busy one it lets garbage pile up to several times what the program needs, and each
 * version of Node does so in another measure.
 *
 * @param megabytes most that the program may need for objects; with more the process ends with an
 * error
 */
export function smallHeap(megabytes: number): readonly string[] {
  return [`--max-old-space-size=${megabytes}`, "--max-semi-space-size=2"];
}

const TITLE = "guideferry probe, delete me, ";
const FILE = "guideferry-probe-";
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:?\d\d:?\d\d\.?\d*Z$/;

/** Files of a probe are named by the time at which it began, and at most so many milliseconds later. */
export const MOST_FILES = 200;

/** What a probe calls the things that it makes; the time to the millisecond tells two probes apart. */
export interface ProbeNames {
  readonly title: string;
  /** The title of the guide's translation: should a site put it in the place of the guide's own, that is known for a probe too. */
  readonly translated: string;
  readonly file: string;
}

export function probeNames(now: Date): ProbeNames {
  const stamp = now.toISOString();
  const other = new Date(now.getTime() + 1).toISOString();
  return {
    title: `${TITLE}${stamp}`,
    translated: `${TITLE}${other}`,
    file: `${FILE}${stamp.replaceAll(/[:.]/g, "")}.png`,
  };
}

/** File names of the further uploads of a probe, each with a time of its own behind that of the first. */
export function fileNames({ title }: Pick<ProbeNames, "title">): () => string {
  let time = Date.parse(title.slice(TITLE.length));
  return () => {
    time += 1;
    return probeNames(new Date(time)).file;
  };
}

/** Only a title with a whole time behind it: somebody may write about our probes. */
export function isProbeTitle(title: unknown): title is string {
  return typeof title === "string" && title.startsWith(TITLE) && STAMP.test(title.slice(TITLE.length));
}

export function isProbeFile(name: unknown): name is string {
  return (
    typeof name === "string" && name.startsWith(FILE) && STAMP.test(name.slice(FILE.length).replace(/\.png$/i, ""))
  );
}

/** How a site deals with external training modules. What nobody knows of the service can be set both ways. */
export interface TrainingSettings {
  /** `GET current` leaves out modules that were never published. Default false. */
  readonly hidesDrafts: boolean;
  /** Imports don't tell the file name or the address that they were started with. Default false. */
  readonly hidesSources: boolean;
  /** How many looks at its progress find a job running before it ends. Default 3, one for each stage. */
  readonly looks: number;
  /** In place of looks: how long a job runs, in milliseconds by the clock of the site. Default null. */
  readonly milliseconds: number | null;
  /** A larger package gets 413. Default: no limit. */
  readonly maxBytes: number;
  /** What a second start, and a cancel after the end, get. With 409 the body is the import. Default 422. */
  readonly wrongState: 409 | 422;
  /** Publishing again, with no draft, gets `wrongState`. Default false: it answers 200 and changes nothing. */
  readonly publishesOnce: boolean;
  /** How answers are spelt: `flat` is `{importid, status: "running"}`, `nested` is `{data: {importId, state: "RUNNING"}}`. Default `flat`. */
  readonly dialect: "flat" | "nested";
}

export const USUAL_TRAINING: TrainingSettings = {
  hidesDrafts: false,
  hidesSources: false,
  looks: 3,
  milliseconds: null,
  maxBytes: Number.POSITIVE_INFINITY,
  wrongState: 422,
  publishesOnce: false,
  dialect: "flat",
};

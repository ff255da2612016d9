import type { ProgressEvent } from "../../sync/control.js";
import type { Label } from "./writer.js";

/** Shows where a run stands, as bars or as lines. */
export interface ProgressView {
  show(event: ProgressEvent): void;
  /** A line of text that does not tear the bars. */
  line(text: string, label?: Label): void;
  /** Are bars on the screen? */
  isDrawn(): boolean;
  close(): void;
}

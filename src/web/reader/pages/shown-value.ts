import { lineSchema, stepSchema } from "../../../core/model/guide.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import { keySchema } from "../../../core/model/shared.js";
import { dayWords } from "../../components/dates.js";

/** A value of a field as people read it. */
export interface ShownValue {
  readonly text: string;
  /** Pictures, videos and documents that it names. */
  readonly media: readonly Key[];
}

const NOTHING: ShownValue = { text: "", media: [] };
const MEDIA = new Set(["image", "video", "document"]);

/** A value of a `FieldChange`; dates by the name of their field. */
export function shownValue(value: unknown, path: string): ShownValue {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === "number" && /Date$/.test(path)) return { text: dayWords(value), media: [] };
  if (typeof value === "string") return shownText(value);
  if (typeof value !== "object") return { text: String(value), media: [] };
  if (Array.isArray(value)) return together(value.map((each) => shownValue(each, path)));
  return shownObject(value);
}

function shownText(text: string): ShownValue {
  const key = keySchema.safeParse(text);
  return key.success && MEDIA.has(kindOf(key.data)) && /^\w+\/\d+$/.test(text)
    ? { text: "", media: [key.data] }
    : { text, media: [] };
}

function together(values: readonly ShownValue[]): ShownValue {
  const texts = values.map(({ text }) => text).filter((text) => text !== "");
  return { text: texts.join("\n"), media: values.flatMap(({ media }) => media) };
}

function shownObject(value: object): ShownValue {
  const step = stepSchema.safeParse(value);
  if (step.success) {
    const { title, lines, media } = step.data;
    const shown = shownValue(media.type === "images" ? media.images : media.type === "video" ? media.video : null, "");
    return together([{ text: title, media: [] }, ...lines.map((line) => shownObject(line)), shown]);
  }
  const line = lineSchema.safeParse(value);
  if (line.success) return { text: `${"  ".repeat(line.data.level)}• ${line.data.text}`, media: [] };
  if ("type" in value && value.type === "images" && "images" in value) return shownValue(value.images, "");
  if ("type" in value && value.type === "none") return NOTHING;
  return { text: JSON.stringify(value, null, 2), media: [] };
}

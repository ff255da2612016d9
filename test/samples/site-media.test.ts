import { imageSize } from "image-size";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bytes, FILES, GUIDES, json, STEPS, WIKIS } from "./site-folder.js";

const imageDetail = z.looseObject({
  image: z.looseObject({ id: z.int(), guid: z.string() }),
  srcid: z.int().nullable(),
  width: z.int(),
  height: z.int(),
  ratio: z.enum(["ONE_ONE", "FOUR_THREE", "VARIABLE"]),
  markup: z.string().nullable(),
  exif: z.union([z.looseObject({ FileSize: z.int() }), z.tuple([])]),
});
const videoDetail = z.looseObject({
  videoid: z.int(),
  width: z.int(),
  height: z.int(),
  encodings: z.array(z.looseObject({ url: z.string(), width: z.int(), height: z.int() })).min(1),
});
const documentDetail = z.looseObject({
  documentid: z.int(),
  guid: z.string(),
  filename: z.string(),
  size: z.int(),
  download_url: z.string(),
});

const images = detailsOf("images", imageDetail);
const videos = detailsOf("videos", videoDetail);
const documents = detailsOf("documents", documentDetail);
const stepImages = STEPS.flatMap(({ media }) => (media.type === "image" ? media.data : []));
const answers = FILES.filter((path) => path.endsWith(".json")).map((path) => bytes(path).toString("utf8"));

describe("the media of samples/site", () => {
  it("have bytes and a detail wherever an answer names them", () => {
    const named = answers.flatMap((text) => [...text.matchAll(/loomworks\.example\/media\/(\w+)\.(\w+)/g)]);
    const stored = new Set(FILES.filter((path) => path.startsWith("files/")).map((path) => stem(path)));
    expect(new Set(named.map((match) => match[1]))).toEqual(stored);
    const used = [
      ...stepImages,
      ...GUIDES.flatMap(({ image }) => image ?? []),
      ...WIKIS.flatMap(({ image }) => image ?? []),
    ];
    for (const { id, guid } of used) expect(images.get(id)?.image.guid).toBe(guid);
    for (const { media } of STEPS) if (media.type === "video") expect(videos.has(media.data.videoid)).toBe(true);
    for (const one of GUIDES.flatMap((guide) => guide.documents)) expect(documents.has(one.documentid)).toBe(true);
  });

  it("are pictures of the size that their details state, in three formats and three ratios", () => {
    const types = [...images.values()].map(({ image, width, height, exif }) => {
      const content = file(image.guid);
      const size = imageSize(content);
      expect([size.width, size.height]).toEqual([width, height]);
      if (!Array.isArray(exif)) expect(exif.FileSize).toBe(content.length);
      return size.type;
    });
    expect(new Set(types)).toEqual(new Set(["png", "jpg", "gif"]));
    expect(new Set([...images.values()].map(({ ratio }) => ratio)).size).toBe(3);
    expect([...images.values()].some(({ exif }) => Array.isArray(exif))).toBe(true);
    expect([...images.values()].some(({ exif }) => !Array.isArray(exif))).toBe(true);
  });

  it("are 800 x 600 or more where a step shows them, some just so; one smaller stands in texts only", () => {
    for (const { id } of stepImages) {
      expect(images.get(id)?.width).toBeGreaterThanOrEqual(800);
      expect(images.get(id)?.height).toBeGreaterThanOrEqual(600);
    }
    expect(stepImages.some(({ id }) => images.get(id)?.width === 800 && images.get(id)?.height === 600)).toBe(true);
    const shown = new Set(stepImages.map(({ id }) => id));
    const small = [...images.values()].filter(({ image, width }) => width < 800 && !shown.has(image.id));
    const texts = [
      ...WIKIS.map((one) => one.contents_raw),
      ...STEPS.flatMap(({ lines }) => lines.map((one) => one.text_raw)),
    ];
    expect(small.some(({ image }) => texts.some((text) => text.includes(`[image|${image.id}|`)))).toBe(true);
  });

  it("hold an annotated picture with its markup, and the picture that it was made from", () => {
    const annotated = [...images.values()].filter(({ markup }) => markup !== null);
    expect(annotated).toHaveLength(1);
    for (const { markup, srcid, image } of annotated) {
      expect(markup).toMatch(/crop,.*circle,.*rectangle,.*arrow,/);
      expect(images.get(srcid ?? 0)?.markup).toBeNull();
      expect(stepImages.some(({ id }) => id === image.id)).toBe(true);
    }
  });

  it("offer the sizes that fit and the original, the largest size only for large pictures", () => {
    for (const { image, width } of images.values()) {
      expect("huge" in image).toBe(width >= 1600);
      expect("large" in image).toBe(width >= 800);
      expect(image["original"]).toMatch(/\.full$/);
    }
  });

  it("are films with real bytes, one in two encodings, none too small to upload", () => {
    for (const { encodings, width, height } of videos.values()) {
      expect(width >= 480 && height >= 360).toBe(true);
      for (const { url } of encodings) expect(file(stem(url)).subarray(4, 8).toString("latin1")).toBe("ftyp");
    }
    expect([...videos.values()].some(({ encodings }) => encodings.length === 2)).toBe(true);
  });

  it("are documents with real bytes of the size stated, one with a name that needs escaping", () => {
    for (const { guid, size } of documents.values()) {
      const content = file(guid);
      expect(content.length).toBe(size);
      expect(content.subarray(0, 5).toString("latin1")).toBe("%PDF-");
      expect(content.toString("latin1").trimEnd().endsWith("%%EOF")).toBe(true);
    }
    expect([...documents.values()].some(({ filename }) => /[ ü]/.test(filename))).toBe(true);
  });
});

function detailsOf<T>(folder: string, schema: z.ZodType<T>): ReadonlyMap<number, T> {
  const paths = FILES.filter((path) => path.startsWith(`media/${folder}/`));
  return new Map(paths.map((path) => [Number(stem(path)), json(path, schema)]));
}

function stem(path: string): string {
  return /([^/]+)\.\w+$/.exec(path)?.[1] ?? path;
}

function file(guid: string): Buffer {
  const path = FILES.find((one) => one.startsWith(`files/${guid}.`));
  if (path === undefined) throw new Error(`samples/site/files has no bytes for ${guid}`);
  return bytes(path);
}

import { Readable } from "node:stream";
import sharp from "sharp";
import { expect, test } from "vitest";
import type { Key } from "../../src/core/model/key.js";
import type { SandboxOptions } from "../../src/sandbox/index.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { resizeImage } from "../../src/sync/load/resize-image.js";
import { extractFrom, issuesOf, loadInto, planAt } from "../helpers/migration.js";
import { type Pair, post, twoGuides, upload } from "../helpers/small-sites.js";

const RED = { r: 200, g: 60, b: 30, alpha: 1 };
const CLEAR = { r: 200, g: 60, b: 30, alpha: 0.25 };

/** Stored lying, shown upright, with the colours of another profile. */
async function photo(): Promise<Buffer> {
  const lying = await sharp({ create: { width: 640, height: 400, channels: 3, background: RED } })
    .withIccProfile("p3")
    .jpeg()
    .toBuffer();
  return sharp(lying).keepIccProfile().withMetadata({ orientation: 6 }).jpeg().toBuffer();
}

function drawing(width = 300, height = 600): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: CLEAR } })
    .png()
    .toBuffer();
}

/** Warp gets a third step with these pictures, on its way to a site with these limits. */
async function small(
  pictures: Readonly<Record<string, Buffer>>,
  stepLimits: SandboxOptions["stepLimits"] = "usual",
): Promise<Pair> {
  const pair = await twoGuides({ source: { stepLimits: "none" }, target: { stepLimits } });
  const data: number[] = [];
  for (const [name, bytes] of Object.entries(pictures)) data.push(await upload(pair.source, "images", name, bytes));
  const lines = [{ text: "Look.", bullet: "black", level: 0 }];
  const [first] = pair.source.state().guides;
  await post(pair.source, `guides/${first?.["guideid"]}/steps`, { orderby: 3, lines, media: { type: "image", data } });
  return pair;
}

/** The bytes that the third step of Warp shows at the target. */
async function shown({ target, guide }: Pair): Promise<readonly Buffer[]> {
  const headers = { authorization: `api ${target.token}` };
  const answer = await fetch(`${target.url}/guides/${guide("Warp").guideid}`, { headers });
  const { steps } = (await answer.json()) as {
    readonly steps: readonly { readonly media: { readonly data: readonly { readonly original: string }[] } }[];
  };
  const images = steps[2]?.media.data ?? [];
  return Promise.all(images.map(async ({ original }) => Buffer.from(await (await fetch(original)).arrayBuffer())));
}

test("a picture that the site refuses is scaled up by the least factor, with its orientation, profile and transparency, and a note", async () => {
  const pair = await small({ "photo.jpg": await photo(), "drawing.png": await drawing() });
  expect(await pair.run({ fit: "split" })).toMatchObject({ failed: 0, refused: 0 });
  const [jpeg, png] = await Promise.all((await shown(pair)).map((bytes) => sharp(bytes).metadata()));
  expect(jpeg).toMatchObject({ format: "jpeg", width: 1280, height: 800, orientation: 6, space: "srgb" });
  expect(jpeg?.icc?.length).toBe((await sharp(await photo()).metadata()).icc?.length);
  expect(png).toMatchObject({ format: "png", width: 800, height: 1600, hasAlpha: true });
  const issues = await issuesOf(pair, "guide/1");
  expect(issues.filter(({ code }) => code === "image-too-small")).toEqual([
    expect.objectContaining({ level: "note", message: expect.stringMatching(/400 x 640 pixels.*800 x 1280/) }),
    expect.objectContaining({ level: "note", message: expect.stringMatching(/300 x 600 pixels.*800 x 1600/) }),
  ]);
  expect((await pair.verify({ fit: "split" })).differences).toEqual([]);
  expect((await pair.run({ fit: "split" })).writes).toBe(0);
  expect((await planAt(pair.target, pair.workspace, { fit: "split" })).requests).toBe(0);
});

test("a picture counts as it is shown: 600 x 800 with orientation 6 is large enough", async () => {
  const lying = await sharp({ create: { width: 600, height: 800, channels: 3, background: RED } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const standing = await sharp({ create: { width: 800, height: 600, channels: 3, background: RED } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const pair = await small({ "lying.jpg": lying, "standing.jpg": standing });
  await pair.run({ fit: "split" });
  const [first, second = Buffer.of()] = await shown(pair);
  expect(first).toEqual(lying);
  // Shown as 600 x 800, it needs 800 x 1067; its bytes are stored the other way round.
  expect(await sharp(second).metadata()).toMatchObject({ width: 1067, height: 800, orientation: 6 });
  expect((await pair.verify({ fit: "split" })).differences).toEqual([]);
});

test("a picture that is too small even to be uploaded is enlarged as any other", async () => {
  for (const [stepLimits, size] of [
    ["usual", { width: 800, height: 800 }],
    ["none", { width: 50, height: 50 }],
  ] as const) {
    const pair = await small({ "drawing.png": await drawing(100, 100) }, stepLimits);
    await extractFrom(pair.source, pair.workspace);
    await replacePicture(pair.workspace, await drawing(20, 20));
    expect(await loadInto(pair.target, pair.workspace, { fit: "split" })).toMatchObject({ failed: 0, refused: 0 });
    expect((await shown(pair)).length).toBe(1);
    expect(await sharp((await shown(pair))[0]).metadata()).toMatchObject(size);
    expect((await issuesOf(pair, "guide/1")).filter(({ code }) => CODES.has(code))).toEqual([
      expect.objectContaining({ level: "note", message: expect.stringContaining("20 x 20 pixels") }),
    ]);
    expect((await pair.verify({ fit: "split" })).differences).toEqual([]);
  }
});

const CODES: ReadonlySet<string> = new Set(["image-too-small", "media-refused", "upload-too-small"]);

/** Sites refuse such pictures when they are uploaded: this one had it before they did. */
async function replacePicture(directory: string, bytes: Buffer): Promise<void> {
  const workspace = await openWorkspace(directory, { create: false, command: "test" });
  const [entry] = [...workspace.items.entries("image")];
  const item = entry === undefined ? undefined : await workspace.items.get(entry.key);
  if (entry === undefined || item?.kind !== "image") throw new Error("there is no picture");
  const opened = async () => ({ content: Readable.from([bytes]), from: 0, size: bytes.length, type: "image/png" });
  const content = await workspace.media.receive(opened, new AbortController().signal);
  await workspace.items.put({ ...item, body: { ...item.body, width: null, height: null, content } }, entry);
  await workspace.close();
}

test("--small-images pad puts it into a border, drop leaves it out, and a change of mind is carried out", async () => {
  const pair = await small({ "drawing.png": await drawing(640, 480) });
  await pair.run({ fit: "split", smallImages: "drop" });
  expect(await shown(pair)).toEqual([]);
  expect((await issuesOf(pair, "guide/1")).filter(({ code }) => code === "image-too-small")).toEqual([
    expect.objectContaining({ level: "loss" }),
  ]);
  const planned = await planAt(pair.target, pair.workspace, { fit: "split", smallImages: "pad" });
  expect(await pair.run({ fit: "split", smallImages: "pad" })).toMatchObject({ failed: 0, writes: planned.requests });
  const [padded = Buffer.of()] = await shown(pair);
  expect(await sharp(padded).metadata()).toMatchObject({ width: 800, height: 600 });
  const pixels = await sharp(padded).raw().toBuffer();
  const at = (x: number, y: number) => [...pixels.subarray((y * 800 + x) * 4, (y * 800 + x) * 4 + 4)];
  expect([at(0, 0)[3], at(79, 59)[3], at(80, 60), at(719, 539)]).toEqual([0, 0, [200, 60, 30, 64], [200, 60, 30, 64]]);
  expect((await pair.verify({ fit: "split", smallImages: "pad" })).differences).toEqual([]);
});

test("a site that takes small pictures gets the very bytes", async () => {
  const picture = await photo();
  const pair = await small({ "photo.jpg": picture }, "none");
  await pair.run({ fit: "split" });
  expect(await shown(pair)).toEqual([picture]);
});

test("one that would grow without measure, and one that is damaged, cost nothing but themselves", async () => {
  const whole = await drawing(60, 3000);
  const pair = await small({ "thin.png": whole, "drawing.png": await drawing() });
  await pair.run({ fit: "split" });
  expect(await shown(pair)).toHaveLength(1);
  expect((await issuesOf(pair, "guide/1")).filter(({ code }) => code === "image-too-small")).toContainEqual(
    expect.objectContaining({ level: "loss", message: expect.stringContaining("more than 24 million pixels") }),
  );
  const damaged = await drawing(640, 480);
  damaged.fill(0, damaged.length / 2, damaged.length / 2 + 20);
  const other = await small({ "damaged.png": damaged, "drawing.png": await drawing() });
  expect(await other.run({ fit: "split" })).toMatchObject({ failed: 1 });
  expect(await shown(other)).toHaveLength(1);
  expect(await issuesOf(other, "guide/1")).toContainEqual(expect.objectContaining({ code: "media-not-there" }));
});

const OF: Key = "image/1";

test.each([
  ["cmyk", () => picture("cmyk").jpeg().toBuffer(), { format: "jpeg", space: "cmyk" }],
  ["16 bits", () => picture("rgb16").png().toBuffer(), { format: "png", depth: "ushort" }],
  ["grey", () => picture("b-w").jpeg().toBuffer(), { format: "jpeg", space: "b-w" }],
  ["webp", () => picture("srgb").webp().toBuffer(), { format: "webp" }],
  ["tiff", () => picture("srgb").tiff().toBuffer(), { format: "tiff" }],
  ["avif", () => picture("srgb").avif().toBuffer(), { format: "heif", compression: "av1" }],
] as const)("a picture in %s keeps its format and colours in another size", async (_, make, expected) => {
  const bytes = await make();
  for (const how of ["enlarge", "pad"] as const) {
    const made = await resizeImage(bytes, { of: OF, how, size: { width: 800, height: 600 } });
    expect(await sharp(made).metadata()).toMatchObject({ ...expected, width: 800, height: 600 });
    const [before, after] = await Promise.all([bytes, made].map((one) => middle(one)));
    for (const [channel, value] of (before ?? []).entries())
      expect(Math.abs(value - (after?.[channel] ?? 999))).toBeLessThan(6);
  }
});

test("an animation keeps its frames", async () => {
  const frames = [RED, CLEAR, { ...RED, g: 200 }].map((background) =>
    sharp({ create: { width: 200, height: 100, channels: 4, background } })
      .png()
      .toBuffer(),
  );
  const gif = await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toBuffer();
  for (const how of ["enlarge", "pad"] as const) {
    const made = await sharp(await resizeImage(gif, { of: OF, how, size: { width: 1200, height: 600 } })).metadata();
    expect(made).toMatchObject({ format: "gif", pages: 3, width: 1200, hasAlpha: true });
  }
});

function picture(space: string) {
  return sharp({ create: { width: 400, height: 300, channels: 3, background: RED } }).toColourspace(space);
}

/** The pixel in the middle, as sRGB. */
async function middle(bytes: Buffer): Promise<readonly number[]> {
  const { data, info } = await sharp(bytes)
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return [...data.subarray(at, at + info.channels)];
}

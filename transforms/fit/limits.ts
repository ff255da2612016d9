/** Lengths are UTF-16 code units: a site that counts code points never counts more. */
export interface SiteLimits {
  readonly summary: number;
  readonly introductionLines: number;
  /** Characters, at least 1. */
  readonly lineLength: number;
  /** At least 1. */
  readonly linesPerStep: number;
  /** The first line has 0, each next line is at most one level deeper. */
  readonly maximumLevel: number;
  readonly imagesPerStep: number;
  /** Pixels for an image of a step. */
  readonly minimumImage: Size;
  readonly minimumVideo: Size;
  readonly minimumUpload: Size;
  readonly uploadBytes: number;
  /** Lower case, without the dot. */
  readonly imageExtensions: readonly string[];
  /** The site's list for every upload; null: unknown, so everything is tried. */
  readonly extensions: readonly string[] | null;
  readonly tagLength: number;
  readonly pageTitle: number;
  readonly difficulties: readonly string[];
  /** null: unknown, so every type is tried. */
  readonly guideTypes: readonly string[] | null;
  /** Guide types that require a subject. */
  readonly subjectTypes: readonly string[];
  /** Flags that the account may set; null: unknown, so every flag is tried. */
  readonly flags: readonly string[] | null;
}

/** Limits without a specification; assumed until a probe finds others. */
export type StepLimits = Pick<SiteLimits, "lineLength" | "linesPerStep" | "minimumImage">;

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The limits of the service itself; what a site sets for itself is unknown here (null).
 *
 * Sources: `summary`, `introductionLines`, `difficulties`: specification, POST /guides.
 * `lineLength`, `linesPerStep`, `maximumLevel`: api-facts 4.4. `imagesPerStep`, `minimumImage`,
 * `minimumVideo`: api-facts 4.5. `minimumUpload`, `uploadBytes`, `imageExtensions`: api-facts 5.2.
 * `tagLength`: api-facts 4.6. `pageTitle`: api-facts 8.4.
 */
export const SERVICE_LIMITS: SiteLimits = {
  // "Fewer than 156"; the facts also have 156 and, long ago, 255. The smallest holds everywhere.
  summary: 155,
  introductionLines: 49,
  lineLength: 350,
  linesPerStep: 8,
  maximumLevel: 2,
  imagesPerStep: 3,
  minimumImage: { width: 800, height: 600 },
  minimumVideo: { width: 480, height: 360 },
  minimumUpload: { width: 50, height: 50 },
  // "80 MB" may mean thousands or 1024s; the smaller reading is always safe.
  uploadBytes: 80_000_000,
  imageExtensions: ["jpg", "jpeg", "png", "gif", "bmp", "tif", "tiff", "heic", "webp", "avif"],
  extensions: null,
  tagLength: 32,
  pageTitle: 255,
  difficulties: ["Very easy", "Easy", "Moderate", "Difficult", "Very difficult"],
  guideTypes: null,
  subjectTypes: [],
  flags: null,
};

export function isSmaller(size: Size, least: Size): boolean {
  return size.width < least.width || size.height < least.height;
}

/**
 * What a site takes. Lengths are UTF-16 code units, so that a site which counts code points never
 * finds more than we did.
 */
export interface SiteLimits {
  /** Characters of a guide's summary. */
  readonly summary: number;
  /** Lines of a guide's introduction. */
  readonly introductionLines: number;
  /** Characters of a line of a step; the least is 1. */
  readonly lineLength: number;
  /** Lines of a step; the least is 1. */
  readonly linesPerStep: number;
  /** The deepest indentation of a line; the first line has 0, and each goes one deeper at most. */
  readonly maximumLevel: number;
  readonly imagesPerStep: number;
  /** Pixels that an image needs to be attached to a step. */
  readonly minimumImage: Size;
  /** Pixels that a video needs. */
  readonly minimumVideo: Size;
  /** Pixels that an image needs to be uploaded. */
  readonly minimumUpload: Size;
  /** Bytes of an uploaded image. */
  readonly uploadBytes: number;
  /** File name extensions that images may have, lower case, without the dot. */
  readonly imageExtensions: readonly string[];
  /**
   * The site's own list of extensions for every upload; null: not known, so everything is tried.
   */
  readonly extensions: readonly string[] | null;
  readonly tagLength: number;
  /** Characters of a wiki's page title. */
  readonly pageTitle: number;
  /** The labels that `difficulty` may have. */
  readonly difficulties: readonly string[];
  /** The guide types that the site is set to; null: not known, so every type is tried. */
  readonly guideTypes: readonly string[] | null;
  /** The guide types that the site asks a subject for. */
  readonly subjectTypes: readonly string[];
  /** The guide flags that the account may set; null: not known, so every flag is tried. */
  readonly flags: readonly string[] | null;
}

/**
 * The limits of steps that the specification does not state: they are assumed, until a site tells
 * otherwise.
 */
export type StepLimits = Pick<SiteLimits, "lineLength" | "linesPerStep" | "minimumImage">;

/** Pixels. */
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
  // "Fewer than 156": the facts also tell of 156 and, long ago, of 255; the smallest is taken
  // everywhere.
  summary: 155,
  introductionLines: 49,
  lineLength: 350,
  linesPerStep: 8,
  maximumLevel: 2,
  imagesPerStep: 3,
  minimumImage: { width: 800, height: 600 },
  minimumVideo: { width: 480, height: 360 },
  minimumUpload: { width: 50, height: 50 },
  // "80 MB" may be meant in thousands or in 1024s; the smaller reading is right in both cases.
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

/** Does something miss a size in one direction or the other? */
export function isSmaller(size: Size, least: Size): boolean {
  return size.width < least.width || size.height < least.height;
}

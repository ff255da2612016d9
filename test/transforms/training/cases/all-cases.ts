import { AICC_CASES } from "./aicc-cases.js";
import type { Case } from "./case.js";
import { CMI5_CASES } from "./cmi5-cases.js";
import { PACKAGE_CASES } from "./package-cases.js";
import { SCORM_CASES } from "./scorm-cases.js";
import { SCORM_FILE_CASES } from "./scorm-file-cases.js";
import { SCORM_VERSION_CASES } from "./scorm-version-cases.js";
import { TINCAN_CASES } from "./tincan-cases.js";
import { XML_CASES } from "./xml-cases.js";

/** Every package of the tables. */
export const ALL_CASES: readonly Case[] = [
  ...PACKAGE_CASES,
  ...XML_CASES,
  ...SCORM_CASES,
  ...SCORM_FILE_CASES,
  ...SCORM_VERSION_CASES,
  ...CMI5_CASES,
  ...TINCAN_CASES,
  ...AICC_CASES,
];

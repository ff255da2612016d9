import { CONTENT_ENDPOINTS } from "./content-endpoints.js";
import { CONTROL_ENDPOINTS } from "./control-endpoints.js";
import type { Endpoint } from "./endpoint.js";
import { OTHER_ENDPOINTS } from "./other-endpoints.js";
import { PEOPLE_ENDPOINTS } from "./people-endpoints.js";
import { TRAINING_ENDPOINTS } from "./training-endpoints.js";

/** Every method and path of the service that is known, each once, and what guideferry does with it. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...CONTENT_ENDPOINTS,
  ...CONTROL_ENDPOINTS,
  ...TRAINING_ENDPOINTS,
  ...PEOPLE_ENDPOINTS,
  ...OTHER_ENDPOINTS,
];

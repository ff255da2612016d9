import { activity, tincan } from "../../../helpers/training-packages.js";
import type { Case } from "./case.js";

function xapi(activities?: string): Case["made"] {
  return { "tincan.xml": tincan(activities), "index.html": "" };
}

/** What tincan.xml says (training modules, 2.6). */
export const TINCAN_CASES: readonly Case[] = [
  { name: "an xAPI package", made: xapi(), codes: [] },
  {
    name: "an xAPI package in folders that hold nothing else",
    made: { "course/en/tincan.xml": tincan(), "course/en/index.html": "" },
    codes: [],
  },
  {
    name: "tincan of another namespace",
    made: { "tincan.xml": tincan(activity(), "urn:x"), "index.html": "" },
    codes: ["E_MAN_ROOT_ELEMENT"],
  },
  ...["my course", "", "example.com/a"].map((id) => ({
    name: `an activity with the id "${id}"`,
    made: xapi(activity({ id })),
    codes: ["E_TINCAN_ACTIVITY_ID"],
  })),
  {
    name: "two activities with a launch",
    made: xapi(activity() + activity({ id: "urn:b" })),
    codes: ["E_TINCAN_MULTI_LAUNCH"],
  },
  {
    name: "a second activity with a resource",
    made: xapi(activity() + activity({ id: "urn:b", launch: "<resource>index.html</resource>" })),
    codes: ["E_TINCAN_MULTI_LAUNCH"],
  },
  {
    name: "a second activity without a launch",
    made: xapi(activity() + activity({ id: "urn:b", launch: "" })),
    codes: [],
  },
  {
    name: "a launch in two languages",
    made: xapi(activity({ launch: '<launch lang="en">index.html</launch><launch lang="fr">index.html</launch>' })),
    codes: [],
  },
  { name: "no launch", made: xapi(activity({ launch: "<launch> </launch>" })), codes: ["E_TINCAN_NO_LAUNCH"] },
  { name: "no activity", made: xapi(""), codes: ["E_TINCAN_NO_LAUNCH"] },
  {
    name: "a launch that leads nowhere",
    made: xapi(activity({ launch: "<launch>two.html</launch>" })),
    codes: ["E_MAN_LAUNCH_MISSING"],
  },
  {
    name: "a launch out of the package",
    made: xapi(activity({ launch: "<launch>file:///etc/hosts</launch>" })),
    codes: ["E_MAN_LAUNCH_UNSAFE"],
  },
  { name: "an activity without a name", made: xapi(activity({ name: "" })), codes: ["W_MAN_TITLE_MISSING"] },
  {
    name: "tincan.xml alone with a launch in the web",
    made: { lone: "tincan.xml", content: tincan(activity({ launch: "<launch>https://example.com/a</launch>" })) },
    codes: ["W_MAN_EXTERNAL_HREF"],
  },
  {
    name: "tincan.xml alone with a launch without a host",
    made: { lone: "tincan.xml", content: tincan() },
    codes: ["E_MAN_LAUNCH_MISSING"],
  },
];

import { au, cmi5Structure, TITLED } from "../../../helpers/training-packages.js";
import type { Case } from "./case.js";

function cmi5(inside: string, more: Readonly<Record<string, string>> = {}): Case["made"] {
  return { "cmi5.xml": cmi5Structure({ inside }), "index.html": "", ...more };
}

function url(address: string): string {
  return au({ inside: `${TITLED}<url>${address}</url>` });
}

const OBJECTIVE =
  '<objective id="https://example.com/o/1"><description><langstring>b</langstring></description><title><langstring>a</langstring></title></objective>';
const SCHEMA = ["E_CMI5_SCHEMA"];

/** What cmi5.xml says (training modules, 2.5). */
export const CMI5_CASES: readonly Case[] = [
  { name: "cmi5 with one unit", made: cmi5(au()), codes: [] },
  {
    name: "cmi5 with all that the schema knows",
    made: cmi5(
      `<objectives>${OBJECTIVE}<x:y xmlns:x="urn:x"/></objectives><block id="urn:b" xml:lang="en">${TITLED}<objectives><objective idref="urn:o"/></objectives>${au(
        {
          attributes: 'moveOn="Passed" masteryScore="0.5" launchMethod="OwnWindow" activityType="urn:t"',
          inside: `${TITLED}<url> index.html?a=1 </url><launchParameters>x</launchParameters><entitlementKey/><x:y xmlns:x="urn:x"/>`,
        },
      )}</block>`,
    ),
    codes: [],
  },
  {
    name: "cmi5 of another namespace",
    made: { "cmi5.xml": cmi5Structure({ namespace: "http://www.aicc.org/cmi5" }), "index.html": "" },
    codes: ["E_MAN_ROOT_ELEMENT"],
  },
  { name: "cmi5 without a unit", made: cmi5(""), codes: ["E_CMI5_SCHEMA", "E_MAN_NO_LAUNCH"] },
  {
    name: "cmi5 without a course",
    made: { "cmi5.xml": cmi5Structure({ course: "" }), "index.html": "" },
    codes: SCHEMA,
  },
  ...[
    ["a title behind the url", au({ inside: `<url>index.html</url>${TITLED}` })],
    ["a unit without a url", au({ inside: TITLED })],
    ["an empty url", url(" ")],
    ["two urls", au({ inside: `${TITLED}<url>index.html</url><url>index.html</url>` })],
    ["objectives behind the units", `${au()}<objectives>${OBJECTIVE}</objectives>`],
    ["an unknown element", au({ inside: `${TITLED}<url>index.html</url><color/>` })],
    ["an extension before the url", au({ inside: `${TITLED}<x:y xmlns:x="urn:x"/><url>index.html</url>` })],
    ["an element without a namespace", au({ inside: `${TITLED}<url>index.html</url><y xmlns=""/>` })],
    ["text between elements", `${au()}and more`],
    ["an unknown attribute", au({ attributes: 'color="red"' })],
    ["a score of 80", au({ attributes: 'masteryScore="80"' })],
    ["a score in words", au({ attributes: 'masteryScore="1e-1"' })],
    ["moveOn in small letters", au({ attributes: 'moveOn="passed"' })],
    ["an unknown launchMethod", au({ attributes: 'launchMethod="Frame"' })],
    ["a language that is none", au({ inside: `${TITLED.replace('"en"', '"en_US"')}<url>index.html</url>` })],
    [
      "an objective with a title only",
      `<objectives><objective id="urn:o"><title><langstring>a</langstring></title></objective></objectives>${au()}`,
    ],
    [
      "a reference with an id for an idref",
      `<block id="urn:b">${TITLED}<objectives><objective id="urn:o"/></objectives>${au()}</block>`,
    ],
    ["a unit without an id", au().replace('id="https://example.com/au/1"', "")],
    ["an empty list of objectives", `<objectives/>${au()}`],
  ].map(([name = "", inside = ""]) => ({ name: `cmi5 with ${name}`, made: cmi5(inside), codes: SCHEMA })),
  {
    name: "cmi5 with an empty block",
    made: cmi5(`<block id="urn:b">${TITLED}</block>`),
    codes: ["E_CMI5_SCHEMA", "E_MAN_NO_LAUNCH"],
  },
  ...["w3id.org/x", "au 1", "http:", "urn:a b", "/a", "http://"].map((id) => ({
    name: `cmi5 with the id ${id}`,
    made: cmi5(au({ id })),
    codes: ["E_CMI5_IRI"],
  })),
  {
    name: "cmi5 with a bad id of an objective",
    made: cmi5(`<objectives>${OBJECTIVE.replace("https:", "")}</objectives>${au()}`),
    codes: ["E_CMI5_IRI"],
  },
  { name: "cmi5 with a unit twice", made: cmi5(au() + au()), codes: ["E_CMI5_DUP_ID"] },
  {
    name: "cmi5 with an objective twice",
    made: cmi5(`<objectives>${OBJECTIVE}${OBJECTIVE}</objectives>${au()}`),
    codes: ["E_CMI5_DUP_ID"],
  },
  {
    name: "cmi5 with a block named as its unit",
    made: cmi5(`<block id="https://example.com/au/1">${TITLED}${au()}</block>`),
    codes: ["E_CMI5_DUP_ID"],
  },
  ...["http://example.com index.html", "a\\b.html", "a%zz.html", "http://", "https://exa mple/", "http://[x]/"].map(
    (address) => ({
      name: `cmi5 with the url ${address}`,
      made: cmi5(url(address)),
      codes: ["E_CMI5_URL_INVALID"],
    }),
  ),
  { name: "cmi5 with a url that leads nowhere", made: cmi5(url("two.html")), codes: ["E_CMI5_URL_MISSING_FILE"] },
  { name: "cmi5 with a url in other letter case", made: cmi5(url("Index.html")), codes: ["W_MAN_CASE_MISMATCH"] },
  ...["../index.html", "file:///x", "javascript:x"].map((address) => ({
    name: `cmi5 with the url ${address}`,
    made: cmi5(url(address)),
    codes: ["E_MAN_LAUNCH_UNSAFE"],
  })),
  { name: "cmi5 with a url at the root of a server", made: cmi5(url("/index.html")), codes: ["W_MAN_HREF_ROOT"] },
  ...["endpoint", "fetch", "actor", "registration", "activityId"].map((name) => ({
    name: `cmi5 with ${name} in a url`,
    made: cmi5(url(`index.html?a=1&amp;${name}=2`)),
    codes: ["E_CMI5_QUERY_CONFLICT"],
  })),
  { name: "cmi5 with a url in the web", made: cmi5(url("https://example.com/a")), codes: ["W_MAN_EXTERNAL_HREF"] },
  {
    name: "cmi5 alone with a url in the web",
    made: { lone: "a.xml", content: cmi5Structure({ inside: url("https://example.com/a") }) },
    codes: [],
  },
  {
    name: "cmi5 alone with a url without a host",
    made: { lone: "a.xml", content: cmi5Structure() },
    codes: ["E_CMI5_REL_URL_NO_ZIP"],
  },
  {
    name: "cmi5 with 1,500 units",
    made: cmi5(Array.from({ length: 1500 }, (_none, at) => au({ id: `urn:${at}` })).join("")),
    codes: [],
  },
  {
    name: "cmi5 with 5,001 units",
    made: cmi5(Array.from({ length: 5001 }, (_none, at) => au({ id: `urn:${at}` })).join("")),
    codes: ["E_MAN_TOO_MANY_ITEMS"],
  },
  {
    name: "cmi5 with an empty title",
    made: cmi5(au({ inside: `${TITLED.replace(">title<", "><")}<url>index.html</url>` })),
    codes: ["W_MAN_TITLE_MISSING"],
  },
];

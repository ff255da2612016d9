import { item, organization, scormManifest, scormPackage } from "../../../helpers/training-packages.js";
import type { Case } from "./case.js";

const MANIFEST = scormManifest();
const UTF16 = scormManifest({ declaration: '<?xml version="1.0" encoding="UTF-16"?>' });

/** The text of manifests (training modules, row XML of 3.1). */
export const XML_CASES: readonly Case[] = [
  ...[
    ["an open element", MANIFEST.replace("</organizations>", "")],
    ["two roots", `${MANIFEST}<manifest/>`],
    ["text behind the root", `${MANIFEST}x`],
    ["an attribute twice", MANIFEST.replace("<manifest ", '<manifest version="2" ')],
    ["a control character", MANIFEST.replace("Fire", "F\u0001re")],
    ["an entity that nothing declares", MANIFEST.replace("Fire", "&nbsp;")],
    ["no element at all", "  "],
    ["plain text", "Sign in to go on"],
  ].map(([name = "", manifest = ""]) => ({
    name,
    made: { "imsmanifest.xml": manifest, "index.html": "" },
    codes: ["E_XML_NOT_WELLFORMED"],
  })),
  {
    name: "Latin-1 that calls itself UTF-8",
    made: { "imsmanifest.xml": Buffer.from(MANIFEST.replace("Fire", "Sécurité"), "latin1"), "index.html": "" },
    codes: ["W_XML_ENCODING"],
  },
  ...[
    ["an overlong character", [0xc0, 0xaf]],
    ["half of a pair", [0xed, 0xa0, 0x80]],
    ["UTF-8 and a byte that is none", [0xc3, 0xa9, 0xe9]],
    ["a byte that neither UTF-8 nor windows-1252 has", [0x81]],
  ].map(([name = "", bytes = []]) => ({
    name: `${name} in what calls itself UTF-8`,
    made: {
      "imsmanifest.xml": Buffer.from(
        MANIFEST.replace("Fire", Buffer.from(bytes as number[]).toString("latin1")),
        "latin1",
      ),
      "index.html": "",
    },
    codes: ["E_XML_NOT_WELLFORMED", "W_XML_ENCODING"],
  })),
  {
    name: "UTF-8 by its mark, with a byte of Latin-1",
    made: {
      "imsmanifest.xml": Buffer.from(`\u00ef\u00bb\u00bf${MANIFEST.replace("Fire", "é")}`, "latin1"),
      "index.html": "",
    },
    codes: ["E_XML_NOT_WELLFORMED", "W_XML_ENCODING"],
  },
  {
    name: "UTF-7",
    made: { "imsmanifest.xml": MANIFEST.replace("UTF-8", "UTF-7"), "index.html": "" },
    codes: ["E_XML_NOT_WELLFORMED", "W_XML_ENCODING"],
  },
  {
    name: "windows-1252 as it should be, with a dash and quotes",
    made: {
      "imsmanifest.xml": Buffer.from(
        MANIFEST.replace("UTF-8", "windows-1252").replace("Fire", "\u0093Fire\u0094 \u0096 \u0080"),
        "latin1",
      ),
      "index.html": "",
    },
    codes: [],
  },
  {
    name: "a document type",
    made: scormPackage({ declaration: '<!DOCTYPE manifest [<!ENTITY a "b">]>' }),
    codes: ["E_XML_DOCTYPE"],
  },
  {
    name: "65 elements in each other",
    made: scormPackage({ behind: `${"<x>".repeat(64)}${"</x>".repeat(64)}` }),
    codes: ["E_XML_DEPTH"],
  },
  {
    name: "64 elements in each other",
    made: scormPackage({ behind: `${"<x>".repeat(63)}${"</x>".repeat(63)}` }),
    codes: [],
  },
  {
    name: "a manifest of 17 MiB",
    made: { "imsmanifest.xml": 17 * 1024 * 1024, "index.html": "" },
    codes: ["E_XML_TOO_LARGE"],
  },
  {
    name: "101 attributes at one element",
    made: scormPackage({ attributes: Array.from({ length: 101 }, (_none, index) => `a${index}="1"`).join(" ") }),
    codes: ["E_XML_TOO_LARGE"],
  },
  {
    name: "200,000 elements that are no items",
    made: scormPackage({ behind: "<x/>".repeat(200_000) }),
    codes: ["E_XML_TOO_LARGE"],
  },
  {
    name: "a title of 4,097 characters",
    made: scormPackage({
      organizations: organization(item("I1", "R1", { title: `<title>${"x".repeat(4097)}</title>` })),
    }),
    codes: ["E_XML_TEXT_TOO_LONG"],
  },
  {
    name: "a text of more than 65,536 characters",
    made: scormPackage({ metadata: `<metadata><schema>${"x".repeat(65_537)}</schema></metadata>` }),
    codes: ["E_XML_TEXT_TOO_LONG"],
  },
  {
    name: "an attribute of more than 65,536 characters",
    made: scormPackage({ attributes: `a="${"x".repeat(65_537)}"` }),
    codes: ["E_XML_TEXT_TOO_LONG"],
  },
  { name: "an attribute of 65,536", made: scormPackage({ attributes: `a="${"x".repeat(65_536)}"` }), codes: [] },
  ...["__proto__", "constructor", "prototype"].map((name) => ({
    name: `an element named ${name}`,
    made: scormPackage({ behind: `<${name}/>` }),
    codes: ["E_XML_DANGEROUS_NAME"],
  })),
  {
    name: "UTF-8 that calls itself UTF-16",
    made: { "imsmanifest.xml": UTF16, "index.html": "" },
    codes: ["W_XML_ENCODING"],
  },
  {
    name: "UTF-16 without a byte order mark",
    made: { "imsmanifest.xml": Buffer.from(UTF16, "utf16le"), "index.html": "" },
    codes: ["W_XML_ENCODING"],
  },
  {
    name: "UTF-16 as it should be",
    made: { "imsmanifest.xml": Buffer.from(`\ufeff${UTF16}`, "utf16le"), "index.html": "" },
    codes: [],
  },
  {
    name: "Latin-1 as it should be",
    made: {
      "imsmanifest.xml": Buffer.from(MANIFEST.replace("UTF-8", "ISO-8859-1").replace("Fire", "Sécurité"), "latin1"),
      "index.html": "",
    },
    codes: [],
  },
  {
    name: "lines before the declaration",
    made: { "imsmanifest.xml": `\n${MANIFEST}`, "index.html": "" },
    codes: ["W_XML_DECLARATION"],
  },
  {
    name: "XML 1.1",
    made: { "imsmanifest.xml": MANIFEST.replace('version="1.0"', 'version="1.1"'), "index.html": "" },
    codes: ["W_XML_DECLARATION"],
  },
  {
    name: "a bare ampersand",
    made: { "imsmanifest.xml": MANIFEST.replace("Fire", "Fire & flood"), "index.html": "" },
    codes: ["W_XML_REPAIRED_AMPERSAND"],
  },
  {
    name: "a prefix that nothing declares",
    made: scormPackage({ namespaces: 'xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"' }),
    codes: ["W_XML_UNBOUND_PREFIX"],
  },
  {
    name: "XInclude",
    made: scormPackage({ behind: '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///a"/>' }),
    codes: ["W_XML_FOREIGN_ELEMENT"],
  },
  {
    name: "a page in the manifest",
    made: scormPackage({ behind: '<script xmlns="http://www.w3.org/1999/xhtml">x</script>' }),
    codes: ["W_XML_FOREIGN_ELEMENT"],
  },
  {
    name: "a vendor's element outside of metadata",
    made: scormPackage({ behind: '<v:tool xmlns:v="https://vendor.example/ns"/>' }),
    codes: [],
  },
  {
    name: "QTI",
    made: scormPackage({
      metadata: "<metadata><schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion></metadata>",
      resources: '<resources><resource identifier="R1" type="imsqti_test_xmlv2p1" href="index.html"/></resources>',
    }),
    codes: ["E_PKG_UNSUPPORTED_STANDARD"],
  },
  {
    name: "another schema's name over a SCORM manifest",
    made: scormPackage({
      metadata: "<metadata><schema>IMS Content</schema><schemaversion>1.2</schemaversion></metadata>",
    }),
    codes: [],
  },
  {
    name: "a vendor's element in metadata",
    made: scormPackage({
      metadata:
        '<metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion><v:tool xmlns:v="https://vendor.example/ns">9</v:tool></metadata>',
    }),
    codes: [],
  },
  {
    name: "an instruction for a style sheet",
    made: scormPackage({ declaration: '<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/x.xsl"?>' }),
    codes: [],
  },
];

// The public names of the pure parts, `guideferry/transforms`. README.md describes them by folder.

export { type Converted, type ConvertOptions, convert } from "./convert/convert.js";
export { type ConvertDocumentOptions, convertDocument } from "./convert/convert-document.js";
export type { ConvertIssue, SourceFormat, TargetFormat } from "./convert/formats.js";
export { pageOf } from "./convert/page/page-of.js";
export { type ReadPage, type ReadPageOptions, readPage } from "./convert/page/read-page.js";
export { htmlPage, markdownPage } from "./convert/page/write-page.js";
export { type FromDocumentTree, fromDocumentTree } from "./document-tree/from-document-tree.js";
export { type ToDocumentTree, toDocumentTree } from "./document-tree/to-document-tree.js";
export { fitGuide, fitMedia, fitWiki } from "./fit/fit.js";
export { type FromHtml, fromHtml } from "./html/from-html.js";
export { readerHtml } from "./html/reader/reader-html.js";
export { toHtml } from "./html/to-html.js";
export { type PlainHtmlOptions, toPlainHtml } from "./html/to-plain-html.js";
export { FORMATS, TRANSFORMS } from "./index.js";
export { type FromMarkdown, type FromMarkdownOptions, fromMarkdown } from "./markdown/from-markdown.js";
export { type ToMarkdown, toMarkdown } from "./markdown/to-markdown.js";
export { type ManualFault, type ManualResult, type ReadManualOptions, readManual } from "./omanual/read-manual.js";
export { references } from "./references/references.js";
export { rewriteReferences } from "./references/rewrite-references.js";
export { termsOf } from "./search.js";
export { type Candidate, type Recognition, recognise } from "./training/recognise.js";
export { validateLoneFile, validatePackage } from "./training/validate-package.js";
export { type Parsed, type ParseOptions, parse as parseWiki } from "./wiki/parse.js";
export { print as printWiki } from "./wiki/print.js";
export { type ReadXmlOptions, readXml } from "./xml/read-xml.js";

/** Imports: OpenAPI documents and CustomResourceDefinitions of servers become files of definitions. Nothing is read or written here. */
export { importCustomResources } from './custom-resources.js';
export { type DiscoveredNames, type Discovery, nothingDiscovered, readDiscovery } from './discovery.js';
export { type Imported, type ImportedFile, type ImportOptions, importOpenApi } from './import-openapi.js';
export { MAX_DOCUMENT_BYTES, type ParsedDocument, parseDocument } from './parse-document.js';
export { printDefinition } from './print-file.js';
export { printRemarks, type Remark, summarizeRemarks } from './remarks.js';

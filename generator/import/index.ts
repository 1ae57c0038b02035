/**
 * Imports OpenAPI documents and CustomResourceDefinitions of servers as files of definitions. Reads and writes nothing.
 */
export { customResourcesIn, importCustomResources } from './custom-resources.js';
export { type DiscoveredNames, nothingDiscovered, readDiscovery } from './discovery.js';
export { type Imported, importOpenApi } from './import-openapi.js';
export type { ImportedFile } from './imported-file.js';
export { printDefinition } from './imported-file.js';
export { MAX_DOCUMENT_BYTES, parseDocument } from './parse-document.js';
export { printRemarks, summarizeRemarks } from './remarks.js';

/** OpenAPI documents of resources: Swagger 2.0 for the whole API, OpenAPI 3.0 per group version. */
export type * from './document.js';
export { encodeOpenApiJson } from './json.js';
export { isOpenApiV2, mergeOpenApiV2, versionOfOpenApiV2 } from './merge-v2.js';
export { kubernetesNaming, platformNaming } from './naming.js';
export type { OpenApiOptions, OpenApiResource } from './options.js';
export { buildOpenApiV2 } from './v2.js';
export { buildOpenApiV3, buildOpenApiV3Index, openApiV3Paths } from './v3.js';

/** An independent validator accepts the documents of the project's own kinds and of hundreds of real definitions. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../generator/check/load-definitions.js';
import {
  buildOpenApiV2,
  buildOpenApiV3,
  encodeOpenApiJson,
  type OpenApiResource,
  openApiV3Paths,
  platformNaming,
} from '../../runtime/schema/openapi/index.js';
import { custom } from '../../test/unit/runtime/schema/openapi/resources.js';

const options = { naming: platformNaming, title: 'Test', version: 'v1' };
const folder = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const native = folder('schemas');
/** Definitions of other projects; not part of a checkout. */
const wild = folder('../shared/crds/definitions');

const resourcesIn = (path: string): OpenApiResource[] =>
  existsSync(path)
    ? loadDefinitions(path).model.resources.flatMap((resource) =>
        resource.versions.map((version) => ({ ...resource, ...version, version: version.name })),
      )
    : [];

/** One validator for all documents, because it compiles the schema of each version of OpenAPI once. */
const validator = new Validator();

async function problemsOf(document: unknown): Promise<unknown> {
  // The validator treats a property that is called $ref as a reference.
  const text = encodeOpenApiJson(document).replaceAll('"$ref":{', '"reference":{');
  const result = await validator.validate(JSON.parse(text));
  return result.valid ? [] : result.errors;
}

async function checkAll(resources: readonly OpenApiResource[]): Promise<void> {
  expect(await problemsOf(buildOpenApiV2(resources, options))).toEqual([]);
  for (const path of openApiV3Paths(resources)) {
    expect(await problemsOf(buildOpenApiV3(path, resources, options)), path).toEqual([]);
  }
}

describe('documents', () => {
  it('are refused when they are not valid', async () => {
    const broken = custom({ group: 'a.b', kind: 'A', plural: 'as', schema: { type: 'object', minLength: -1 } });
    expect(await problemsOf(buildOpenApiV2([broken], options))).not.toEqual([]);
    expect(await problemsOf(buildOpenApiV3('apis/a.b/v1', [broken], options))).not.toEqual([]);
  });

  it.skipIf(!existsSync(native))('of built-in kinds are valid', async () => {
    const resources = resourcesIn(native);
    expect(resources.length).toBeGreaterThanOrEqual(10);
    await checkAll(resources);
  });

  it.skipIf(!existsSync(wild))('of all definitions of other projects are valid', async () => {
    const resources = resourcesIn(wild);
    expect(new Set(resources.map(({ group, names }) => `${names.plural}.${group}`)).size).toBe(363);
    await checkAll(resources);
  });
});

/** The OpenAPI emitter writes the documents that the server serves, with keys that show changes. */
import { describe, expect, it } from 'vitest';
import { createOpenApiEmitter } from '../../../../generator/emit/openapi.js';
import type { Model, ResourceModel } from '../../../../generator/model/model.js';
import type { OutputFile } from '../../../../generator/write/output-file.js';
import type { Schema } from '../../../../runtime/contract/index.js';
import { buildOpenApiV2, buildOpenApiV3, platformNaming } from '../../../../runtime/schema/openapi/index.js';
import { builtInDefinitions } from '../../../support/built-in-definitions.js';
import { outputText } from '../../../support/output-text.js';

const custom = (kind: string, properties: Record<string, Schema>): ResourceModel => ({
  group: 'example.com',
  names: {
    plural: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    shortNames: [],
    categories: [],
  },
  scope: 'Namespaced',
  decoding: 'structural',
  verbs: ['get', 'list', 'create', 'delete'],
  nameRule: { format: 'dns-1123-subdomain' },
  generation: 'counted',
  deleteReturns: 'Status',
  createOnUpdate: false,
  unconditionalUpdate: true,
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: { type: 'object', properties },
      subresources: [],
      columns: [],
      selectableFields: [],
    },
  ],
  source: { path: `${kind}.yaml`, hash: kind },
});

const emit = (emitter: ReturnType<typeof createOpenApiEmitter>, model: Model): Map<string, OutputFile> =>
  new Map((emitter.emitModel?.(model) ?? []).map((file) => [file.path, file]));

/** Returns texts, because comparing the documents themselves takes ten times longer. */
const textsOf = (files: ReadonlyMap<string, OutputFile>): ReadonlyMap<string, string> =>
  new Map([...files].map(([path, file]) => [path, outputText(file)]));

const textAt = (files: ReadonlyMap<string, OutputFile>, path: string): string => {
  const file = files.get(path);
  return file ? outputText(file) : '';
};

const documentsOf = (model: Model) => ({
  options: {
    naming: platformNaming,
    title: 'Kindforge',
    version: 'unversioned',
    types: new Map([...model.types].map(([name, { schema }]) => [name, schema])),
  },
  resources: model.resources.flatMap((resource) =>
    resource.versions.map((version) => ({ ...resource, ...version, version: version.name })),
  ),
});

describe('the OpenAPI emitter', () => {
  const { model: native } = builtInDefinitions();
  const model: Model = {
    ...native,
    resources: [custom('Widget', { size: { type: 'integer' } }), custom('Gadget', {}), ...native.resources],
  };

  it('writes the documents that the server would serve', () => {
    const files = emit(createOpenApiEmitter(), model);
    const { resources, options } = documentsOf(model);
    const parse = (path: string): unknown => JSON.parse(textAt(files, path) || 'null');
    expect(parse('openapi/v2.json')).toEqual(plain(buildOpenApiV2(resources, options)));
    expect(parse('openapi/v3/core/v1.json')).toEqual(plain(buildOpenApiV3('api/v1', resources, options)));
    expect(parse('openapi/v3/example.com/v1.json')).toEqual(
      plain(buildOpenApiV3('apis/example.com/v1', resources, options)),
    );
    expect(parse('openapi/v3/storage.platform.io/v1.json')).toEqual(
      plain(buildOpenApiV3('apis/storage.platform.io/v1', resources, options)),
    );
  });

  it('writes the same in any order, and one line for each definition', () => {
    const files = [...emit(createOpenApiEmitter(), model).values()];
    const reversed = emit(createOpenApiEmitter(), { ...model, resources: [...model.resources].reverse() });
    for (const file of files) expect(textAt(reversed, file.path), file.path).toBe(outputText(file));
    const [whole = ''] = files.map(outputText);
    const lines = whole.split('\n').filter((line) => line.startsWith('"com.example.v1.Widget": {'));
    expect(lines).toHaveLength(1);
  });

  it('has new keys only for documents with changed resources', () => {
    const emitter = createOpenApiEmitter();
    const before = emit(emitter, model);
    const widget = { ...custom('Widget', {}), source: { path: 'widgets.yaml', hash: 'other' } };
    const changed = { ...model, resources: [widget, ...model.resources.slice(1)] };
    const after = emit(emitter, changed);
    const same = [...after.values()].filter((file) => before.get(file.path)?.key === file.key).map(({ path }) => path);
    expect(same).toContain('openapi/v3/storage.platform.io/v1.json');
    expect(same).not.toContain('openapi/v3/example.com/v1.json');
    expect(textsOf(after)).toEqual(textsOf(emit(createOpenApiEmitter(), changed)));
  });
});

const plain = (document: unknown): unknown => JSON.parse(JSON.stringify(document));

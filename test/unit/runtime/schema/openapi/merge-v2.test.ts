/** Documents of other servers in the Swagger 2.0 document of this one. */
import { describe, expect, it } from 'vitest';
import {
  isOpenApiV2,
  mergeOpenApiV2,
  type OpenApiV2Document,
  versionOfOpenApiV2,
} from '../../../../../runtime/schema/openapi/index.js';

const ref = (name: string): { readonly $ref: string } => ({ $ref: `#/definitions/${name}` });

/** Makes a document of paths that answer with a definition. */
function documentOf(
  paths: Readonly<Record<string, string>>,
  definitions: OpenApiV2Document['definitions'],
): OpenApiV2Document {
  const operation = (name: string): object => ({ responses: { '200': { description: 'OK', schema: ref(name) } } });
  const document: unknown = {
    swagger: '2.0',
    info: { title: 'test', version: 'v1' },
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, name]) => [
        path,
        { get: operation(name), parameters: [{ $ref: '#/parameters/p' }] },
      ]),
    ),
    definitions,
    parameters: { p: { name: 'pretty', in: 'query' }, unused: { name: 'unused', in: 'query' } },
    securityDefinitions: {},
    security: [],
  };
  if (!isOpenApiV2(document)) throw new Error('not a document');
  return document;
}

const meta = { type: 'object', description: 'Metadata.' } as const;

describe('the part of one version', () => {
  it('has the paths of the version, and everything that they need, directly or not', () => {
    const document = documentOf(
      { '/apis/a.example.com/v1/gadgets': 'Gadget', '/apis/a.example.com/v10/gadgets': 'Other', '/api/v1/pods': 'Pod' },
      {
        Gadget: { type: 'object', properties: { parts: { type: 'array', items: ref('Part') } } },
        Part: { type: 'object', properties: { metadata: ref('Meta'), next: ref('Part') } },
        Meta: meta,
        Other: { type: 'object' },
        Pod: { type: 'object' },
      },
    );
    const part = versionOfOpenApiV2(document, 'a.example.com', 'v1');
    expect(Object.keys(part.paths)).toEqual(['/apis/a.example.com/v1/gadgets']);
    expect(Object.keys(part.definitions)).toEqual(['Gadget', 'Part', 'Meta']);
    expect(Object.keys(part.parameters)).toEqual(['p']);
  });

  it('is empty for a version that the document does not have', () => {
    const part = versionOfOpenApiV2(documentOf({ '/api/v1/pods': 'Pod' }, { Pod: meta }), 'a', 'v1');
    expect([part.paths, part.definitions]).toEqual([{}, {}]);
  });
});

describe('a merged document', () => {
  const own = documentOf(
    { '/api/v1/pods': 'Pod' },
    { Pod: { type: 'object', properties: { metadata: ref('Meta') } }, Meta: meta },
  );

  it('shares equal definitions, whatever kinds use them', () => {
    const kinds = [{ group: 'a', kind: 'Gadget', version: 'v1' }];
    const other = documentOf(
      { '/apis/a/v1/gadgets': 'Meta' },
      { Meta: { ...meta, 'x-kubernetes-group-version-kind': kinds } },
    );
    const merged = mergeOpenApiV2(own, [other]);
    expect(Object.keys(merged.paths).sort()).toEqual(['/api/v1/pods', '/apis/a/v1/gadgets']);
    expect(merged.definitions.Meta).toBe(own.definitions.Meta);
    expect(Object.keys(merged.definitions).sort()).toEqual(['Meta', 'Pod']);
  });

  it('renames definitions with the same name and another content, and references to them', () => {
    const other = (description: string, path: string): OpenApiV2Document =>
      documentOf(
        { [path]: 'Gadget' },
        {
          Gadget: { type: 'object', description, properties: { metadata: ref('Meta') } },
          Meta: { type: 'object', description },
        },
      );
    const merged = mergeOpenApiV2(own, [other('first', '/apis/a/v1/x'), other('second', '/apis/b/v1/x')]);
    expect(merged.definitions.Meta_v2).toEqual({ type: 'object', description: 'first' });
    expect(merged.definitions.Gadget).toMatchObject({ properties: { metadata: ref('Meta_v2') } });
    expect(merged.definitions.Gadget_v2).toMatchObject({ properties: { metadata: ref('Meta_v3') } });
    expect(merged.paths['/apis/b/v1/x']).toMatchObject({ get: { responses: { '200': { schema: ref('Gadget_v2') } } } });
    expect(merged.definitions.Meta).toBe(own.definitions.Meta);
  });

  it('keeps the paths of this server', () => {
    const other = documentOf({ '/api/v1/pods': 'Other' }, { Other: meta });
    expect(mergeOpenApiV2(own, [other]).paths['/api/v1/pods']).toBe(own.paths['/api/v1/pods']);
  });
});

describe('a document of another server', () => {
  it.each([[undefined], ['text'], [{ swagger: '2.0', paths: {} }], [{ swagger: '3.0', paths: {}, definitions: {} }]])(
    'is not accepted if it is %j',
    (value) => {
      expect(isOpenApiV2(value)).toBe(false);
    },
  );
});

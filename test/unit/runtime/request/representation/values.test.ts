/** Forms made of decoded objects: metadata only, Tables, YAML; and the form of each request. */
import { describe, expect, it } from 'vitest';
import type { Entry, JsonObject } from '../../../../../runtime/contract/index.js';
import { jsonRepresentation } from '../../../../../runtime/request/representation/json.js';
import { readRepresentation } from '../../../../../runtime/request/representation/negotiate.js';
import type { AnswerShape, Representation } from '../../../../../runtime/request/representation/representation.js';
import { encodeAnswer } from '../../../../../runtime/resource/encoding.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { verbRequest } from '../../../../support/verb-requests.js';
import { widget, widgets } from '../../../../support/widgets.js';

const resource = serveResource({
  ...widgets,
  columns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }],
});

const ask = (accept: string, shape: AnswerShape = 'object', search = '') =>
  readRepresentation(verbRequest({ resource, headers: { accept }, search }), shape);

function formOf(...args: Parameters<typeof ask>): Representation {
  const form = ask(...args);
  if (!form.ok) throw new Error(form.failure.message);
  return form.value;
}

const object = widget('a', { color: 'red' }, { namespace: 'default', resourceVersion: '4' });
const entry: Entry = {
  key: 'k',
  revision: 4,
  bytes: Buffer.from(encodeAnswer(resource, object)),
  attributes: { labels: {}, fields: {} },
};
const page = {
  revision: 9,
  entries: [entry],
  repeated: false,
  selected: false,
  continueToken: 'token',
  remainingItemCount: 2,
};

const as = (kind: string): string => `application/json;as=${kind};g=meta.platform.io;v=v1`;
const parsed = (...chunks: readonly Uint8Array[]): JsonObject => JSON.parse(Buffer.concat([...chunks]).toString());

describe('the form of a request', () => {
  it.each(['', 'application/json', '*/*', 'application/*', 'text/html, */*;q=0.1'])(
    'is compact JSON for %j',
    (accept) => {
      expect(formOf(accept)).toBe(jsonRepresentation);
    },
  );

  it('is indented for people, but never in a stream', () => {
    expect(formOf('application/json', 'object', 'pretty=1')).not.toBe(jsonRepresentation);
    expect(formOf('application/json', 'stream', 'pretty=1')).toBe(jsonRepresentation);
  });

  it.each<[string, AnswerShape]>([
    ['application/xml', 'object'],
    [as('Chair'), 'object'],
    [as('PartialObjectMetadata'), 'list'],
    [as('PartialObjectMetadataList'), 'object'],
    ['application/yaml', 'stream'],
  ])('is refused for %s of one %s', (accept, shape) => {
    expect(ask(accept, shape)).toMatchObject({ ok: false, failure: { reason: 'NotAcceptable' } });
  });

  it('has a key of its own in caches', () => {
    const forms = ['application/json', 'application/yaml', as('Table'), as('PartialObjectMetadata')].map((accept) =>
      formOf(accept),
    );
    expect(new Set(forms.map(({ key }) => key)).size).toBe(4);
  });
});

describe('metadata only', () => {
  const metadata = { kind: 'PartialObjectMetadata', apiVersion: 'meta.platform.io/v1', metadata: object.metadata };

  it('is sent of one object and of an event', () => {
    const form = formOf(as('PartialObjectMetadata'));
    expect(parsed(form.entry(resource, entry))).toEqual(metadata);
    expect(parsed(form.object(resource, object))).toEqual(metadata);
    expect(parsed(form.event(resource, entry, false))).toEqual(metadata);
  });

  it("is sent for a list, with the list's metadata", () => {
    const list = parsed(...formOf(as('PartialObjectMetadataList'), 'list').list(resource, page));
    expect(list).toMatchObject({
      kind: 'PartialObjectMetadataList',
      metadata: { resourceVersion: '9', continue: 'token', remainingItemCount: 2 },
      items: [{ metadata: object.metadata }],
    });
    expect(JSON.stringify(list)).not.toContain('spec');
  });

  it('makes bookmarks of its own kind', () => {
    expect(parsed(formOf(as('PartialObjectMetadata'), 'stream').bookmark(resource, 7))).toMatchObject({
      kind: 'PartialObjectMetadata',
      metadata: { resourceVersion: '7' },
    });
  });
});

describe('a Table', () => {
  const table = formOf(as('Table'), 'list');

  it('has a row for each object', () => {
    expect(parsed(...table.list(resource, page))).toMatchObject({
      kind: 'Table',
      metadata: { resourceVersion: '9', continue: 'token', remainingItemCount: 2 },
      columnDefinitions: [{ name: 'Name' }, { name: 'Color' }],
      rows: [{ cells: ['a', 'red'], object: { kind: 'PartialObjectMetadata' } }],
    });
  });

  it('has its columns in the first event only', () => {
    expect(parsed(table.event(resource, entry, true)).columnDefinitions).toHaveLength(2);
    expect(parsed(table.event(resource, entry, false)).columnDefinitions).toBeNull();
  });

  it.each([
    ['None', undefined],
    ['Metadata', 'PartialObjectMetadata'],
    ['Object', 'Widget'],
  ])('includes %s of its objects on request', (include, kind) => {
    const form = formOf(as('Table'), 'list', `includeObject=${include}`);
    const { rows } = parsed(...form.list(resource, page));
    expect(JSON.stringify(rows).match(/"kind":"(\w+)"/)?.[1]).toBe(kind);
  });

  it('is refused with another value for that', () => {
    expect(ask(as('Table'), 'list', 'includeObject=Some')).toMatchObject({ failure: { reason: 'BadRequest' } });
  });
});

describe('YAML', () => {
  it('has the content of JSON', () => {
    const form = formOf('application/yaml');
    expect(form.contentType).toBe('application/yaml');
    expect(Buffer.from(form.entry(resource, entry)).toString()).toMatch(/^kind: Widget$/m);
  });
});

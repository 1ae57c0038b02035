/** Long lists are made piece by piece, with the same bytes as lists that are made in one go. */
import { describe, expect, it } from 'vitest';
import { resource as configMaps } from '../../../../../generated/core/v1/configmaps/resource.js';
import { encodeProtobufList } from '../../../../../runtime/codec/protobuf/codec.js';
import type { Entry } from '../../../../../runtime/contract/index.js';
import { encoderFor } from '../../../../../runtime/request/representation/encoders.js';
import { isSmall } from '../../../../../runtime/request/representation/list-segments.js';
import { protobufRepresentation } from '../../../../../runtime/request/representation/protobuf.js';
import type { ListBytes, Page } from '../../../../../runtime/request/representation/representation.js';
import { transformFor } from '../../../../../runtime/request/representation/response-transforms.js';
import { valueRepresentation } from '../../../../../runtime/request/representation/values.js';
import { encodeAnswer } from '../../../../../runtime/resource/encoding.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { readAs } from '../../../../../runtime/resource/versions.js';
import { verbRequest } from '../../../../support/verb-requests.js';
import { widget, widgets } from '../../../../support/widgets.js';

const mediaType = 'application/vnd.platform.protobuf';
const resource = serveResource({
  ...widgets,
  columns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color', description: '"the items of the list"' }],
});

/** Texts that each format writes differently. */
const texts = [
  'red',
  'a: b',
  '- x',
  'two\nlines\n',
  ` ${'word '.repeat(40)}`,
  '"',
  '\u2028',
  'the items of the list',
  '',
];

const objects = Array.from({ length: 3000 }, (_, i) =>
  widget(
    `w${i}`,
    { color: texts[i % texts.length] ?? '' },
    { resourceVersion: `${i + 1}`, annotations: { text: (texts[i % 7] ?? '').repeat(i % 5), more: 'x'.repeat(40) } },
  ),
);
const pageOf = (entries: readonly Entry[]): Page => ({
  revision: 9000,
  entries,
  repeated: false,
  selected: false,
  continueToken: 'token',
  remainingItemCount: 2,
});
const entriesOf = (count: number): Entry[] =>
  objects.slice(0, count).map((object, i) => ({
    key: `k${i}`,
    revision: i + 1,
    bytes: Buffer.from(encodeAnswer(resource, object)),
    attributes: { labels: {}, fields: {} },
  }));
const page = pageOf(entriesOf(objects.length));
const asStored = page.entries.map((entry) => readAs(resource, entry));
const metadata = { resourceVersion: '9000', continue: 'token', remainingItemCount: 2 };

/** Returns the pieces of a list. A small list has one piece. */
const piecesOf = (bytes: ListBytes): Uint8Array[] => [...bytes].filter((piece) => piece.length > 0);

describe('a long list', () => {
  const list = { group: 'meta.platform.io', version: 'v1' };
  const forms = [undefined, { ...list, kind: 'PartialObjectMetadataList' }, { ...list, kind: 'Table' }];
  const encoders = [
    ['JSON', encoderFor('application/json', false)],
    ['indented JSON', encoderFor('application/json', true)],
    ['YAML', encoderFor('application/yaml', false)],
  ] as const;
  const table = forms.flatMap((form) =>
    encoders.map(([format, encoder]) => [format, form?.kind ?? 'whole objects', form, encoder] as const),
  );

  const [, metadataAlone] = forms;
  it.each([...table, ['protobuf', 'PartialObjectMetadataList', metadataAlone, encoderFor(mediaType, false)] as const])(
    'in %s of %s comes in pieces, with the bytes of the whole',
    (_format, _what, form, encoder) => {
      const transform = transformFor(verbRequest({ resource }), form, 'list');
      if (!transform.ok) throw new Error(transform.failure.message);
      const pieces = piecesOf(valueRepresentation(transform.value, encoder).list(resource, page));
      const whole = encoder.encode(transform.value.list(resource, asStored, metadata));
      expect(pieces.length).toBeGreaterThan(3);
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(100_000);
      expect(Buffer.concat(pieces).equals(whole)).toBe(true);
    },
  );

  it('in protobuf is measured, then sent in pieces', async () => {
    const served = serveResource(configMaps);
    await served.ready();
    const codec = served.protobuf;
    if (!codec) throw new Error('ConfigMaps have no protobuf form');
    const maps = Array.from({ length: 2000 }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `c${i}`, resourceVersion: `${i + 1}` },
      data: { text: 'x'.repeat(i % 700) },
    }));
    const entries = maps.map((object, i) => ({
      key: `k${i}`,
      revision: i + 1,
      bytes: Buffer.from(JSON.stringify(object)),
      attributes: { labels: {}, fields: {} },
    }));
    const pieces = piecesOf(protobufRepresentation(mediaType).list(served, pageOf(entries)));
    const whole = encodeProtobufList({ apiVersion: 'v1', kind: 'ConfigMapList', metadata }, maps.map(codec.encodeItem));
    expect(pieces.length).toBeGreaterThan(3);
    expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  });
});

describe('a short list', () => {
  it('is made in one go, so that its length is known', () => {
    const short = pageOf(entriesOf(100));
    expect(isSmall(short.entries)).toBe(true);
    expect(isSmall(page.entries)).toBe(false);
    const transform = transformFor(verbRequest({ resource }), undefined, 'list');
    if (!transform.ok) throw new Error(transform.failure.message);
    const bytes = valueRepresentation(transform.value, encoderFor('application/yaml', false)).list(resource, short);
    expect(Array.isArray(bytes)).toBe(true);
  });
});

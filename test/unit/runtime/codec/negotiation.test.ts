import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../../runtime/codec/negotiation.js';
import {
  createNegotiator,
  isStandardTransform,
  negotiate,
  negotiateBody,
  negotiatePatch,
  negotiateStream,
  routeAccepts,
  routeConsumes,
} from '../../../../runtime/codec/negotiation.js';
import { parseAccept, parseMediaType } from '../../../../runtime/objects/scan/media-types.js';
import { toStatus } from '../../../../runtime/objects/status.js';
import { recordings, recordingsAbsent } from '../objects/shared-data.js';

const protobuf = 'application/vnd.kubernetes.protobuf';
const types = ['application/json', 'application/yaml', protobuf];
const streams = ['application/json', protobuf];
const representations = [...types, ...streams.map((type) => `${type};stream=watch`)];
const offer: Offer = {
  types,
  streams,
  allows: (type, transform) => transform === undefined || isStandardTransform('meta.k8s.io', protobuf, type, transform),
};

function picked(accept: string): string {
  const found = negotiate(accept, offer);
  if (!found.ok) return '406';
  const { type, transform } = found.value;
  return transform === undefined ? type : `${type} as ${transform.kind}.${transform.version}`;
}

describe('negotiate', () => {
  it.each([
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/yaml', 'application/yaml'],
    ['application/yaml;q=0.1, application/json;q=0.8', 'application/json'],
    ['application/*;q=0.5, application/yaml;q=0.4', 'application/yaml'],
    ['*/*;q=0.1, application/yaml', 'application/yaml'],
    ['application/json;q=0', 'application/json'],
    ['application/yaml;q=abc', 'application/yaml'],
    ['text/html, application/json;q=0.5', 'application/json'],
    ['application/json;as=Table;g=meta.k8s.io;v=v1,application/json', 'application/json as Table.v1'],
    ['application/json;as=Table;g=meta.k8s.io;v=v9,application/json', 'application/json'],
    ['application/json;as=Table;g=meta.k8s.io;v=v9', '406'],
    ['application/json;as=Table', '406'],
    ['application/json;g=meta.k8s.io;v=v1', '406'],
    [`${protobuf};as=Table;g=meta.k8s.io;v=v1`, '406'],
    [`${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1`, `${protobuf} as PartialObjectMetadata.v1beta1`],
    ['application/json;stream=watch', 'application/json'],
    ['application/yaml;stream=watch', '406'],
    ['application/json;stream=other', '406'],
    ['application/json;sv=v2', '406'],
    ['garbage', '406'],
    ['APPLICATION/JSON', '406'],
  ])('%s', (accept, expected) => {
    expect(picked(accept)).toBe(expected);
  });

  it('lists the offered types if none fits', () => {
    const found = negotiate('text/plain', offer);
    expect(found.ok ? '' : found.failure.message).toBe(
      `only the following media types are accepted: ${types.join(', ')}`,
    );
  });

  it('is cached per route and stays the same', () => {
    const negotiator = createNegotiator(offer);
    const first = negotiator('application/yaml');
    for (let i = 0; i < 300; i++) negotiator(`text/x-${i}`);
    expect(negotiator('application/yaml')).toEqual(first);
    expect(negotiator(undefined)).toMatchObject({ ok: true, value: { type: 'application/json' } });
  });

  it('never crashes, whatever the header', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'*/,;=q0.1 ajson"\\') }), (header) => {
        expect(typeof negotiate(header, offer).ok).toBe('boolean');
        parseMediaType(header);
      }),
    );
    expect(parseAccept('a/b,'.repeat(100_000))).toHaveLength(64);
  });

  it('picks the frames of a watch', () => {
    expect(negotiateStream({ type: 'application/json', pretty: false }, streams)).toMatchObject({
      value: 'application/json',
    });
    const refused = negotiateStream({ type: 'application/yaml', pretty: false }, streams);
    expect(refused.ok ? '' : refused.failure.message).toBe(
      `only the following media types are accepted: application/json;stream=watch, ${protobuf};stream=watch`,
    );
  });
});

describe('bodies', () => {
  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/json ; x="a;b"', 'application/json'],
    ['APPLICATION/YAML', 'application/yaml'],
    ['application/json;x', undefined],
    ['application/json;x=1;x=2', undefined],
    ['application/json, application/yaml', undefined],
    ['application/*', undefined],
    ['nonsense', undefined],
    ['text/plain', undefined],
  ])('%j', (contentType, expected) => {
    const found = negotiateBody(contentType, types);
    expect(found.ok ? found.value : undefined).toBe(expected);
  });

  it('of patches are recognized by their exact type', () => {
    const patches = ['application/merge-patch+json'];
    expect(negotiatePatch('application/merge-patch+json; charset=utf-8', patches).ok).toBe(true);
    expect(negotiatePatch('Application/Merge-Patch+JSON', patches).ok).toBe(false);
    expect(negotiatePatch(undefined, patches).ok).toBe(false);
    expect(routeConsumes('application/merge-patch+json,application/json', patches)).toBeUndefined();
    expect(routeConsumes(undefined, patches)?.message).toBe('415: Unsupported Media Type');
  });

  it('keep the parameters of their type', () => {
    expect([...(parseMediaType('a/b; C="x\\"y";d=e')?.parameters ?? [])]).toEqual([
      ['c', 'x"y'],
      ['d', 'e'],
    ]);
  });
});

describe.skipIf(recordingsAbsent)('recorded negotiations', () => {
  const readable = /^\/api\/v1\/namespaces\/[\w-]+\/configmaps(\/[\w-]+)?(\?|$)/;

  it('pick the recorded format for reads', () => {
    let compared = 0;
    for (const { request, status, contentType, body } of recordings()) {
      const accept = request.headers?.accept;
      const path = readable.exec(request.path);
      if (request.method !== 'GET' || path === null || accept === undefined || request.path.includes('watch='))
        continue;
      if (![200, 406].includes(status)) continue;
      const header = accept ?? '';
      const offered = path[1] === undefined ? representations : types;
      const found = negotiate(header, offer);
      const refused = routeAccepts(header, offered) ?? (found.ok ? undefined : found.failure);
      const message = Object(body).message;
      if (status === 200) {
        expect([header, refused, found.ok && found.value.type]).toEqual([header, undefined, contentType]);
      } else if (typeof message === 'string' && !message.startsWith('you requested')) {
        expect([header, refused?.message]).toEqual([header, message]);
        const recordedDetails = Object(body).details;
        if (recordedDetails !== undefined) expect(refused && toStatus(refused).body.details).toEqual(recordedDetails);
      }
      compared++;
    }
    expect(compared).toBeGreaterThan(60);
  });

  it('read the recorded bodies', () => {
    let compared = 0;
    for (const { request, status, scenario } of recordings()) {
      if (!scenario.includes('media types of request bodies') || request.headers === undefined) continue;
      if (![201, 400, 415].includes(status)) continue;
      const found = negotiateBody(request.headers['content-type'] ?? undefined, types);
      expect([request.headers['content-type'], found.ok]).toEqual([request.headers['content-type'], status !== 415]);
      compared++;
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('read the recorded patches', () => {
    const builtIn = [
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/apply-patch+yaml',
    ];
    let compared = 0;
    for (const { request, status, body } of recordings()) {
      if (request.method !== 'PATCH' || !request.path.startsWith('/api/v1/') || status !== 415) continue;
      const contentType = request.headers?.['content-type'] ?? undefined;
      const found = negotiatePatch(contentType, builtIn);
      const refused = routeConsumes(contentType, builtIn) ?? (found.ok ? undefined : found.failure);
      expect([contentType, refused && toStatus(refused).body.message]).toEqual([contentType, Object(body).message]);
      compared++;
    }
    expect(compared).toBeGreaterThan(10);
  });
});

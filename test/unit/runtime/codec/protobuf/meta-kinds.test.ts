/** The kinds that every API has, as clients of the reference read them. */
import { describe, expect, it } from 'vitest';
import { open } from '../../../../../runtime/codec/protobuf/envelope.js';
import {
  deleteOptionsCodec,
  discoveryMessages,
  encodeMetaKind,
} from '../../../../../runtime/codec/protobuf/meta-kinds.js';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { hasGolden, referenceMessages } from './reference-messages.js';

const rawOf = (object: JsonObject): string => Buffer.from(open(encodeMetaKind(object)).raw).toString('hex');

describe('meta kinds', () => {
  it('have a Status with zeros for all fields except pointers', () => {
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 404 };
    expect(open(encodeMetaKind(status))).toMatchObject({ kind: 'Status', apiVersion: 'v1' });
    const words = Buffer.from('Failure').toString('hex');
    const details = '1a00' + '2200' + '309403';
    expect(rawOf(status)).toBe(`0a060a0012001a001207${words}${details}`);
  });

  it('have lists of metadata with numbers that differ by version', () => {
    const list = { kind: 'PartialObjectMetadataList', metadata: {}, items: [{ metadata: { name: 'a' } }] };
    expect(rawOf({ ...list, apiVersion: 'meta.k8s.io/v1' })).toMatch(/^0a060a0012001a0012/);
    expect(rawOf({ ...list, apiVersion: 'meta.k8s.io/v1beta1' })).toMatch(/12060a0012001a00$/);
  });

  it('have aggregated discovery', () => {
    const kind = { group: '', version: 'v1', kind: 'Pod' };
    const resource = {
      resource: 'pods',
      responseKind: kind,
      scope: 'Namespaced',
      singularResource: 'pod',
      verbs: ['get'],
    };
    const list = {
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2beta1',
      metadata: {},
      items: [{ metadata: {}, versions: [{ version: 'v1', resources: [resource], freshness: 'Current' }] }],
    };
    expect(Buffer.from(rawOf(list), 'hex').toString('latin1')).toContain('Namespaced');
  });

  it('have options of deletes, in which zeros are meaningful', () => {
    const options = { gracePeriodSeconds: 0, orphanDependents: false, preconditions: { uid: '' }, dryRun: ['All'] };
    const raw = deleteOptionsCodec.encodeItem(options);
    expect(deleteOptionsCodec.decodeMessage(raw)).toEqual({ ok: true, value: options });
  });

  it.skipIf(!hasGolden)('have the numbers of the reference', () => {
    const messages = referenceMessages();
    for (const [id, message] of Object.entries(discoveryMessages)) {
      const fields = Object.entries(message).map(([name, [number, type]]) => [name, [number, type]] as const);
      expect(Object.fromEntries(fields), id).toEqual(messages[id]);
    }
  });
});

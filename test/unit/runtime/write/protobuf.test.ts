/** Requests and answers in protobuf, as clients of built-in kinds send and read them. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { resource as configMaps } from '../../../../generated/core/v1/configmaps/resource.js';
import { compileProtobuf, openEnvelope } from '../../../../runtime/codec/protobuf/codec.js';
import { ProtobufWriter } from '../../../../runtime/codec/protobuf/writer.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import type { ApiResponse } from '../../../../runtime/request/api-request.js';
import { errorFrame } from '../../../../runtime/request/representation/frames.js';
import { protobufRepresentation } from '../../../../runtime/request/representation/protobuf.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { requestOf } from '../../../support/api-requests.js';
import { suiteApi } from '../../../support/test-api.js';
import { widgets } from '../../../support/widgets.js';

const api = await suiteApi([configMaps, widgets]);

const protobuf = 'application/vnd.platform.protobuf';
const collection = '/api/v1/namespaces/default/configmaps';
const { protobuf: protobufOfConfigMaps } = await configMaps.code();
const codec = compileProtobuf(protobufOfConfigMaps ?? { message: '', messages: {} });
const status = compileProtobuf({ message: 'meta/v1#/Status', messages: {} });

interface Sent {
  readonly accept?: string;
  readonly body?: Uint8Array;
  readonly contentType?: string;
}

async function ask(
  method: string,
  path: string,
  { accept, body, contentType = protobuf }: Sent = {},
): Promise<ApiResponse> {
  const headers = { ...(accept ? { accept } : {}), ...(body ? { 'content-type': contentType } : {}) };
  return api.server.handle(requestOf({ method, path, headers, ...(body && { body }) }));
}

function bytesOf({ body }: ApiResponse): Buffer {
  if ('stream' in body) throw new Error('the answer is a stream');
  return Buffer.concat(body instanceof Uint8Array ? [body] : body);
}

function jsonOf(answer: ApiResponse): JsonObject {
  const value: unknown = JSON.parse(bytesOf(answer).toString());
  return isObject(value) ? value : {};
}

function objectOf(answer: ApiResponse, by = codec): JsonObject {
  const decoded = by.decode(bytesOf(answer));
  if (!decoded.ok) throw new Error(decoded.problem);
  return decoded.value;
}

const sent = (name: string, more: JsonObject = {}): Uint8Array =>
  codec.encode({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { a: '1' }, ...more });

function messageOf(body: Uint8Array): Uint8Array {
  const opened = openEnvelope(body);
  if (!opened.ok) throw new Error(opened.problem);
  return opened.value.raw;
}

let count = 0;
let name = '';
beforeEach(() => {
  name = `map-${++count}`;
});

describe('an object', () => {
  it('is created, replaced, patched, read and deleted in protobuf', async () => {
    const created = await ask('POST', collection, { body: sent(name), accept: protobuf });
    expect([created.code, created.contentType]).toEqual([201, protobuf]);
    expect(objectOf(created)).toMatchObject({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name },
      data: { a: '1' },
    });

    const path = `${collection}/${name}`;
    const replaced = await ask('PUT', path, {
      body: sent(name, { data: { b: '2' } }),
      accept: `${protobuf},application/json`,
    });
    expect(objectOf(replaced).data).toEqual({ b: '2' });

    const patch = { body: Buffer.from('{"data":{"c":"3"}}'), contentType: 'application/merge-patch+json' };
    expect(objectOf(await ask('PATCH', path, { ...patch, accept: protobuf })).data).toEqual({ b: '2', c: '3' });

    const read = await ask('GET', path, { accept: protobuf });
    expect(objectOf(read)).toEqual(jsonOf(await ask('GET', path)));

    const deleted = await ask('DELETE', path, { accept: protobuf });
    expect([deleted.code, deleted.contentType]).toEqual([200, protobuf]);
    expect(objectOf(deleted, status)).toMatchObject({ kind: 'Status', status: 'Success' });
  });

  it('may have no kind', async () => {
    const out = new ProtobufWriter();
    out.bytes(2, messageOf(sent(name)));
    out.raw(Buffer.from('k8s\0'));
    expect((await ask('POST', collection, { body: out.finish() })).code).toBe(201);
  });

  it('loses unknown fields, whatever the level of validation', async () => {
    const out = new ProtobufWriter();
    out.message(2, () => {
      out.string(99, 'unknown');
      out.raw(messageOf(sent(name)));
    });
    out.raw(Buffer.from('k8s\0'));
    const answer = await ask('POST', `${collection}?fieldValidation=Strict`, { body: out.finish() });
    expect([answer.code, answer.headers]).toEqual([201, {}]);
  });

  it('may be sent with its metadata only', async () => {
    await ask('POST', collection, { body: sent(name) });
    const accept = `${protobuf};as=PartialObjectMetadata;g=meta.platform.io;v=v1`;
    const partial = compileProtobuf({ message: 'meta/v1#/PartialObjectMetadata', messages: {} });
    const answer = await ask('GET', `${collection}/${name}`, { accept });
    expect(answer.contentType).toBe(protobuf);
    expect(objectOf(answer, partial)).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name } });
    expect(objectOf(answer, partial)).not.toHaveProperty('data');
  });

  it('is the same bytes before and after a list has encoded it', async () => {
    const place = `/api/v1/namespaces/listed-${name}/configmaps`;
    await ask('POST', place, { body: sent(name) });
    const before = await ask('GET', `${place}/${name}`, { accept: protobuf });
    await ask('GET', place, { accept: protobuf });
    const after = await ask('GET', `${place}/${name}`, { accept: protobuf });
    expect(bytesOf(after).toString('hex')).toBe(bytesOf(before).toString('hex'));
    expect(objectOf(after)).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name } });
  });

  it('is never a Table', async () => {
    const accept = `${protobuf};as=Table;g=meta.platform.io;v=v1`;
    expect((await ask('GET', collection, { accept })).code).toBe(406);
  });
});

describe('a list', () => {
  const listCodec = compileProtobuf({
    message: 'core/v1#/ConfigMapList',
    messages: {
      'core/v1#/ConfigMapList': { metadata: [1, 'meta/v1#/ListMeta'], items: [2, 'repeated core/v1#/ConfigMap'] },
    },
    libraries: [protobufOfConfigMaps?.messages ?? {}],
  });

  it('has the objects of the JSON list, and its revision', async () => {
    for (const suffix of ['a', 'b']) await ask('POST', '/api/v1/namespaces/lists/configmaps', { body: sent(suffix) });
    const path = '/api/v1/namespaces/lists/configmaps';
    for (const _again of [1, 2]) {
      const list = objectOf(await ask('GET', path, { accept: protobuf }), listCodec);
      const json = jsonOf(await ask('GET', path));
      expect(list.items).toEqual(json.items);
      expect(list).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: json.metadata });
    }
  });
});

describe('a watch', () => {
  async function framesOf(path: string, accept: string, act: () => Promise<unknown>): Promise<readonly JsonObject[]> {
    const answer = await ask('GET', path, { accept });
    if (!('stream' in answer.body)) throw new Error(bytesOf(answer).toString());
    expect(answer.contentType).toBe(`${protobuf};stream=watch`);
    const frames: Buffer[] = [];
    const write = (chunk: Uint8Array): number => frames.push(Buffer.from(chunk));
    const sink = { buffered: 0, write, taken: () => Promise.resolve(), end() {}, destroy() {} };
    const stop = answer.body.stream(sink);
    await act();
    stop();
    return frames.map((frame) => eventOf(frame));
  }

  const events = compileProtobuf({
    message: 'Event',
    messages: { Event: { type: [1, 'string'], object: [2, 'Raw'] }, Raw: { raw: [1, 'bytes'] } },
  });

  function eventOf(frame: Buffer, by = codec): JsonObject {
    expect(frame.readUInt32BE(0)).toBe(frame.length - 4);
    const event = events.decodeMessage(frame.subarray(4));
    if (!event.ok || !isObject(event.value.object)) throw new Error('no event');
    const object = by.decode(Buffer.from(String(event.value.object.raw), 'base64'));
    return { type: String(event.value.type), ...(object.ok ? { object: object.value } : {}) };
  }

  it('is a stream of frames', async () => {
    const place = '/api/v1/namespaces/watches/configmaps';
    const seen = await framesOf(`${place}?watch=1&resourceVersion=${api.store.revision}`, protobuf, async () => {
      await ask('POST', place, { body: sent(name) });
      await ask('DELETE', `${place}/${name}`);
    });
    expect(seen).toMatchObject([
      { type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name } } },
      { type: 'DELETED', object: { kind: 'ConfigMap', metadata: { name } } },
    ]);
  });

  it('ends with a Status after an error', () => {
    const representation = protobufRepresentation(protobuf);
    const frame = errorFrame(representation, { kind: 'Status', apiVersion: 'v1', code: 410 });
    expect(eventOf(Buffer.from(frame), status)).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410 } });
  });

  it('has bookmarks', () => {
    const representation = protobufRepresentation(protobuf);
    const bookmark = representation.bookmark(serveResource(configMaps), 7, { 'platform.io/end': 'true' });
    expect(eventOf(Buffer.from(representation.frame('BOOKMARK', bookmark)))).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: '7', annotations: { 'platform.io/end': 'true' } },
      },
    });
  });
});

describe('bodies that are refused', () => {
  const envelope = (kind: string, apiVersion: string, raw: Uint8Array): Uint8Array => {
    const out = new ProtobufWriter();
    out.bytes(2, raw);
    out.message(1, () => {
      out.string(2, kind);
      out.string(1, apiVersion);
    });
    out.raw(Buffer.from('k8s\0'));
    return out.finish();
  };
  const field = (write: (out: ProtobufWriter) => void): Uint8Array => {
    const out = new ProtobufWriter();
    write(out);
    return out.finish();
  };
  const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';
  const mismatch = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';
  const prefix = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]';

  it.each<[string, Uint8Array, string]>([
    ['nothing', Buffer.alloc(0), `${unrecognized}empty data (<empty>)`],
    ['no more than the prefix', Buffer.from('k8s\0'), `${unrecognized}empty body (6b387300)`],
    ['another prefix', Buffer.from('k8s\x01abc'), `${unrecognized}${prefix} (6b387301616263)`],
    ['JSON', Buffer.from('{}'), `${unrecognized}${prefix} ({})`],
    [
      'an envelope that is cut off',
      Buffer.from('k8s\0\n\xff', 'latin1'),
      `${unrecognized}unexpected end of the message`,
    ],
    [
      'another kind',
      envelope('Widget', 'example.com/v1', Buffer.from([0xff])),
      'Widget in version "v1" cannot be handled as a ConfigMap: converting (v1.Widget) to (core.ConfigMap): unknown conversion',
    ],
    ['a message that is cut off', envelope('ConfigMap', 'v1', Buffer.from([0x0a, 9])), `${mismatch}unexpected end`],
    ['a group', envelope('ConfigMap', 'v1', Buffer.from([0x0b, 0x0c])), `${mismatch}wrong wire type 3 for field 1`],
    [
      'a wire type that is none',
      envelope('ConfigMap', 'v1', Buffer.from([0xfe, 1])),
      `${mismatch}wire type 6 of field 31`,
    ],
    [
      'text that is no UTF-8',
      envelope(
        'ConfigMap',
        'v1',
        field((out) => out.message(1, () => out.bytes(1, Buffer.from([0xff])))),
      ),
      `${mismatch}string field contains invalid UTF-8`,
    ],
    [
      'a length beyond all bounds',
      envelope('ConfigMap', 'v1', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])),
      `${mismatch}unexpected end`,
    ],
  ])('are %s', async (_what, body, message) => {
    const answer = await ask('POST', collection, { body });
    expect(answer.code).toBe(400);
    expect(String(jsonOf(answer).message)).toContain(message);
  });

  it('never break the server, whatever their bytes', async () => {
    const good = sent('mutant', { metadata: { name: 'mutant', labels: { a: 'b' }, finalizers: ['a.b/c'] } });
    const byte = fc.integer({ min: 0, max: 255 });
    const at = fc.nat(good.length - 1);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(at, byte), { minLength: 1, maxLength: 3 }), at, async (changes, end) => {
        const body = Buffer.from(good);
        for (const [index, value] of changes) body[index] = value;
        for (const bytes of [body, body.subarray(0, end)]) {
          const answer = await ask('POST', `${collection}?dryRun=All`, { body: bytes });
          expect([201, 400, 404, 422]).toContain(answer.code);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are refused in protobuf for clients that accept it', async () => {
    const answer = await ask('POST', collection, { body: Buffer.from('{}'), accept: protobuf });
    expect(answer.contentType).toBe(protobuf);
    expect(objectOf(answer, status)).toMatchObject({ kind: 'Status', code: 400, reason: 'BadRequest' });
  });

  it('are of custom resources, which have no protobuf form', async () => {
    const place = '/apis/example.com/v1/namespaces/default/widgets';
    const answer = await ask('POST', place, { body: sent(name) });
    expect([answer.code, jsonOf(answer).message]).toEqual([
      415,
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    ]);
    const refused = await ask('GET', place, { accept: protobuf });
    expect([refused.code, refused.contentType]).toEqual([406, protobuf]);
    expect((await ask('GET', place, { accept: `${protobuf},application/json` })).contentType).toBe('application/json');
  });
});

describe('options of a delete', () => {
  const options = compileProtobuf({ message: 'meta/v1#/DeleteOptions', messages: {} });
  const body = (more: JsonObject): Uint8Array => options.encode({ kind: 'DeleteOptions', apiVersion: 'v1', ...more });

  it('work for any kind', async () => {
    await ask('POST', collection, { body: sent(name) });
    const path = `${collection}/${name}`;
    expect((await ask('DELETE', path, { body: body({ preconditions: { uid: 'other' } }) })).code).toBe(409);
    expect((await ask('DELETE', path, { body: body({ dryRun: ['All'] }) })).code).toBe(200);
    expect((await ask('GET', path)).code).toBe(200);
    expect((await ask('DELETE', path, { body: Buffer.alloc(0) })).code).toBe(200);
    expect((await ask('DELETE', '/apis/example.com/v1/namespaces/default/widgets/a', { body: body({}) })).code).toBe(
      404,
    );
    expect((await ask('DELETE', path, { body: Buffer.from('no') })).code).toBe(400);
  });
});

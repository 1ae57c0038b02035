/** Arbitrary requests that are almost valid: usual requests with one broken part. */
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { arbitraryJson } from './arbitrary-objects.js';

/** A request as the connection carries it. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** A collection to write to, and an object that it accepts. */
export interface Target {
  /** Path of the collection. */
  readonly collection: string;
  readonly object: JsonObject;
  readonly subresources: readonly string[];
}

const words = [
  'metadata',
  'spec',
  'name',
  'labels',
  '$patch',
  '$retainKeys',
  'finalizers',
  'managedFields',
  'data',
  'a',
];

const oddValue: fc.Arbitrary<JsonValue> = fc.oneof(
  arbitraryJson(words),
  fc.constantFrom<JsonValue>(
    1e308,
    2.5,
    -1,
    '\0',
    '\ud800',
    '1e999999',
    '999999999999999999999',
    '2020-13-41T99:99:99Z',
  ),
  fc.constantFrom<JsonValue>(9007199254740993n, [[[]]], { '': '' }, JSON.parse('{"__proto__":{"a":1}}'), '::', '../..'),
);

/** Replaces one value of the object, at any depth, by the odd value. */
function replaced(value: JsonValue, at: readonly number[], odd: JsonValue): JsonValue {
  const [first, ...rest] = at;
  if (first === undefined || typeof value !== 'object' || value === null) return odd;
  const keys = Object.keys(value);
  const key = keys[first % Math.max(keys.length, 1)];
  if (key === undefined) return odd;
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? replaced(item, rest, odd) : item));
  return { ...value, [key]: replaced(value[key] ?? null, rest, odd) };
}

const broken = (object: JsonObject): fc.Arbitrary<JsonValue> =>
  fc
    .tuple(fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }), oddValue)
    .map(([at, odd]) => replaced(object, at, odd));

const text = (value: JsonValue): Buffer =>
  Buffer.from(JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? Number(each) : each)));

/** Cuts bytes off, changes them or inserts some anywhere. */
const garbled = (bytes: Buffer): fc.Arbitrary<Buffer> =>
  fc.tuple(fc.nat(bytes.length), fc.nat(8), fc.uint8Array({ maxLength: 8 })).map(([at, gone, put]) => {
    return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + gone)]);
  });

const pointer = fc.array(fc.constantFrom(...words, '0', '-', '-1', '~0', '~1', '99999999999', '__proto__'), {
  maxLength: 5,
});

const operations: fc.Arbitrary<JsonValue> = fc.array(
  fc.record<JsonObject>(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'burn'),
      path: fc.oneof(
        pointer.map((tokens) => `/${tokens.join('/')}`),
        oddValue,
      ),
      from: pointer.map((tokens) => `/${tokens.join('/')}`),
      value: oddValue,
    },
    { requiredKeys: ['op', 'path'] },
  ),
  { maxLength: 5 },
);

const mediaTypes = [
  'application/json',
  'application/yaml',
  'application/vnd.platform.protobuf',
  'text/plain',
  ';;',
  '',
];
const patchTypes = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'];
const accepts = [
  '*/*',
  'application/yaml',
  'application/json;as=Table;g=meta.platform.io;v=v1',
  'text/html',
  '*/json;q=x',
];

const parameters = [
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'pretty',
  'resourceVersion',
  'limit',
  'continue',
];
const selectors = [
  'labelSelector',
  'fieldSelector',
  'propagationPolicy',
  'gracePeriodSeconds',
  'timeoutSeconds',
  '%zz',
];
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(...parameters, ...selectors, 'resourceVersionMatch'),
      fc.constantFrom(
        '',
        'All',
        'true',
        '1',
        '-1',
        '99999999999999999999',
        'Strict',
        'a=b',
        'a%20in%20(b',
        '%00',
        '%',
        'Exact',
      ),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`));

const bodyOf = (value: fc.Arbitrary<JsonValue>): fc.Arbitrary<Buffer> =>
  value.map(text).chain((bytes) => fc.oneof({ weight: 3, arbitrary: fc.constant(bytes) }, garbled(bytes)));

const pathOf = ({ collection, subresources }: Target): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', '/a', '/a', '/b', '//', '/%2F', '/%00', '/..'), fc.constantFrom('', '', ...subresources))
    .map(([name, subresource]) => collection + name + (name === '' || subresource === '' ? '' : `/${subresource}`));

/** Makes requests to one of the targets. */
export function hostileRequest(targets: readonly Target[]): fc.Arbitrary<HostileRequest> {
  return fc.constantFrom(...targets).chain((target) => {
    const { object } = target;
    const whole = bodyOf(fc.oneof(broken(object), fc.constant<JsonValue>(object), oddValue));
    const sent = fc.oneof(
      fc.record({ method: fc.constantFrom('POST', 'PUT'), type: fc.constantFrom('', ...mediaTypes), body: whole }),
      fc.record({
        method: fc.constant('PATCH'),
        type: fc.constantFrom(...patchTypes.map((type) => `application/${type}`), 'text/plain'),
        body: fc.oneof(whole, bodyOf(operations)),
      }),
      fc.record({ method: fc.constant('DELETE'), type: fc.constantFrom(...mediaTypes), body: bodyOf(oddValue) }),
      fc.record({ method: fc.constantFrom('GET', 'DELETE', 'HEAD', 'OPTIONS') }),
    );
    return fc
      .tuple(sent, pathOf(target), query, fc.constantFrom('application/json', ...accepts))
      .map(([{ method, ...rest }, path, search, accept]): HostileRequest => {
        const type: Record<string, string> = 'type' in rest && rest.type !== '' ? { 'content-type': rest.type } : {};
        const body = 'body' in rest ? { body: rest.body } : {};
        return { method, path: path + search, headers: { accept, ...type }, ...body };
      });
  });
}

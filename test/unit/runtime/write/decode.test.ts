/** From a decoded body to an object of the resource: checks its kind, drops unknown fields, fills in defaults. */
import { describe, expect, it } from 'vitest';
import { resource as deployments } from '../../../../generated/apps/v1/deployments/resource.js';
import { resource as configMaps } from '../../../../generated/core/v1/configmaps/resource.js';
import type { JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { checkKind, toObject } from '../../../../runtime/write/decode.js';
import { widget, widgets } from '../../../support/widgets.js';

const structural = serveResource(widgets);
const typed = serveResource(configMaps);

describe('kind and version of a body', () => {
  const known = new Set(['example.com/v1 Widget', 'example.com/v2 Widget', 'v1 ConfigMap']);
  const check = (value: JsonValue, resource = structural) => {
    const bytes = Buffer.from(JSON.stringify(value));
    return checkKind(resource, value, bytes, (apiVersion, kind) => known.has(`${apiVersion} ${kind}`));
  };
  const messageOf = (value: JsonValue, resource = structural): string => {
    const checked = check(value, resource);
    return checked.ok ? '' : `${checked.failure.reason}: ${checked.failure.message}`;
  };

  it.each<[string, JsonObject]>([
    ['both', { kind: 'ConfigMap', apiVersion: 'v1' }],
    ['neither', { metadata: {} }],
    ['empty ones', { kind: '', apiVersion: '' }],
    ['nulls', { kind: null, apiVersion: null }],
    ['no group and version', { apiVersion: '/' }],
    ['a version with a slash and no group', { apiVersion: '/v1' }],
  ])('may be present or absent for typed kinds: %s', (_what, value) => {
    expect(check(value, typed)).toEqual({ ok: true, value });
  });

  it('may lack the version after the group of a typed kind', () => {
    const value = { apiVersion: 'apps/' };
    expect(check(value, serveResource(deployments))).toEqual({ ok: true, value });
  });

  it('are required for structural kinds', () => {
    expect(check(widget('a'))).toEqual({ ok: true, value: widget('a') });
    expect(messageOf({ apiVersion: 'example.com/v1' })).toBe(
      `BadRequest: the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{"apiVersion":"example.com/v1"}' ({"apiVersion":"example.com/v1" ...)`,
    );
    expect(messageOf({ kind: 'Widget' })).toBe(
      'BadRequest: the API version in the data () does not match the expected API version (example.com/v1)',
    );
  });

  it('of another structural kind are invalid', () => {
    expect(messageOf({ ...widget('a'), kind: 'Gadget' })).toBe(
      'Invalid: Gadget.example.com "a" is invalid: kind: Invalid value: "Gadget": must be Widget',
    );
  });

  it('name the version that does not match', () => {
    expect(messageOf({ ...widget('a'), apiVersion: 'example.com/v2' })).toBe(
      'BadRequest: the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)',
    );
  });

  it.each<[JsonObject, RegExp]>([
    [
      { kind: 'Widget', apiVersion: 'example.com/v1' },
      /converting \(v1\.Widget\) to \(core\.ConfigMap\): unknown conversion/,
    ],
    [{ kind: 'Gadget' }, /no kind "Gadget" is registered for version "v1"/],
    [{ apiVersion: 'a/b/c' }, /\(must be of type ConfigMap\): unexpected GroupVersion string: a\/b\/c \(/],
    [
      { apiVersion: 'apps/' },
      /^BadRequest: ConfigMap in version "" cannot .*: Object 'apiVersion' is missing in '\{.*\}'$/,
    ],
    [{ apiVersion: 'apps/v1' }, /no kind "ConfigMap" is registered for version "apps\/v1"/],
    [{ kind: 5 }, /json: cannot unmarshal number into Go struct field \.kind of type string/],
    [{ apiVersion: {} }, /json: cannot unmarshal object into Go struct field \.apiVersion of type string/],
  ])('are refused as a bad request: %j', (value, expected) => {
    expect(messageOf(value, typed)).toMatch(/^BadRequest: /);
    expect(messageOf(value, typed)).toMatch(expected);
  });

  it.each<[JsonValue]>([[[]], ['text'], [5], [true]])('are missing in %j, which is not an object', (value) => {
    expect(messageOf(value)).toMatch(/^BadRequest: /);
  });

  it('may be missing in a null for typed kinds, which is the empty object', () => {
    expect(check(null, typed)).toEqual({ ok: true, value: {} });
    expect(check(null).ok).toBe(false);
    expect(checkKind(typed, null, Buffer.alloc(0), () => true).ok).toBe(false);
  });
});

describe('an object of the resource', () => {
  it('has defaults, and no unknown fields', () => {
    const decoded = toObject(structural, { metadata: { name: 'a', nane: 1 }, spec: { colour: 'red' }, extra: {} });
    expect(decoded).toEqual({
      ok: true,
      value: {
        object: widget('a', { size: 3 }),
        unknownFields: ['metadata.nane', 'extra', 'spec.colour'],
      },
    });
  });

  it.each([
    ['stays in typed kinds', typed, { name: 'a', managedFields: [] }],
    ['goes from structural ones', structural, { name: 'a' }],
  ])('an empty list of owners: %s', async (_what, resource, metadata) => {
    await resource.ready();
    const decoded = toObject(resource, { metadata: { name: 'a', managedFields: [] } });
    expect(decoded.ok && decoded.value.object.metadata).toStrictEqual(metadata);
  });

  it('keeps wrong types of structural kinds for validation to refuse', () => {
    const decoded = toObject(structural, { metadata: { name: 'a' }, spec: { size: 'big' } });
    expect(decoded.ok && decoded.value.object.spec).toEqual({ size: 'big' });
  });

  it('cannot be made of wrong types of typed kinds', async () => {
    await typed.ready();
    const decoded = toObject(typed, { metadata: { name: 'a' }, data: { a: 1 } });
    expect(decoded).toEqual({
      ok: false,
      problem: 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    });
  });

  it('cannot be made of wrong metadata', () => {
    expect(toObject(structural, { metadata: 'a' }).ok).toBe(false);
  });

  it('is brought into canonical form by the handlers of its kind, after defaults', () => {
    const resource = serveResource(widgets, {
      handlers: {
        canonicalize: (object) => {
          object.spec = { before: object.spec };
        },
      },
    });
    const decoded = toObject(resource, { metadata: { name: 'a' }, spec: {} });
    expect(decoded.ok && decoded.value.object.spec).toEqual({ before: { size: 3 } });
  });
});

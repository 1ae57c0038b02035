import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { defineIPAddresses } from '../../../../strategies/networking.platform.io/ipaddresses.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineIPAddresses(emulate());

const address = (name: string, parentRef?: JsonObject): ApiObject =>
  objectOf(handlers, { spec: parentRef === undefined ? {} : { parentRef } }, { name });

describe('names of IPAddresses', () => {
  it.each(['0.0.0.0', '255.255.255.255', '2001:db8::1', '::', '::ffff:192.0.2.1'])('accept %s', (name) =>
    expect(handlers.validateName?.(name, false)).toEqual([]),
  );

  it.each([
    ['2001:DB8::1', 'not a valid ip in canonical format'],
    ['2001:db8:0:0:0:0:0:1', 'not a valid ip in canonical format'],
    ['192.0.2.01', 'ParseAddr("192.0.2.01"): IPv4 field has octet with leading zero'],
    ['fe80::1%lo', "may not contain '%'"],
    ['web', 'ParseAddr("web"): unable to parse IP'],
  ])('refuse %s', (name, problem) => expect(handlers.validateName?.(name, false)).toEqual([problem]));
});

describe('names of IPAddresses in later releases', () => {
  const { validateName } = defineIPAddresses(emulate('latest'));
  it.each([
    ['2001:db8::1', []],
    ['2001:DB8::1', ['must be in canonical form ("2001:db8::1")']],
    ['192.0.2.01', ['must not have leading 0s']],
    ['web', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
  ])('of %s', (name, problems) => expect(validateName?.(name, false)).toEqual(problems));
});

describe('cells of IPAddresses', () => {
  it.each([
    [undefined, '<none>'],
    [{ resource: 'services', namespace: 'default', name: 'web' }, 'services/default/web'],
    [{ resource: 'nodes', name: 'n1' }, 'nodes/n1'],
    [
      { group: 'Gateway.example.com', resource: 'gateways', namespace: 'e', name: 'Gw' },
      'gateways.gateway.example.com/e/Gw',
    ],
  ])('show %j as %s', (parentRef, text) =>
    expect(handlers.columns?.ParentRef?.(address('192.0.2.1', parentRef), 0)).toBe(text),
  );
});

describe('parents of IPAddresses', () => {
  const parent = { resource: 'services', namespace: 'default', name: 'web' };
  const errorsOf = (version: EmulatedVersion, changed: JsonObject) =>
    defineIPAddresses(emulate(version)).validateUpdate?.(
      address('192.0.2.1', changed),
      address('192.0.2.1', parent),
      contextOf(),
    );

  it('cannot be changed, and are printed with their type', () => {
    expect(errorsOf('1.27', parent)).toEqual([]);
    expect(errorsOf('1.27', { ...parent, name: 'api' })?.map(({ message }) => message)).toEqual([
      'Invalid value: networking.ParentReference{Group:"", Resource:"services", Namespace:"default", Name:"api", ' +
        'UID:""}: field is immutable',
    ]);
    expect(errorsOf('latest', { ...parent, name: 'api' })?.map(({ later }) => later)).toEqual([
      'Invalid value: {"Group":"","Resource":"services","Namespace":"default","Name":"api"}: field is immutable',
    ]);
  });
});

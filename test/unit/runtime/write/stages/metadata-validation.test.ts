/** Errors in the metadata of an object that is created or updated. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, ObjectMeta, ResourceModule } from '../../../../../runtime/contract/index.js';
import { fieldErrorText } from '../../../../../runtime/objects/field-error.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { validateMetadata, validateMetadataUpdate } from '../../../../../runtime/write/stages/metadata.js';
import { widget, widgets } from '../../../../support/widgets.js';

const served = (more: Partial<ResourceModule> = {}) => serveResource({ ...widgets, ...more });
const resource = served();

const onCreate = (metadata: JsonObject, of = resource): string[] =>
  validateMetadata(of, { ...widget('a'), metadata: { namespace: 'default', ...metadata } }).map(fieldErrorText);

const good: ObjectMeta = { namespace: 'default', uid: 'u', resourceVersion: '4', generation: 2 };

const onUpdate = (changes: ObjectMeta, stored: ObjectMeta = {}, of = resource): string[] => {
  const old = widget('a', {}, { ...good, ...stored });
  const object = widget('a', {}, { ...good, ...stored, ...changes });
  const { common, changes: ofChanges } = validateMetadataUpdate(of, object, old);
  return [...common, ...ofChanges].map(fieldErrorText);
};

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };

describe('metadata of a new object', () => {
  it('may be correct', () => {
    expect(onCreate({ name: 'a', generateName: 'a-', labels: { a: 'b' }, ownerReferences: [owner] })).toEqual([]);
  });

  it.each<[string, JsonObject, RegExp]>([
    ['no name', {}, /^metadata\.name: Required value: name or generateName is required$/],
    ['a bad name', { name: 'A' }, /^metadata\.name: Invalid value: "A": a lowercase RFC 1123 subdomain/],
    ['a bad prefix', { name: 'a', generateName: 'Ab-' }, /^metadata\.generateName: Invalid value: "Ab-": a lowercase/],
    ['a namespace that is no label', { name: 'a', namespace: 'a.b' }, /^metadata\.namespace: Invalid value: "a\.b"/],
    ['no namespace', { name: 'a', namespace: '' }, /^metadata\.namespace: Required value$/],
    [
      'a negative generation',
      { name: 'a', generation: -1 },
      /^metadata\.generation: Invalid value: -1: must be greater/,
    ],
    ['a bad label', { name: 'a', labels: { 'a b': '' } }, /^metadata\.labels: Invalid value: "a b"/],
    ['a bad annotation', { name: 'a', annotations: { 'a b': '' } }, /^metadata\.annotations: Invalid value: "a b"/],
    ['a bad finalizer', { name: 'a', finalizers: ['a b'] }, /^metadata\.finalizers: Invalid value: "a b"/],
  ])('has %s', (_what, metadata, expected) => {
    const errors = onCreate(metadata);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(expected);
  });

  it('reports all mistakes at once', () => {
    expect(onCreate({ name: 'A', namespace: 'B', labels: { 'a b': '' } })).toHaveLength(3);
  });

  it('has no namespace if the resource is cluster-scoped', () => {
    const cluster = served({ scope: 'Cluster' });
    expect(onCreate({ name: 'a', namespace: '' }, cluster)).toEqual([]);
    expect(onCreate({ name: 'a' }, cluster)).toEqual(['metadata.namespace: Forbidden: not allowed on this type']);
  });

  it('has names as long as the resource allows', () => {
    const short = served({ nameRule: { format: 'dns-1123-subdomain', maxLength: 5 } });
    expect(onCreate({ name: 'abcde' }, short)).toEqual([]);
    expect(onCreate({ name: 'abcdef' }, short)).toEqual([
      'metadata.name: Invalid value: "abcdef": must be no more than 5 characters',
    ]);
  });

  it('has names that fit into a path, even without another rule', () => {
    const any = served({ nameRule: { format: 'any' } });
    expect(onCreate({ name: 'A_b:c' }, any)).toEqual([]);
    for (const name of ['a/b', 'a%b', '.', '..']) expect(onCreate({ name }, any)).toHaveLength(1);
  });

  it('leaves names to the handlers of the kind if they check them', () => {
    const picky = serveResource(widgets, {
      handlers: { validateName: (name) => (name === 'A' ? [] : ['is not A']) },
    });
    expect(onCreate({ name: 'A' }, picky)).toEqual([]);
    expect(onCreate({ name: 'a' }, picky)).toEqual(['metadata.name: Invalid value: "a": is not A']);
  });
});

describe('owner references', () => {
  const errorsOf = (...ownerReferences: JsonObject[]) => onCreate({ name: 'a', ownerReferences });

  it.each<[JsonObject, string]>([
    [{ ...owner, apiVersion: '' }, '.apiVersion: Invalid value: "": version must not be empty'],
    [{ ...owner, apiVersion: 'a/b/c' }, '.apiVersion: Invalid value: "a/b/c": version must not be empty'],
    [{ ...owner, kind: '' }, '.kind: Invalid value: "": kind must not be empty'],
    [{ ...owner, name: '' }, '.name: Invalid value: "": name must not be empty'],
    [{ ...owner, uid: '' }, '.uid: Invalid value: "": uid must not be empty'],
  ])('%j', (reference, expected) => {
    expect(errorsOf(reference)).toEqual([`metadata.ownerReferences${expected}`]);
  });

  it('may not name an event as the owner', () => {
    const printed = `v1.OwnerReference{APIVersion:"v1", Kind:"Event", Name:"${owner.name}", UID:"${owner.uid}", Controller:(*bool)(nil), BlockOwnerDeletion:(*bool)(0xc000000000)}`;
    expect(errorsOf({ ...owner, kind: 'Event', blockOwnerDeletion: false })).toEqual([
      `metadata.ownerReferences: Invalid value: ${printed}: /v1, Kind=Event is disallowed from being an owner`,
    ]);
    expect(errorsOf({ ...owner, kind: 'Event', apiVersion: 'example.com/v1' })).toEqual([]);
  });

  it('may have one controller among them', () => {
    const controller = (name: string) => ({ ...owner, name, controller: true });
    expect(errorsOf(controller('x'), { ...owner, controller: false }, owner)).toEqual([]);
    expect(errorsOf(controller('x'), owner, controller('y'))).toEqual([
      expect.stringMatching(/Found "true" in references for ConfigMap\/x and ConfigMap\/y$/),
    ]);
  });
});

describe('metadata of an update', () => {
  it('may be correct', () => {
    expect(onUpdate({ labels: { a: 'b' }, generation: 3 })).toEqual([]);
  });

  it.each<[ObjectMeta, string]>([
    [{ name: 'b' }, 'metadata.name: Invalid value: "b": field is immutable'],
    [{ namespace: 'b' }, 'metadata.namespace: Invalid value: "b": field is immutable'],
    [{ uid: 'b' }, 'metadata.uid: Invalid value: "b": field is immutable'],
    [
      { creationTimestamp: '2020-01-01T00:00:00Z' },
      'metadata.creationTimestamp: Invalid value: 2020-01-01 00:00:00 +0000 UTC: field is immutable',
    ],
    [
      { deletionTimestamp: '2020-01-01T00:00:00Z' },
      'metadata.deletionTimestamp: Invalid value: 2020-01-01 00:00:00 +0000 UTC: field is immutable',
    ],
    [{ deletionGracePeriodSeconds: 5 }, 'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable'],
    [{ generation: 1 }, 'metadata.generation: Invalid value: 1: must not be decremented'],
    [{ resourceVersion: '' }, 'metadata.resourceVersion: Invalid value: "": must be specified for an update'],
  ])('%j', (changes, expected) => {
    // Once from the rules of all objects, once from the rules of the kind.
    expect(onUpdate(changes)).toEqual([expected, expected]);
  });

  it('gets the checks of a new object too', () => {
    const errors = onUpdate({ labels: { 'a b': '' }, ownerReferences: [{ ...owner, uid: '' }] });
    expect(new Set(errors).size).toBe(2);
    expect(errors).toHaveLength(6);
  });

  it('is reported as often as it is checked', () => {
    const typed = served({ decoding: 'typed' });
    const fields = (errors: readonly string[]) => errors.map((error) => error.split(':')[0]);
    expect(fields(onUpdate({ finalizers: ['a b'] }))).toEqual(['metadata.finalizers']);
    expect(fields(onUpdate({ finalizers: ['mine'] }, {}, typed))).toEqual(['metadata.finalizers[0]']);
    expect(fields(onUpdate({ uid: 'b', labels: { 'a b': '' }, finalizers: ['a b'] }, {}, typed))).toEqual([
      'metadata.labels',
      'metadata.finalizers',
      'metadata.uid',
      'metadata.labels',
      'metadata.uid',
      'metadata.labels',
      'metadata.finalizers[0]',
    ]);
    const whole = { ...widget('a'), metadata: { ...good, labels: { 'a b': '' }, finalizers: ['a b'] } };
    expect(validateMetadataUpdate(typed, whole, whole).alone.map(({ field }) => field)).toEqual([
      'metadata.labels',
      'metadata.finalizers',
      'metadata.finalizers[0]',
    ]);
  });

  it('has managers with valid names', () => {
    const errors = onUpdate({
      managedFields: [{ manager: 'm'.repeat(129) }, { manager: 'a', subresource: 's'.repeat(257) }],
    });
    expect(errors.slice(0, 2)).toEqual([
      'metadata.managedFields[0].manager: Too long: must have at most 128 bytes',
      'metadata.managedFields[1].subresource: Too long: must have at most 256 bytes',
    ]);
    expect(errors).toHaveLength(6);
  });

  it('is not checked again for a stored name', () => {
    expect(onUpdate({}, { name: 'NOT.A.LABEL_' })).toEqual([]);
  });
});

describe('finalizers', () => {
  const deleting: ObjectMeta = { deletionTimestamp: '2020-01-01T00:00:00Z', finalizers: ['a.io/x', 'a.io/y'] };

  it('can be removed but not added while the object is being deleted', () => {
    expect(onUpdate({ finalizers: ['a.io/y'] }, deleting)).toEqual([]);
    expect(onUpdate({ finalizers: ['a.io/x', 'b.io/2', 'b.io/1'] }, deleting)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b.io/1", "b.io/2"}',
      expect.stringContaining('no new finalizers'),
    ]);
  });

  it('need a domain in built-in kinds only', () => {
    expect(onCreate({ name: 'a', finalizers: ['mine'] })).toEqual([]);
    expect(onCreate({ name: 'a', finalizers: ['mine'] }, served({ decoding: 'typed' }))).toEqual([
      expect.stringMatching(/^metadata\.finalizers\[0\]: Invalid value: "mine"/),
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { defineOwnerReferencesPermissionEnforcement } from '../../../../plugins/index.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AuthorizationAttributes,
  OwnerReference,
} from '../../../../runtime/contract/index.js';
import { hostOf } from '../../../support/admission-host.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { configMaps, contextWith, object, write } from './attributes.js';

const deployments = moduleOf('apps', 'deployments', 'Deployment');
const nodes = moduleOf('', 'nodes', 'Node', { scope: 'Cluster' });
const pods = moduleOf('', 'pods', 'Pod');
const plugin = defineOwnerReferencesPermissionEnforcement();
plugin.start?.(hostOf([deployments, nodes, configMaps]));

const owner = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name,
  uid: `uid-of-${name}`,
  ...more,
});
const blocked = (name: string, more: Partial<OwnerReference> = {}) =>
  owner(name, { blockOwnerDeletion: true, ...more });
const owned = (...ownerReferences: OwnerReference[]) => object({ metadata: { name: 'a', ownerReferences } });
const create = (...owners: OwnerReference[]) => write({ object: owned(...owners) });
const update = (now: OwnerReference[], old: OwnerReference[], more: Partial<AdmissionAttributes> = {}) =>
  write({ operation: 'UPDATE', object: owned(...now), oldObject: owned(...old), ...more });

const askedOf = ({ verb, group, resource, subresource, namespace, name }: AuthorizationAttributes): string =>
  `${verb} ${group}/${resource}/${subresource} ${namespace}/${name}`;

/** Allows the named requests, and records all. */
function allowing(...allowed: string[]): AdmissionContext & { readonly asked: string[] } {
  const asked: string[] = [];
  const context = contextWith({}, (attributes) => {
    asked.push(askedOf(attributes));
    return allowed.includes(askedOf(attributes));
  });
  return { ...context, asked };
}

const anywhere = 'update */*/finalizers /*';
const mine = 'update apps/deployments/finalizers team/mine';
const mayDelete = 'delete /configmaps/ team/a';
const noFinalizers =
  'configmaps "a" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: , <nil>';
const noDelete = 'configmaps "a" is forbidden: cannot set an ownerRef on a resource you can\'t delete: , <nil>';

testAdmissionPlugin({
  plugin,
  admitted: create(blocked('mine')),
  refused: create(blocked('other')),
  context: allowing(mine),
  words: [],
});

describe('a create', () => {
  it('needs no rights for owners that are not blocked', async () => {
    const context = allowing();
    expect(
      await runPlugin(plugin, create(owner('a'), owner('b', { blockOwnerDeletion: false })), context),
    ).toBeUndefined();
    expect(context.asked).toEqual([]);
  });

  it('needs the right to the finalizers of each blocked owner, in the namespace or in none', async () => {
    const node = blocked('n', { apiVersion: 'v1', kind: 'Node' });
    const context = allowing(mine);
    expect(await runPlugin(plugin, create(blocked('mine'), node), context)).toMatchObject({ message: noFinalizers });
    expect(context.asked).toEqual([anywhere, mine, 'update /nodes/finalizers /n']);
    const ofNode = allowing('update /nodes/finalizers /n');
    expect(await runPlugin(plugin, create(node), ofNode)).toBeUndefined();
  });

  it('refuses kinds that are not served, except for users who may do everything', async () => {
    const stranger = create(blocked('n', { apiVersion: 'example.com/v1', kind: 'Nothing' }));
    expect(await runPlugin(plugin, stranger, allowing())).toMatchObject({
      reason: 'Forbidden',
      message:
        'configmaps "a" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion example.com/v1 Kind Nothing: no matches for kind "Nothing" in version "example.com/v1"',
    });
    expect(await runPlugin(plugin, stranger, allowing(anywhere))).toBeUndefined();
  });
});

describe('an update', () => {
  it('needs no rights if the owners stay', async () => {
    const context = allowing();
    expect(await runPlugin(plugin, update([blocked('x')], [blocked('x')]), context)).toBeUndefined();
    expect(context.asked).toEqual([]);
  });

  it.each([
    ['added', [owner('x'), owner('y')], [owner('x')]],
    ['removed', [], [owner('x')]],
    ['changed', [blocked('x')], [owner('x')]],
  ])('needs the right to delete if owners are %s', async (_, now, old) => {
    expect(await runPlugin(plugin, update(now, old), allowing(anywhere))).toMatchObject({ message: noDelete });
    expect(await runPlugin(plugin, update(now, old), allowing(anywhere, mayDelete))).toBeUndefined();
  });

  it('needs the right to the finalizers of newly blocked owners, by their uid', async () => {
    const renamed = update([blocked('y', { uid: 'u' })], [blocked('x', { uid: 'u' })]);
    expect(await runPlugin(plugin, renamed, allowing(mayDelete))).toBeUndefined();
    const waiting = update([blocked('x')], [owner('x')]);
    expect(await runPlugin(plugin, waiting, allowing(mayDelete))).toMatchObject({ message: noFinalizers });
  });
});

it("includes the authorizer's reason", async () => {
  const decided = { decision: 'no opinion', reason: 'why', evaluationError: 'error' } as const;
  const context = { ...contextWith({}), decide: () => decided };
  expect(await runPlugin(plugin, update([owner('x')], []), context)).toMatchObject({
    message: expect.stringContaining("you can't delete: why, error"),
  });
});

it('ignores the status of pods, which nodes write', () => {
  expect(plugin.handles(pods, 'UPDATE', 'status')).toBe(false);
  expect(plugin.handles(pods, 'UPDATE', '')).toBe(true);
  expect(plugin.handles(deployments, 'UPDATE', 'status')).toBe(true);
  expect(plugin.handles(pods, 'DELETE', '')).toBe(false);
});

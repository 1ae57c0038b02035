/** NamespaceAutoProvision: which writes make namespaces, and what becomes of one that cannot be made. */
import { expect, it } from 'vitest';
import { defineNamespaceAutoProvision } from '../../../../../plugins/index.js';
import type { AdmissionContext, Failure, JsonObject } from '../../../../../runtime/contract/index.js';
import { alreadyExists, badRequest } from '../../../../../runtime/objects/status.js';
import { runPlugin } from '../../../../support/admission-suite.js';
import { configMaps, contextWith, namespaces, object, write } from '../attributes.js';

const plugin = defineNamespaceAutoProvision();
const nowhere = write({ namespace: 'nowhere', object: object() });

/** Notes what is created, or fails. */
function creating(failure?: Failure): AdmissionContext & { readonly created: JsonObject[] } {
  const created: JsonObject[] = [];
  return {
    ...contextWith({ team: 'Active' }),
    created,
    async create(group, resource, value) {
      created.push({ group, resource, value });
      return failure ? { ok: false, failure } : { ok: true, value: object() };
    },
  };
}

it('makes the namespace of a create, whatever is created', async () => {
  const context = creating();
  expect(await runPlugin(plugin, nowhere, context)).toBeUndefined();
  expect(await runPlugin(plugin, { ...nowhere, subresource: 'token' }, context)).toBeUndefined();
  const value = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'nowhere' } };
  const made = { group: '', resource: 'namespaces', value };
  expect(context.created).toEqual([made, made]);
});

it('makes none that is there, and none for a dry run', async () => {
  const context = creating();
  expect(await runPlugin(plugin, write({ object: object() }), context)).toBeUndefined();
  expect(await runPlugin(plugin, { ...nowhere, dryRun: true }, context)).toBeUndefined();
  expect(context.created).toEqual([]);
});

it('lets others be faster', async () => {
  const taken = alreadyExists('', 'namespaces', 'nowhere');
  expect(await runPlugin(plugin, nowhere, creating(taken))).toBeUndefined();
});

it('refuses what is in a namespace that cannot be made', async () => {
  expect(await runPlugin(plugin, nowhere, creating(badRequest('no such name')))).toMatchObject({
    reason: 'Forbidden',
    message: 'configmaps "a" is forbidden: no such name',
  });
});

it('has nothing to do with other operations, and with the cluster', () => {
  expect(plugin.handles(configMaps, 'UPDATE', '')).toBe(false);
  expect(plugin.handles(configMaps, 'DELETE', '')).toBe(false);
  expect(plugin.handles(namespaces, 'CREATE', '')).toBe(false);
});

import { describe, expect, it } from 'vitest';
import {
  defineNamespaceAutoProvision,
  defineNamespaceExists,
  defineNamespaceLifecycle,
} from '../../../../plugins/index.js';
import type { AdmissionContext, Failure, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { alreadyExists, badRequest } from '../../../../runtime/objects/status.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { configMaps, contextWith, namespaces, object, write } from './attributes.js';

describe('NamespaceLifecycle', () => {
  const plugin = defineNamespaceLifecycle(platformNaming);
  const context = contextWith({ team: 'Active', ending: 'Terminating', default: 'Active' });

  testAdmissionPlugin({
    plugin,
    admitted: write({ object: object() }),
    refused: write({ object: object(), namespace: 'missing' }),
    context,
    words: ['phase', 'Terminating'],
  });

  describe('with the namespaces of another server', () => {
    const known = new Map([
      ['team', 'Active'],
      ['ending', 'Terminating'],
    ]);
    const elsewhere = defineNamespaceLifecycle(kubernetesNaming, async (name) => {
      if (name === 'down') throw new Error('no answer');
      const phase = known.get(name);
      return phase === undefined ? undefined : { phase };
    });
    const none = contextWith({});

    it.each([
      ['CREATE', 'team', undefined],
      ['UPDATE', 'ending', undefined],
      ['CREATE', 'ending', { reason: 'Forbidden', details: { causes: [{ reason: 'NamespaceTerminating' }] } }],
      ['CREATE', 'missing', { reason: 'NotFound', message: 'namespaces "missing" not found' }],
      ['UPDATE', 'missing', { reason: 'NotFound' }],
      ['CREATE', 'down', { reason: 'InternalError', message: expect.stringContaining('namespace down: no answer') }],
    ] as const)('answers a %s in %s by the answer of that server', async (operation, namespace, expected) => {
      const failure = await runPlugin(elsewhere, write({ operation, namespace, object: object() }), none);
      if (expected === undefined) expect(failure).toBe(undefined);
      else expect(failure).toMatchObject(expected);
    });
  });

  describe('objects in namespaces', () => {
    it('are not created or changed in a missing namespace', async () => {
      for (const operation of ['CREATE', 'UPDATE'] as const) {
        expect(await runPlugin(plugin, write({ operation, namespace: 'missing' }), context)).toEqual({
          reason: 'NotFound',
          message: 'namespaces "missing" not found',
          details: { name: 'missing', group: '', kind: 'namespaces' },
        });
      }
    });

    it('are not created in a terminating namespace', async () => {
      expect(await runPlugin(plugin, write({ namespace: 'ending' }), context)).toEqual({
        reason: 'Forbidden',
        message:
          'configmaps "a" is forbidden: unable to create new content in namespace ending because it is being terminated',
        details: {
          name: 'a',
          group: '',
          kind: 'configmaps',
          causes: [
            {
              reason: 'NamespaceTerminating',
              message: 'namespace ending is being terminated',
              field: 'metadata.namespace',
            },
          ],
        },
      });
    });

    it('have the beginning of a name that is not generated yet in messages', async () => {
      const generated = object({ metadata: { generateName: 'gen-' } });
      const failure = await runPlugin(plugin, write({ namespace: 'ending', name: '', object: generated }), context);
      expect(failure?.details?.name).toBe('gen-');
    });

    it('are changed and deleted in a terminating namespace', async () => {
      expect(await runPlugin(plugin, write({ namespace: 'ending', operation: 'UPDATE' }), context)).toBeUndefined();
      expect(await runPlugin(plugin, write({ namespace: 'missing', operation: 'DELETE' }), context)).toBeUndefined();
    });

    it('are checked before anything else', () =>
      expect(plugin.admit?.(write({ namespace: 'missing' }), context)).toBeDefined());
  });

  describe('cluster-scoped objects', () => {
    it('are not checked', () => {
      const nodes = moduleOf('', 'nodes', 'Node', { scope: 'Cluster' });
      expect(plugin.handles(nodes, 'CREATE', '')).toBe(false);
      expect(plugin.handles(namespaces, 'CREATE', '')).toBe(false);
      expect(plugin.handles(configMaps, 'CONNECT', '')).toBe(false);
    });

    it('may be a question about rights in a missing namespace', () => {
      const review = (group: string) => moduleOf(group, 'localsubjectaccessreviews', 'LocalSubjectAccessReview');
      expect(plugin.handles(review('authorization.platform.io'), 'CREATE', '')).toBe(false);
      expect(plugin.handles(review('example.com'), 'CREATE', '')).toBe(true);
      expect(defineNamespaceLifecycle(kubernetesNaming).handles(review('authorization.k8s.io'), 'CREATE', '')).toBe(
        false,
      );
    });
  });

  describe('namespaces', () => {
    const remove = (name: string, names = platformNaming) =>
      runPlugin(
        defineNamespaceLifecycle(names),
        write({ operation: 'DELETE', resource: namespaces, namespace: '', name }),
        context,
      );

    it.each(['default', 'platform-system', 'platform-public'])('called %s cannot be deleted', async (name) =>
      expect(await remove(name)).toEqual({
        reason: 'Forbidden',
        message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
        details: { name, group: '', kind: 'namespaces' },
      }),
    );

    it('of other names can be deleted', async () => {
      for (const name of ['team', 'platform-node-lease', 'kube-system']) expect(await remove(name)).toBeUndefined();
    });

    it('cannot be deleted under the served naming', async () => {
      expect(await remove('kube-system', kubernetesNaming)).toMatchObject({ reason: 'Forbidden' });
      expect(await remove('platform-system', kubernetesNaming)).toBeUndefined();
    });
  });
});

describe('NamespaceAutoProvision', () => {
  const plugin = defineNamespaceAutoProvision();
  const nowhere = write({ namespace: 'nowhere', object: object() });

  /** Records created objects, or fails. */
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

  it('creates the namespace of any new object', async () => {
    const context = creating();
    expect(await runPlugin(plugin, nowhere, context)).toBeUndefined();
    expect(await runPlugin(plugin, { ...nowhere, subresource: 'token' }, context)).toBeUndefined();
    const value = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'nowhere' } };
    const made = { group: '', resource: 'namespaces', value };
    expect(context.created).toEqual([made, made]);
  });

  it('creates none that exists, and none for a dry run', async () => {
    const context = creating();
    expect(await runPlugin(plugin, write({ object: object() }), context)).toBeUndefined();
    expect(await runPlugin(plugin, { ...nowhere, dryRun: true }, context)).toBeUndefined();
    expect(context.created).toEqual([]);
  });

  it('accepts that others are faster', async () => {
    const taken = alreadyExists('', 'namespaces', 'nowhere');
    expect(await runPlugin(plugin, nowhere, creating(taken))).toBeUndefined();
  });

  it('refuses the object if its namespace cannot be created', async () =>
    expect(await runPlugin(plugin, nowhere, creating(badRequest('no such name')))).toMatchObject({
      reason: 'Forbidden',
      message: 'configmaps "a" is forbidden: no such name',
    }));

  it('ignores other operations and cluster-scoped objects', () => {
    expect(plugin.handles(configMaps, 'UPDATE', '')).toBe(false);
    expect(plugin.handles(configMaps, 'DELETE', '')).toBe(false);
    expect(plugin.handles(namespaces, 'CREATE', '')).toBe(false);
  });
});

describe('NamespaceExists', () => {
  const plugin = defineNamespaceExists();
  const context = contextWith({ team: 'Active', ending: 'Terminating' });

  testAdmissionPlugin({
    plugin,
    admitted: write({ object: object() }),
    refused: write({ namespace: 'nowhere', object: object() }),
    context,
    words: [],
  });

  it.each(['CREATE', 'UPDATE', 'DELETE'] as const)(
    '%s needs the namespace, which may be terminating',
    async (operation) => {
      expect(await runPlugin(plugin, write({ operation, namespace: 'ending' }), context)).toBeUndefined();
      expect(await runPlugin(plugin, write({ operation, namespace: 'nowhere' }), context)).toMatchObject({
        reason: 'NotFound',
        message: 'namespaces "nowhere" not found',
      });
    },
  );

  it('ignores cluster-scoped objects and connections', () => {
    expect(plugin.handles(namespaces, 'CREATE', '')).toBe(false);
    expect(plugin.handles(configMaps, 'CONNECT', 'proxy')).toBe(false);
  });
});

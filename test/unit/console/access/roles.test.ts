import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { ServedKind } from 'kindforge/client';
import { describe, expect, it } from 'vitest';
import { onceEach, toOwnRights } from '../../../../packages/console/src/pages/access/asked-server.js';
import { rightsOfUser, rolesWith, roleView } from '../../../../packages/console/src/pages/access/roles.js';
import { root } from '../../../support/shared.js';
import { policy } from '../../server/access/policies.js';

describe('a role', () => {
  it('is shown with its rules and its users', () =>
    expect(roleView(policy, 'shop', 'clerk')).toEqual({
      place: { kind: 'Role', name: 'clerk', namespace: 'shop' },
      rules: ['get, list on configmaps, secrets', 'get on pods'],
      holders: ['User anna', 'ServiceAccount shop/bot'].map((subject) => ({
        subject,
        binding: { kind: 'RoleBinding', name: 'clerks', namespace: 'shop' },
      })),
      parts: [],
    }));

  it('that is aggregated is shown with its parts', () =>
    expect(roleView(policy, '', 'view')?.parts).toContainEqual({ kind: 'ClusterRole', name: 'view-logs' }));

  it('that does not exist is not shown', () => expect(roleView(policy, '', 'clerk')).toBeUndefined());

  it('is found by words of its name and rules', () =>
    expect(rolesWith(policy, 'SHOP configmaps').map(({ reference }) => reference.name)).toEqual(['clerk']));
});

describe('the rights of a user', () => {
  it('come from each binding, with roles that do not exist', () => {
    const rights = rightsOfUser(policy, { name: 'anna', groups: ['devs'] });
    expect(rights.map(({ subject, role, isMissing }) => [subject, role.name, isMissing])).toContainEqual([
      'User anna',
      'clerk',
      false,
    ]);
    expect(rights.some(({ subject }) => subject === 'Group devs')).toBe(true);
  });

  it('are read from a review, each once', () => {
    const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
    const paths = { verbs: ['get'], nonResourceURLs: ['/healthz'] };
    const status = { resourceRules: [rule, rule], nonResourceRules: [paths], incomplete: true, evaluationError: 'x' };
    expect(toOwnRights({ status })).toEqual({
      rules: ['get on pods', 'get on /healthz'],
      isIncomplete: true,
      problem: 'x',
    });
  });
});

describe('the kinds for questions', () => {
  it('are each in their preferred version', () => {
    const kind = (version: string, isPreferred: boolean): ServedKind => ({
      ...{ group: 'a', version, plural: 'as', kind: 'A', scope: 'Cluster', subresources: [], isPreferred },
      ...{ verbs: [], shortNames: [], singular: '', categories: [] },
    });
    expect(onceEach([kind('v1', false), kind('v2', true), kind('v3', false)])).toEqual([kind('v2', true)]);
  });
});

describe('the answers of kindforge access', () => {
  it('can be computed in browsers, in a small file', async () => {
    const doors = ['server/access/answer-questions.js', 'server/access/policy.js'];
    const { outputFiles } = await build({
      stdin: { contents: doors.map((door) => `export * from './${door}';`).join('\n'), resolveDir: root },
      ...{ bundle: true, write: false, minify: true, format: 'iife', platform: 'browser', logLevel: 'silent' },
      globalName: 'access',
    });
    const text = outputFiles[0]?.text ?? '';
    expect(text).not.toMatch(/["'`]node:|require\("/);
    // The SDK is part of it, but pages have it in any case.
    expect(gzipSync(text).length).toBeLessThan(40_000);
    const page = createContext({ TextEncoder, TextDecoder, URL, AbortController });
    runInContext(text, page);
    const parts: unknown = runInContext(
      `(() => {
        const view = { metadata: { name: 'view' }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'a.b/c': 'd' } }] } };
        const part = { metadata: { name: 'part', labels: { 'a.b/c': 'd' } }, rules: [{ verbs: ['get'] }] };
        const policy = new access.AccessPolicy([view, part], []);
        return policy.partsOf(policy.roles[0]).map(({ reference }) => reference.name).join();
      })()`,
      page,
    );
    expect(parts).toBe('part');
  });
});

/** The first objects of a server of a later release, compared with the facts of that release. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../../support/ask.js';
import { type ListeningServer, startServing } from '../../../support/serving.js';
import { hasShared, shared } from '../../../support/shared.js';

interface Named {
  readonly metadata: { readonly name: string };
  readonly spec?: object;
  readonly rules?: object;
}

type Facts = Readonly<Record<string, readonly Named[]>>;

const facts: Facts = hasShared
  ? JSON.parse(readFileSync(shared('reference', 'initial-objects-1.36.json'), 'utf8'))
  : {};

let server: ListeningServer;
beforeAll(async () => {
  server = await startServing({
    naming: 'kubernetes',
    controllers: 'none',
    featureGates: '',
    emulatedVersion: 'latest',
  });
}, 300_000);
afterAll(() => server.stop());

async function found(path: string): Promise<readonly Named[]> {
  return (await ask<{ items: readonly Named[] }>(server, 'GET', path)).body.items;
}

const specs = (objects: readonly Named[]) => new Map(objects.map(({ metadata: { name }, spec }) => [name, spec]));

it.skipIf(!hasShared)('priority levels are as in 1.36', async () => {
  const path = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
  expect(specs(await found(path))).toEqual(specs(facts[path] ?? []));
});

it.skipIf(!hasShared).each(['service-cidrs-controller', 'volumeattributesclass-protection-controller'])(
  'the role of the %s has the rights of 1.36',
  async (controller) => {
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const roleOf = (roles: readonly Named[] = []) =>
      roles.find(({ metadata: { name } }) => name === `system:controller:${controller}`)?.rules;
    expect(roleOf(await found(path))).toEqual(roleOf(facts[path]));
    expect(roleOf(facts[path])).toBeDefined();
  },
);

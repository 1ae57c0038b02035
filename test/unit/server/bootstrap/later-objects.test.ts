/** The first objects of a server of a later release, compared with the facts of that release. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ask } from '../../../support/ask.js';
import { servingForTests } from '../../../support/serving.js';
import { hasShared, shared } from '../../../support/shared.js';

interface Found {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly status?: object;
  readonly aggregationRule?: object;
  readonly rules?: object;
  readonly metadata: Readonly<Record<string, unknown>>;
}

type Facts = Readonly<Record<string, readonly Found[]>>;

const facts: Facts = hasShared
  ? JSON.parse(readFileSync(shared('reference', 'initial-objects-1.36.json'), 'utf8'))
  : {};

const server = servingForTests({
  naming: 'kubernetes',
  controllers: 'none',
  featureGates: '',
  emulatedVersion: 'latest',
  serviceClusterIpRange: '10.0.0.0/24',
});

/** Removes values that differ from server() to server(), and the rules that a controller of the reference writes. */
function plain({ apiVersion: _version, kind: _kind, status: _status, ...object }: Found): unknown {
  const { name, namespace, labels, annotations, generation } = object.metadata;
  const rules = object.aggregationRule === undefined ? {} : { rules: [] };
  const text = JSON.stringify({ ...object, ...rules, metadata: { name, namespace, labels, annotations, generation } });
  return JSON.parse(text.replace(/"targetPort":\d+/, '"targetPort":0'));
}

const byName = (objects: readonly Found[] = []) =>
  new Map(objects.map((one) => [`${one.metadata.namespace ?? ''}/${one.metadata.name}`, plain(one)]));

it.skipIf(!hasShared).each(Object.keys(facts))('%s equal the recorded ones of 1.36', async (path) => {
  const { items } = (await ask<{ items: readonly Found[] }>(server(), 'GET', path)).body;
  expect(byName(items)).toEqual(byName(facts[path]));
});

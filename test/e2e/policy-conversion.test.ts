/**
 * Admission policies about kinds with a conversion webhook. They see objects and parameters in the version that they
 * name.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../runtime/contract/index.js';
import { askLater } from '../support/ask.js';
import {
  type ConversionWebhook,
  heater,
  heaterDefinition,
  heaters,
  honest,
  startConversionWebhook,
} from '../support/conversion-webhook.js';
import { type ListeningServer, startServing } from '../support/serving.js';

const registration = '/apis/admissionregistration.k8s.io/v1alpha1';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let webhook: ConversionWebhook;
let running: ListeningServer;

const ask = askLater(() => running);

/** Writes a policy, and waits until it is in force. */
async function demand(name: string, spec: JsonObject, binding: JsonObject = {}): Promise<void> {
  const made = [
    await ask('POST', `${registration}/validatingadmissionpolicies`, { metadata: { name }, spec }),
    await ask('POST', `${registration}/validatingadmissionpolicybindings`, {
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'], ...binding },
    }),
  ];
  expect(made.map(({ code }) => code)).toEqual([201, 201]);
}

const about = (group: string, version: string, resource: string): JsonObject => ({
  resourceRules: [
    { apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE'], resources: [resource] },
  ],
});

beforeAll(async () => {
  webhook = await startConversionWebhook();
  running = await startServing({ naming: 'kubernetes', featureGates: 'ValidatingAdmissionPolicy=true' });
  await ask('POST', definitions, heaterDefinition(webhook));
  while ((await ask('GET', heaters('v1'))).code !== 200) await sleep(20);
});
afterAll(async () => {
  await running.stop();
  webhook.close();
});

describe('a policy about a version that a webhook converts to', () => {
  it('sees converted objects of another version, and refuses them if the conversion fails', async () => {
    await demand('weak', {
      matchConstraints: about('home.example.com', 'v1', 'heaters'),
      validations: [
        {
          expression: 'object.spec.watts < 10',
          messageExpression: "object.apiVersion + ' has ' + string(object.spec.watts)",
        },
      ],
    });
    const refused = await ask('POST', heaters('v2'), heater('strong', { power: { watts: 12 } }));
    expect(refused.code).toBe(422);
    expect(refused.body.message).toContain('denied request: home.example.com/v1 has 12');
    expect((await ask('POST', heaters('v2'), heater('weak', { power: { watts: 2 } }))).code).toBe(201);
    webhook.answerer = (response, review) =>
      honest({ ...response, result: { status: 'Failed', message: 'not today' } }, review);
    const failed = await ask('POST', heaters('v2'), heater('any', { power: { watts: 1 } }));
    webhook.answerer = honest;
    expect(failed.body.message).toContain(
      'failed to configure binding: failed to convert object version: conversion webhook',
    );
    expect(failed.body.message).toContain('not today');
  });

  it('sees its parameters in the version that it names', async () => {
    await ask('POST', heaters('v1'), heater('limit', { watts: 3 }, 'v1'));
    await demand(
      'few',
      {
        matchConstraints: about('', 'v1', 'configmaps'),
        paramKind: { apiVersion: 'home.example.com/v2', kind: 'Heater' },
        validations: [{ expression: 'int(object.data.n) <= params.spec.power.watts' }],
      },
      { paramRef: { name: 'limit', namespace: 'default' } },
    );
    const configMap = (name: string, n: string): JsonObject => ({ metadata: { name }, data: { n } });
    const codes = [
      (await ask('POST', '/api/v1/namespaces/default/configmaps', configMap('many', '4'))).code,
      (await ask('POST', '/api/v1/namespaces/default/configmaps', configMap('few', '3'))).code,
    ];
    expect(codes).toEqual([422, 201]);
  });
});

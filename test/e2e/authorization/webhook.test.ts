/** A webhook decides about requests, between other authorizers. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { filesIn, scratchFolder } from '../../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../../support/serving.js';
import { reviewed, startTokenWebhook, type TokenWebhook } from '../../support/token-webhook.js';

const folder = scratchFolder();
const file = filesIn(folder);

let webhook: TokenWebhook;
let server: ListeningServer;
const audit = join(folder, 'audit.log');
beforeAll(async () => {
  webhook = await startTokenWebhook();
  const policy = (spec: JsonObject) =>
    JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
  server = await startServing({
    naming: 'kubernetes',
    tokenAuthFile: file('tokens.csv', 'root,root,1,system:masters\nanna,anna,2,"devs,ops"\n'),
    authorizationMode: 'RBAC,Webhook,ABAC',
    authorizationWebhookConfigFile: file('webhook', webhook.configFile({ token: 'of-the-server' })),
    authorizationWebhookCacheAuthorizedTtl: '0s',
    authorizationWebhookCacheUnauthorizedTtl: '0s',
    authorizationPolicyFile: file(
      'policies.jsonl',
      policy({ user: 'anna', namespace: '*', resource: 'configmaps', apiGroup: '*' }),
    ),
    auditPolicyFile: file('audit.yaml', 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n'),
    auditLogPath: audit,
  });
});
afterAll(async () => {
  await server.stop();
  await webhook.close();
});

let status: JsonObject;
beforeEach(() => {
  status = {};
  webhook.asked.length = 0;
  webhook.answer = (review) => reviewed(review, status);
});

const get = (path: string, token = 'anna', init: RequestInit = {}) =>
  fetch(server.url + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
const codeOf = async (path: string): Promise<number> => (await get(path)).status;

const secrets = '/api/v1/namespaces/default/secrets';
const configMaps = '/api/v1/namespaces/default/configmaps';

describe('the webhook', () => {
  it('gets all attributes of a request, with the credentials of this server', async () => {
    await codeOf(`${secrets}/a`);
    expect(webhook.asked).toEqual([
      {
        authorization: 'Bearer of-the-server',
        review: {
          apiVersion: 'authorization.k8s.io/v1beta1',
          kind: 'SubjectAccessReview',
          metadata: { creationTimestamp: null },
          spec: {
            resourceAttributes: { namespace: 'default', verb: 'get', version: 'v1', resource: 'secrets', name: 'a' },
            user: 'anna',
            uid: '2',
            group: ['devs', 'ops', 'system:authenticated'],
          },
          status: { allowed: false },
        },
      },
    ]);
  });

  it('allows, denies, or has no opinion', async () => {
    expect([await codeOf(secrets), await codeOf(configMaps)]).toEqual([403, 200]);
    status = { allowed: true };
    expect([await codeOf(secrets), await codeOf(configMaps)]).toEqual([200, 200]);
    status = { allowed: false, denied: true };
    expect([await codeOf(secrets), await codeOf(configMaps)]).toEqual([403, 403]);
  });

  it('is not asked about requests that an earlier authorizer allows', async () => {
    expect(await codeOf('/version')).toBe(200);
    expect((await get(secrets, 'root')).status).toBe(200);
    expect(webhook.asked).toEqual([]);
  });

  it('allows nothing if it cannot be asked, which is an error of the server', async () => {
    for (const answer of [
      [401, ''],
      [200, '{"status":{"allowed":true}}'],
      [200, JSON.stringify({ status: { allowed: true }, padding: 'x'.repeat(2 ** 20) })],
    ] as const) {
      webhook.answer = () => answer;
      expect([await codeOf(secrets), await codeOf(configMaps)]).toEqual([500, 200]);
    }
  });

  it('is asked again after a failure', async () => {
    let tries = 0;
    webhook.answer = (review) => (++tries < 3 ? [500, ''] : reviewed(review, { allowed: true }));
    expect(await codeOf(secrets)).toBe(200);
    expect(tries).toBe(3);
  });

  it('decides about reviews of the rights of the caller', async () => {
    const asked = { namespace: 'default', verb: 'get', resource: 'secrets' };
    const review = async () => {
      const response = await get('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'anna', {
        method: 'POST',
        body: JSON.stringify({
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes: asked },
        }),
      });
      return (await response.json()).status;
    };
    status = { allowed: true, reason: 'it is Tuesday' };
    expect(await review()).toEqual({ allowed: true, reason: 'it is Tuesday' });
    const { spec } = webhook.asked.at(-1)?.review ?? {};
    expect(spec).toHaveProperty('resourceAttributes', { ...asked, version: '*' });
    status = { denied: true, reason: 'it is Wednesday' };
    expect(await review()).toEqual({ allowed: false, denied: true, reason: 'it is Wednesday' });
    webhook.answer = () => [401, ''];
    expect(await review()).toEqual({
      allowed: false,
      reason: 'No policy matched.',
      evaluationError: expect.stringContaining('the webhook answers with 401'),
    });
  });

  it('adds its reasons to audit events', async () => {
    const { readFileSync } = await import('node:fs');
    const annotationsOf = async (path: string) => {
      await codeOf(path);
      const lines = readFileSync(audit, 'utf8').trim().split('\n');
      const event = lines
        .map((line): JsonObject => JSON.parse(line))
        .findLast((one) => stringAt(one, 'requestURI') === path);
      return objectAt(event, 'annotations');
    };
    status = { allowed: true, reason: 'it is Tuesday' };
    expect(await annotationsOf(`${secrets}?limit=1`)).toEqual({
      'authorization.k8s.io/decision': 'allow',
      'authorization.k8s.io/reason': 'it is Tuesday',
    });
    status = { denied: true, reason: 'it is Wednesday' };
    expect(await annotationsOf(`${secrets}?limit=2`)).toEqual({
      'authorization.k8s.io/decision': 'forbid',
      'authorization.k8s.io/reason': 'it is Wednesday',
    });
  });
});

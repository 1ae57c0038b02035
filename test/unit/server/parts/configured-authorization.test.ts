import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defineAlwaysAllow, defineAlwaysDeny } from '../../../../plugins/index.js';
import { namingOf } from '../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { authorizationObserverOf, Metrics } from '../../../../runtime/server/index.js';
import { openConfiguredAuthorization } from '../../../../server/parts/configured-authorization.js';
import { OutgoingCalls } from '../../../../server/webhooks/outgoing-calls.js';
import { testFolder } from '../../../support/scratch-folder.js';

const attributes = { user: { name: 'a', uid: '', groups: [], extra: {} }, verb: 'get', path: '/x' };

it('replaces its authorizers when the file changes, and keeps them if it cannot be used', async () => {
  const file = join(testFolder(), 'a.yaml');
  const use = (...types: readonly string[]): void =>
    writeFileSync(
      file,
      `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n${types
        .map((type) => `  - { type: ${type}, name: ${type.toLowerCase()} }\n`)
        .join('')}`,
    );
  const names = namingOf('kubernetes');
  if (!names) throw new Error('no naming');
  const metrics = new Metrics({ release: '0.1', prefix: 'kubernetes' });
  use('AlwaysDeny');
  const { authorizer, file: followed } = openConfiguredAuthorization(file, {
    release: emulate('latest'),
    featureEnabled: () => true,
    names,
    calls: new OutgoingCalls(),
    onProblem: () => {},
    authorizerOf: (type) =>
      type === 'AlwaysAllow' ? defineAlwaysAllow() : type === 'AlwaysDeny' ? defineAlwaysDeny() : undefined,
    observer: authorizationObserverOf(metrics),
  });
  const decision = async () => (await authorizer.decide(attributes)).decision;
  expect(await decision()).toBe('no opinion');
  use('AlwaysAllow', 'AlwaysDeny');
  await followed.reload();
  expect(await decision()).toBe('allow');
  for (const [types, problem] of [
    [['AlwaysAllow'], 'authorizers: missing required types: [AlwaysDeny]'],
    [['AlwaysDeny', 'RBAC'], 'authorizer type RBAC is not allowed if it was not enabled at initial server startup'],
  ] as const) {
    use(...types);
    expect(() => followed.reload()).toThrow(problem);
    expect(await decision()).toBe('allow');
  }
  const shown = [...(await metrics.show('')).pieces].join('');
  const reloads = 'apiserver_authorization_config_controller_automatic_reloads_total{apiserver_id_hash="",status=';
  expect(shown).toContain(`${reloads}"success"} 1`);
  expect(shown).toContain(`${reloads}"failure"} 2`);
  expect(shown).toContain('decisions_total{decision="allowed",name="alwaysallow",type="AlwaysAllow"} 3');
});

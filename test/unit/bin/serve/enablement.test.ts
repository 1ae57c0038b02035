/** The flags that switch parts of the API, held against what there is. */
import { describe, expect, it } from 'vitest';
import { readEnablement } from '../../../../bin/serve/enablement.js';
import { readSettings } from '../../../../bin/serve/settings.js';
import { moduleOf } from '../../../support/modules.js';

const flags = {
  host: '127.0.0.1',
  httpPort: '0',
  storage: 'memory',
  onDamage: 'refuse',
  historyWindow: '5m',
  historySize: '64Mi',
  naming: 'platform',
  authorizationMode: 'RBAC',
  featureGates: '',
  runtimeConfig: '',
  serviceAccountIssuer: 'https://platform.local',
  serviceAccountKeyFile: [],
  serviceClusterIpRange: '10.0.0.0/16',
  serviceNodePortRange: '30000-32767',
  controllers: 'none',
};

const modules = [moduleOf('storage.platform.io', 'drivers', 'Driver', { featureGate: 'Drivers' })];

function enablement(more: Partial<typeof flags>) {
  const settings = readSettings({ ...flags, ...more });
  if (!settings.ok) throw new Error(settings.failure.message);
  const read = readEnablement(settings.value, modules);
  return read.ok ? read.value : read.failure.message;
}

describe('enablement', () => {
  it('takes groups under the names that are served, and gates of definitions', () => {
    expect(enablement({ runtimeConfig: 'storage.platform.io/v1=false' })).toMatchObject({ notices: [] });
    expect(enablement({ runtimeConfig: 'storage.k8s.io/v1=false', naming: 'kubernetes' })).toMatchObject({});
    const own = enablement({ featureGates: 'Drivers=true' });
    expect(typeof own === 'string' ? own : own.featureEnabled('Drivers')).toBe(true);
  });

  it.each([
    [{ runtimeConfig: 'storage.k8s.io/v1=false' }, /^--runtime-config: unknown api groups storage\.k8s\.io/],
    [
      { runtimeConfig: 'storage.platform.io/v1', naming: 'kubernetes' },
      /^--runtime-config: unknown api groups storage/,
    ],
    [{ runtimeConfig: 'api/most' }, /^--runtime-config: invalid key api\/most; /],
    [{ featureGates: 'Driver=true' }, /^--feature-gates: unrecognized feature gate: Driver; did you mean `Drivers`\?$/],
  ])('refuses %j, with the flag that is wrong', (more, message) => {
    expect(enablement(more)).toMatch(message);
  });
});

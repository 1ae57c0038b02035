/** Flags of the server that are read where they are used only much later. */
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../bin/serve/settings.js';

const flags = {
  host: '127.0.0.1',
  httpPort: '0',
  storage: 'memory',
  onDamage: 'refuse',
  historyWindow: '5m',
  historySize: '64Mi',
  naming: 'platform',
  authorizationMode: 'RBAC',
  serviceAccountIssuer: 'https://platform.local',
  serviceAccountKeyFile: [],
  featureGates: '',
  runtimeConfig: '',
  controllers: 'none',
  serviceClusterIpRange: '10.0.0.0/16',
  serviceNodePortRange: '30000-32767',
};

describe('the release whose rules are kept to', () => {
  it('is the latest or 1.27', () => {
    const [latest, early] = [readSettings(flags), readSettings({ ...flags, emulatedVersion: '1.27' })];
    expect(latest.ok && latest.value.emulatedVersion).toBe(undefined);
    expect(early.ok && early.value.emulatedVersion).toBe('1.27');
  });

  it('is no other', () => {
    const refused = readSettings({ ...flags, emulatedVersion: '1.28' });
    expect(refused.ok || refused.failure.message).toBe('--emulated-version 1.28 is unknown; say 1.27, or leave it out');
  });
});

/** Strategies against what was recorded of the kinds they belong to. */
import { describe, expect, it } from 'vitest';
import { kubernetesNaming } from '../../../runtime/objects/naming.js';
import { strategies } from '../../../strategies/index.js';
import { type Player, play, scenarios } from '../../support/recorded-strategy.js';
import { hasShared } from '../../support/shared.js';

const strategyOf = (kind: string) => {
  const found = strategies(kubernetesNaming).find((strategy) => strategy.kind === kind);
  if (!found) throw new Error(`no strategy for ${kind}`);
  return found;
};

const requests: Player = {
  strategy: strategyOf('certificates.k8s.io/CertificateSigningRequest'),
  plural: 'certificatesigningrequests',
  finds: /^(spec\.request$|status\.)/,
  findsMissing: true,
  decides: ['spec', 'status'],
};

const signers: Player = { ...requests, finds: /^spec\.signerName$/, findsMissing: false };

const players: readonly (readonly [area: string, beginning: string, player: Player])[] = [
  ['resources', 'csr: ', requests],
  ['resources', 'csr: signer names', signers],
  ['resources', 'csr: built-in signer names', signers],
  [
    'resources',
    'ipaddress: names',
    {
      strategy: strategyOf('networking.k8s.io/IPAddress'),
      plural: 'ipaddresses',
      finds: /^metadata\.name$/,
      decides: [],
    },
  ],
  [
    'metadata',
    'namespace: created',
    {
      strategy: strategyOf('Namespace'),
      plural: 'namespaces',
      finds: /./,
      decides: ['spec', 'status', 'metadata.labels'],
    },
  ],
  [
    'metadata',
    'namespace: the finalize',
    { strategy: strategyOf('Namespace'), plural: 'namespaces', finds: /./, decides: ['spec', 'status'] },
  ],
  [
    'metadata',
    'ConfigMap: ',
    { strategy: strategyOf('ConfigMap'), plural: 'configmaps', finds: /./, decides: ['data'] },
  ],
  [
    'metadata',
    'Secret: ',
    {
      strategy: strategyOf('Secret'),
      plural: 'secrets',
      finds: /^(data|metadata)/,
      findsMissing: true,
      decides: ['data', 'stringData'],
    },
  ],
  [
    'authn',
    'authn: secrets of type',
    {
      strategy: strategyOf('Secret'),
      plural: 'secrets',
      finds: /^(data|metadata)/,
      findsMissing: true,
      decides: ['data'],
    },
  ],
  [
    'authn',
    'authn: service account objects',
    { strategy: strategyOf('ServiceAccount'), plural: 'serviceaccounts', finds: /^$/, decides: ['secrets'] },
  ],
  [
    'resources',
    'csidriver: mutable fields',
    { strategy: strategyOf('storage.k8s.io/CSIDriver'), plural: 'csidrivers', finds: /^$/, decides: [] },
  ],
];

describe.skipIf(!hasShared)('recorded exchanges (needs ../shared)', () => {
  for (const [area, beginning, player] of players) {
    const found = hasShared ? scenarios(area, beginning) : [];
    it(`finds scenarios that begin with "${beginning}"`, () => {
      expect(found.length).toBeGreaterThan(0);
    });
    for (const scenario of found) {
      it(scenario.name, () => {
        const played = play(scenario, player);
        expect(played.map(({ step, found: result }) => ({ step, result }))).toEqual(
          played.map(({ step, expected }) => ({ step, result: expected })),
        );
      });
    }
  }
});

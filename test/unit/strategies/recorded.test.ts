/** Strategies against what was recorded of the kinds they belong to. */
import { describe, expect, it } from 'vitest';
import { kubernetesNaming } from '../../../runtime/objects/naming.js';
import { kindHandlers } from '../../../strategies/index.js';
import { type Player, play, scenarios } from '../../support/recorded-handlers.js';
import { hasShared } from '../../support/shared.js';

const handlersOf = (group: string, kind: string) => {
  const found = kindHandlers(kubernetesNaming).find(
    ({ resource: { group: own, names } }) => own === group && names.kind === kind,
  );
  if (!found) throw new Error(`no handlers for ${kind}`);
  return found;
};

const requests: Player = {
  handlers: handlersOf('certificates.platform.io', 'CertificateSigningRequest'),
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
      handlers: handlersOf('networking.platform.io', 'IPAddress'),
      plural: 'ipaddresses',
      finds: /^metadata\.name$/,
      decides: [],
    },
  ],
  [
    'metadata',
    'namespace: created',
    {
      handlers: handlersOf('', 'Namespace'),
      plural: 'namespaces',
      finds: /./,
      decides: ['spec', 'status', 'metadata.labels'],
    },
  ],
  [
    'metadata',
    'namespace: the finalize',
    { handlers: handlersOf('', 'Namespace'), plural: 'namespaces', finds: /./, decides: ['spec', 'status'] },
  ],
  [
    'metadata',
    'ConfigMap: ',
    { handlers: handlersOf('', 'ConfigMap'), plural: 'configmaps', finds: /./, decides: ['data'] },
  ],
  [
    'metadata',
    'Secret: ',
    {
      handlers: handlersOf('', 'Secret'),
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
      handlers: handlersOf('', 'Secret'),
      plural: 'secrets',
      finds: /^(data|metadata)/,
      findsMissing: true,
      decides: ['data'],
    },
  ],
  [
    'authn',
    'authn: service account objects',
    { handlers: handlersOf('', 'ServiceAccount'), plural: 'serviceaccounts', finds: /^$/, decides: ['secrets'] },
  ],
  [
    'resources',
    'csidriver: mutable fields',
    { handlers: handlersOf('storage.platform.io', 'CSIDriver'), plural: 'csidrivers', finds: /^$/, decides: [] },
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

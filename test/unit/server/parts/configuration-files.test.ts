import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StartOptions } from '../../../../server/options.js';
import { checkFileGates, withConfigurationFiles } from '../../../../server/parts/configuration-files.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();
function write(name: string, kind: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `apiVersion: apiserver.config.k8s.io/v1beta1\nkind: ${kind}\n${text}`);
  return file;
}

const authorization = {
  configFile: write('a.yaml', 'AuthorizationConfiguration', 'authorizers: [{ type: RBAC, name: rbac }]'),
};
const open = { configFile: write('b.yaml', 'AuthenticationConfiguration', 'anonymous: { enabled: true }') };
const closed = { configFile: write('c.yaml', 'AuthenticationConfiguration', 'anonymous: { enabled: false }') };
const silent = { configFile: write('d.yaml', 'AuthenticationConfiguration', '') };
const everything = {
  configFile: write('e.yaml', 'AuthorizationConfiguration', 'authorizers: [{ type: AlwaysAllow, name: alwaysallow }]'),
};

it.each<[StartOptions, object]>([
  [{ authorization }, { authorization: { modes: ['RBAC'] } }],
  [{ authentication: open }, { authentication: { anonymous: 'anonymous' } }],
  [{ authentication: closed }, { authentication: { anonymous: 'refused' } }],
  [{ authentication: silent }, { authentication: { anonymous: 'anonymous' } }],
  [{ authentication: { ...silent, anonymous: 'refused' } }, { authentication: { anonymous: 'refused' } }],
  [{ authentication: silent, authorization: everything }, { authentication: { anonymous: 'refused' } }],
])('%# uses the values of the files', async (options, expected) =>
  expect(await withConfigurationFiles(options)).toMatchObject(expected),
);

it.each<[StartOptions, string]>([
  [
    { authorization: { ...authorization, modes: ['RBAC'] } },
    'authorization.configFile and authorization.modes are mutually exclusive; leave one out',
  ],
  [
    { authentication: { ...open, oidc: { issuerUrl: 'https://a', clientId: 'b' } } },
    'authentication.configFile and authentication.oidc are mutually exclusive; leave one out',
  ],
  [{ authentication: { ...open, anonymous: 'refused' } }, 'anonymous: Forbidden: --anonymous-auth flag cannot be set'],
  [{ authentication: { configFile: join(folder, 'none') } }, 'cannot be read: ENOENT'],
  [
    { authorization, emulatedVersion: '1.27' },
    'authorization.configFile needs the gate StructuredAuthorizationConfiguration, which release 1.27 does not have',
  ],
])('%# is refused', async (options, problem) => expect(withConfigurationFiles(options)).rejects.toThrow(problem));

it('refuses a file without its gate', () =>
  expect(() => checkFileGates({ authentication: open }, () => false)).toThrow(
    'authentication.configFile needs the gate StructuredAuthenticationConfiguration, which is off',
  ));

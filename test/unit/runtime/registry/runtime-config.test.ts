/** Runtime config: the meaning of its keys, their precedence, and refused values. */
import { describe, expect, it } from 'vitest';
import type { ResourceModule, Stability } from '../../../../runtime/contract/index.js';
import { applyRuntimeConfig, readRuntimeConfig } from '../../../../runtime/registry/runtime-config.js';
import { moduleOf } from '../../../support/modules.js';

const module = (group: string, version: string, plural: string, stability?: Stability, served = true): ResourceModule =>
  moduleOf(group, plural, 'Kind', { version, served, ...(stability === undefined ? {} : { stability }) });

const modules: readonly ResourceModule[] = [
  module('', 'v1', 'configmaps', { level: 'stable' }),
  module('', 'v1', 'secrets', { level: 'stable' }),
  module('apps.io', 'v1', 'apples', { level: 'stable' }),
  module('apps.io', 'v1beta1', 'apples', { level: 'beta', introduced: '1.25' }),
  module('apps.io', 'v1beta1', 'pears', { level: 'beta', introduced: '1.25' }),
  module('apps.io', 'v1alpha1', 'apples', { level: 'alpha' }),
  module('apps.io', 'v0', 'apples', { level: 'stable', removed: '1.25' }),
  module('apps.io', 'v9', 'apples', { level: 'stable' }, false),
  module('own.com', 'v1beta1', 'things'),
];

const later: readonly ResourceModule[] = [
  module('apps.io', 'v2', 'apples', { level: 'stable', introduced: '1.31' }),
  module('apps.io', 'v2', 'plums', { level: 'stable', introduced: '1.30' }),
  module('apps.io', 'v1', 'plums', { level: 'stable', introduced: '1.32' }),
];

/** Returns the paths that a config serves, or why it is refused. */
function served(text: string): string[] | string {
  const config = readRuntimeConfig(text);
  if (!config.ok) return config.failure.message;
  const applied = applyRuntimeConfig(config.value, modules, '1.27', later);
  if (!applied.ok) return applied.failure.message;
  return modules.filter(applied.value).map(({ group, version, names }) => `${group}/${version}/${names.plural}`);
}

const usual = ['/v1/configmaps', '/v1/secrets', 'apps.io/v1/apples', 'own.com/v1beta1/things'];
const betas = ['apps.io/v1beta1/apples', 'apps.io/v1beta1/pears'];
const alphas = ['apps.io/v1alpha1/apples'];

/** Returns the usual paths with others among them, in the order of the modules. */
const withOthers = (...others: readonly string[]): string[] => [...usual.slice(0, 3), ...others, ...usual.slice(3)];

describe('runtime config', () => {
  it.each([
    ['', usual],
    [' , ', usual],
    ['api/all', withOthers(...betas, ...alphas)],
    ['api/beta=true', withOthers(...betas)],
    ['api/alpha=true', withOthers(...alphas)],
    ['api/ga=false', ['own.com/v1beta1/things']],
    ['api/legacy=false', usual.slice(2)],
    ['api/all=false,api/v1', ['/v1/configmaps', '/v1/secrets', 'own.com/v1beta1/things']],
    ['api/all=true,api/beta=false', withOthers(...alphas)],
    ['api/beta=false,api/all=true', withOthers(...alphas)],
    ['apps.io/v1beta1', withOthers(...betas)],
    ['apps.io/v1beta1,apps.io/v1beta1/pears=false', withOthers('apps.io/v1beta1/apples')],
    ['apps.io/v1beta1/pears=false,apps.io/v1beta1', withOthers('apps.io/v1beta1/apples')],
    ['apps.io/v1beta1/pears', withOthers('apps.io/v1beta1/pears')],
    ['apps.io/v1beta1=true,apps.io/v1beta1=false', usual],
    ['v1=false', usual.slice(2)],
    ['api/v1/secrets=0', usual.filter((path) => path !== '/v1/secrets')],
    ['own.com/v1beta1=false', usual.slice(0, 3)],
    ['apps.io/v0=false,apps.io/v9=false', usual],
  ])('%j', (text, paths) => {
    expect(served(text)).toEqual(paths);
  });

  it.each([
    ['api/all=false', 'api/all=false alone leaves nothing to serve; add what to serve, such as api/v1=true'],
    ['api/bata=true', 'invalid key api/bata; did you mean `api/beta`?'],
    [
      'api/everything',
      'invalid key api/everything; use <group>/<version>, <group>/<version>/<resource>, or api/all, api/ga, api/beta, api/alpha, api/legacy',
    ],
    ['apps.io', /^invalid key apps\.io; use <group>/],
    ['apps.io/v1/apples/status', /^invalid key apps\.io\/v1\/apples\/status; /],
    ['apps.io//apples', /^invalid key /],
    ['=true', /^invalid key \(nothing\); /],
    ['api/beta=yes', 'invalid value of api/beta: "yes"; use api/beta=true or api/beta=false'],
    ['api/beta=', 'invalid value of api/beta: ""; use api/beta=true or api/beta=false'],
    ['appz.io/v1', 'unknown api groups appz.io; did you mean `apps.io`?'],
    ['x.example.com/v1,y.example.com/v1=false', 'unknown api groups x.example.com, y.example.com'],
    ['apps.io/v1beta2', 'unknown version apps.io/v1beta2; did you mean `apps.io/v1beta1`?'],
    ['own.com/nonsense', 'unknown version own.com/nonsense; the group has own.com/v1beta1'],
    ['apps.io/v1/aples', 'unknown resource apps.io/v1/aples; did you mean `apps.io/v1/apples`?'],
    ['apps.io/v1/Apples', 'unknown resource apps.io/v1/Apples; did you mean `apps.io/v1/apples`?'],
    ['apps.io/v0', 'apps.io/v0 cannot be switched on: it has not been served since 1.25'],
    ['apps.io/v0/apples', 'apps.io/v0/apples cannot be switched on: it has not been served since 1.25'],
    ['apps.io/v2=false', 'apps.io/v2 does not exist before release 1.30; the emulated version selects the release'],
    [
      'apps.io/v1/plums',
      'apps.io/v1/plums does not exist before release 1.32; the emulated version selects the release',
    ],
    ['apps.io/v9', 'apps.io/v9 cannot be switched on: its definition says that it is not served'],
  ])('refuses %j', (text, message) => {
    expect(served(text)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });
});

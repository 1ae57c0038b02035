import { expect, it } from 'vitest';
import { kindNames, nameProblem, usualNames } from '../../../../bin/project/new-sources.js';

it.each([
  ['shop', 'shop'],
  ['My Shop_2', 'my-shop-2'],
  ['2nd-shop', 'nd-shop'],
  ['---', 'my-api'],
  ['', 'my-api'],
])('makes names from the folder %j', (folder, project) => {
  const names = usualNames(folder);
  expect(names).toEqual({ project, group: `${project}.example.com`, kind: 'Order', naming: 'kubernetes' });
  expect(nameProblem(names)).toBeUndefined();
});

it.each([
  ['Order', 'order', 'orders'],
  ['Box', 'box', 'boxes'],
  ['Policy', 'policy', 'policies'],
  ['Gateway', 'gateway', 'gateways'],
  ['HTTPRoute', 'httproute', 'httproutes'],
])('makes the names of a kind: %s', (kind, singular, plural) =>
  expect(kindNames({ ...usualNames('a'), kind })).toMatchObject({ singular, plural }),
);

it.each([
  [{ project: 'My Shop' }, 'must be the name of a package'],
  [{ group: 'shop' }, 'must be a domain name'],
  [{ group: 'Shop.example.com' }, 'must be a domain name'],
  [{ kind: 'order' }, 'must be a name in upper camel case'],
  [{ kind: 'Or-der' }, 'must be a name in upper camel case'],
])('refuses %j', (wrong, words) => expect(nameProblem({ ...usualNames('shop'), ...wrong })).toContain(words));
